import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { DESKTOP, openPage, PHONE, startBrowser } from '../harness/browser.ts';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';
import { startBoth } from '../harness/start-both.ts';
import { needsTool, SYSTEM_TOOLS } from '../system-tools.ts';

/** A test reads fields of many shapes. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

let posthorn: PosthornProcess | undefined;
let browser: Browser | undefined;

before(async () => {
  if (!SYSTEM_TOOLS.chromium.isThere()) return;
  [posthorn, browser] = await startBoth(
    { started: startOnTestDatabase({ startTimeoutMs: 60_000 }), end: (it) => it.stop() },
    { started: startBrowser(), end: (it) => it.close() },
  );
});
after(async () => {
  await browser?.close();
  await posthorn?.stop();
});

async function api(on: PosthornProcess, pathname: string, body?: unknown): Promise<Body> {
  const answer = await on.fetch(pathname, body === undefined ? {} : { body });
  assert.ok(answer.status < 300, `${pathname}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** The newest captured email to somebody whose subject matches, whole; it is on its way when this is asked. */
async function mailTo(on: PosthornProcess, to: string, subject: RegExp): Promise<Body> {
  const deadlineMs = performance.now() + 30_000;
  for (;;) {
    const { data } = await api(on, `/v1/captured-emails?to=${encodeURIComponent(to)}`);
    const found = data.find((email: Body) => subject.test(email.subject));
    if (found !== undefined) return api(on, `/v1/captured-emails/${found.id}`);
    assert.ok(performance.now() < deadlineMs, `an email to ${to} with ${subject}`);
    await new Promise(setImmediate);
  }
}

/** Where a link of an email leads, on the port that this process got. */
function linkIn(on: PosthornProcess, html: string, path: string): string {
  const found = [...html.matchAll(/href="([^"]+)"/g)]
    .map(([, href = '']) => href.replaceAll('&amp;', '&'))
    .find((href) => href.includes(path));
  assert.ok(found !== undefined, `a link to ${path}`);
  const { pathname, search } = new URL(found);
  return `${on.url}${pathname}${search}`;
}

test('somebody subscribes, confirms, reads an issue, leaves and comes back, in a browser without JavaScript', async (t) => {
  if (!needsTool(t, 'chromium') || posthorn === undefined || browser === undefined) return;
  const on = posthorn;
  const made = await api(on, '/v1/newsletters', {
    name: 'Slow Mornings',
    slug: 'slow-mornings',
    description: 'One letter every Sunday.',
    accent_color: '#b4532a',
    from_email: 'letters@posthorn.test',
  });
  const list = `/v1/newsletters/${made.id}`;
  const statusOf = async (email: string): Promise<string> =>
    (await api(on, `${list}/subscribers?search=${encodeURIComponent(email)}`)).data[0]?.status;
  const opened = await openPage(browser, [on.url], {
    javaScriptEnabled: false,
    viewport: PHONE,
  });
  const { page } = opened;
  /** Waits for it: what was clicked may still be on its way. */
  const shows = (heading: string) => page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();

  // An error is shown at its field, and valid values are still there.
  await page.goto(`${on.url}/n/slow-mornings`);
  await page.getByLabel('Your name (optional)').fill('Ada Lovelace');
  await page.getByLabel('Email address').fill('ada@');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  assert.equal(await page.getByRole('alert').textContent(), 'Please check what you entered');
  assert.match((await page.locator('#email-problem').textContent()) ?? '', /complete email address/);
  assert.equal(await page.getByLabel('Your name (optional)').inputValue(), 'Ada Lovelace');

  await page.getByLabel('Email address').fill('Ada@example.com');
  await page.getByRole('button', { name: 'Subscribe' }).click();
  await shows('Check your inbox');
  assert.equal(await statusOf('ada@example.com'), 'pending');

  const confirmation = await mailTo(on, 'ada@example.com', /confirm your subscription/);
  const confirm = linkIn(on, confirmation.html, '/api/n/confirm');
  const machine = await openPage(browser, [on.url], { javaScriptEnabled: false, userAgent: 'Barracuda Sentinel' });
  await machine.page.goto(confirm);
  assert.equal(await machine.page.locator('h1').textContent(), 'Confirm your subscription');
  assert.equal(await statusOf('ada@example.com'), 'pending', 'a machine that looks at links confirms nothing');
  await machine.close();
  await page.goto(confirm);
  await shows('Your subscription is confirmed');
  assert.equal(await statusOf('ada@example.com'), 'active');
  await page.goto(confirm);
  await shows('Your subscription is confirmed'); // a second visit says the same

  const issue = await api(on, `${list}/issues`, {
    subject: 'What a map leaves out',
    preheader: 'Three notes',
    html_body: '<h1>Hello {{ subscriber.name | default: "there" }}</h1><p>Walk slowly.</p>',
  });
  await api(on, `${list}/issues/${issue.id}/send`, {});
  const letter = await mailTo(on, 'ada@example.com', /What a map leaves out/);
  assert.match(letter.html, /Hello Ada Lovelace/);

  await page.setViewportSize(DESKTOP);
  await page.goto(`${on.url}/n/slow-mornings/archive`);
  await page.getByRole('link', { name: 'What a map leaves out' }).click();
  await shows('What a map leaves out');
  assert.match((await page.locator('article').textContent()) ?? '', /Hello there/, 'the archive knows nobody');

  await page.goto(linkIn(on, letter.html, '/api/n/unsubscribe'));
  await shows('You are unsubscribed');
  assert.equal(await statusOf('ada@example.com'), 'unsubscribed', 'it had happened when the page came');
  assert.match((await page.locator('main').textContent()) ?? '', /a•••@example\.com/);
  await page.getByRole('button', { name: 'Undo' }).click();
  await shows('Welcome back');
  assert.equal(await statusOf('ada@example.com'), 'active');

  assert.deepEqual([opened.errors, opened.strangers], [[], []]);
  assert.deepEqual(await page.context().cookies(), []);
  await opened.close();
});
