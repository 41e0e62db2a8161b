/** Deliveries, requests, events and suppressions as pages show them, their times, and their calls as curl. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { PHONE } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { type List, type Made, type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { choose } from '../harness/choose.ts';
import type { Page } from '../harness/journey.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';

let dashboard: RunningDashboard;
let good: Receiver;
let bad: Receiver;
before(async () => {
  [dashboard, good, bad] = await Promise.all([
    startDashboard({ env: { POSTHORN_WEBHOOK_RETRY_SECONDS: '1' } }),
    startReceiver(),
    startReceiver(),
  ]);
});
after(async () => {
  await dashboard?.stop();
  await good?.close();
  await bad?.close();
});

const call = <T>(path: string, body?: unknown): Promise<T> => dashboard.call<T>(path, body);

const SECRET_WORDS = 'The treasure is below the old oak';

async function send(to: string): Promise<string> {
  const body = {
    from: 'hello@posthorn.test',
    to,
    subject: `For ${to}`,
    text: SECRET_WORDS,
    metadata: { token: 'gold' },
  };
  const { emails } = await call<{ emails: Made[] }>('/v1/send', body);
  const id = emails[0]?.id ?? '';
  await until(`the delivery to ${to}`, async () =>
    (await call<Made>(`/v1/emails/${id}`)).status === 'delivered' ? true : undefined,
  );
  return id;
}

async function simulate(email: string, outcome: string): Promise<void> {
  const { data } = await call<List<Made>>(`/v1/captured-emails?to=${email}`);
  await call(`/v1/captured-emails/${data[0]?.id}/simulate`, { outcome });
}

const isSuppressed = async (email: string) =>
  (await dashboard.posthorn.fetch(`/v1/suppressions/${email}`)).status === 200;

/** So many rows, of which each has the words. */
async function shows(page: Page, count: number, words: string | RegExp): Promise<void> {
  const rows = page.locator('tr[data-row]');
  await until(
    () => `${count} rows with ${String(words)}`,
    async () => {
      const all = await rows.count();
      const fit = await rows.filter({ hasText: words }).count();
      return all === count && fit === count ? true : undefined;
    },
  );
}

const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test('deliveries of all endpoints are filtered, opened, and chosen ones are sent again and no others', async () => {
  const events = ['send', 'delivery'];
  const { id: kept } = await call<Made>('/v1/webhooks', { url: good.url, events });
  await call<Made>('/v1/webhooks', { url: bad.url, events });
  bad.answer = { status: 500, body: 'no' };
  await send('ada@example.com');
  await send('bob@example.com');
  await until('the end of every delivery', async () => {
    const { data } = await call<List<Made>>('/v1/webhook-deliveries');
    const ended = data.filter(({ status }) => status === 'succeeded' || status === 'failed');
    return ended.length === 8 ? true : undefined;
  });

  const { page, errors, close } = await dashboard.openSignedIn('/webhooks');
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('heading', { level: 1, name: 'Webhook deliveries' }).waitFor();
  await shows(page, 8, /./);
  await choose(page, 'State', 'Delivered');
  await shows(page, 4, good.url);
  await choose(page, 'Event', 'delivery');
  await shows(page, 2, 'delivery');
  await choose(page, 'State', 'Failed');
  await shows(page, 2, bad.url);
  assert.deepEqual(query(page), { status: 'failed', event_type: 'delivery' });
  await page.reload();
  await shows(page, 2, bad.url);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await shows(page, 8, /./);
  await choose(page, 'Endpoint', good.url);
  await shows(page, 4, good.url);
  assert.deepEqual(query(page), { webhook_id: kept });
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await choose(page, 'State', 'Failed');
  await shows(page, 4, '500');
  assert.deepEqual(await axeFaults(page), []);

  await page.locator('[data-row-link]').first().click();
  await page
    .getByRole('list', { name: 'Attempts' })
    .getByText(/^2\. Answered 500/)
    .waitFor();
  await page.goBack();
  await shows(page, 4, '500');

  bad.answer = { status: 200, body: 'ok' };
  bad.received.length = 0;
  const before = good.received.length;
  const chosen = page.locator('tr[data-row]');
  for (const row of [0, 2]) await chosen.nth(row).getByRole('checkbox').click();
  const ids = await Promise.all([0, 2].map((row) => chosen.nth(row).getAttribute('data-row')));
  const all = await call<List<{ id: string; event_id: string }>>('/v1/webhook-deliveries?status=failed');
  const wanted = all.data.filter(({ id }) => ids.includes(id)).map(({ event_id }) => event_id);
  await page.getByRole('toolbar').getByRole('button', { name: 'Replay' }).click();
  await page.getByText('2 deliveries are sent again.').waitFor();
  await until('the two events', async () => (bad.received.length >= 2 ? true : undefined));
  await until('two failed deliveries that are left', async () => {
    const { data } = await call<List<Made>>('/v1/webhook-deliveries?status=pending');
    return data.length === 0 ? true : undefined;
  });
  assert.deepEqual(bad.received.map(({ headers }) => String(headers['webhook-id'])).sort(), wanted.toSorted());
  assert.equal(good.received.length, before);
  assert.deepEqual(errors, []);
  await close();
});

test('a request is shown without its secrets and the texts of mail, and each hidden value is marked', async () => {
  await send('cy@example.com');
  const { key } = await call<{ key: string }>('/v1/api-keys', { name: 'Hidden', scopes: ['emails:read'] });
  const { page, errors, close } = await dashboard.openSignedIn('/requests?method=POST');
  const open = async (name: string) => {
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    await page.getByRole('figure', { name: 'the request body' }).waitFor();
  };
  await open('POST /v1/send');
  const body = await page.getByRole('figure', { name: 'the request body' }).innerText();
  assert.match(body, /"subject": "For cy@example\.com"/);
  assert.match(body, new RegExp(`"text": "\\[${SECRET_WORDS.length} characters\\]"`));
  assert.match(body, /"token": "\[hidden\]"/);
  const html = await page.content();
  assert.deepEqual([html.includes(SECRET_WORDS), html.includes('"gold"')], [false, false]);
  assert.deepEqual(await axeFaults(page), []);
  await page.goBack();
  await open('POST /v1/api-keys');
  assert.match(await page.getByRole('figure', { name: 'the answer' }).innerText(), /"key": "\[hidden\]"/);
  assert.equal((await page.content()).includes(key), false);
  assert.deepEqual(errors, []);
  await close();
});

test('the title of a request with a long path has two lines on a phone, and the path begins beside the method', async () => {
  const id = randomUUID();
  await dashboard.posthorn.fetch(`/v1/newsletters/${id}/subscribers/${id}`);
  const { page, close } = await dashboard.openSignedIn('/requests', { viewport: PHONE });
  await page.getByRole('link', { name: `GET /v1/newsletters/…${id.slice(-6)}` }).click();
  const title = page.getByRole('heading', { level: 1, name: `GET /v1/newsletters/…${id.slice(-6)}` });
  await title.waitFor();
  const lines = await title.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
    return { count: new Set(tops).size, hidden: element.scrollHeight - element.clientHeight };
  });
  assert.deepEqual(lines, { count: 2, hidden: 0 });
  await close();
});

test('events are filtered by type, email and time, also after a reload', async () => {
  const id = await send('dora@example.com');
  const { page, errors, close } = await dashboard.openSignedIn('/events');
  await page.getByRole('searchbox', { name: 'Id of an email' }).fill(id);
  await shows(page, 2, 'dora@example.com');
  await choose(page, 'Event', 'delivery');
  await shows(page, 1, 'delivery');
  await page.getByRole('button', { name: 'Any time' }).click();
  await page.getByRole('button', { name: 'Last hour' }).click();
  await page.getByRole('button', { name: /^Since / }).waitFor();
  await shows(page, 1, 'delivery');
  const { since, ...rest } = query(page);
  assert.deepEqual(rest, { type: 'delivery', email_id: id });
  assert.ok(Math.abs(Date.now() - 3_600_000 - Date.parse(since ?? '')) < 120_000, since);
  await page.reload();
  await shows(page, 1, 'dora@example.com');
  await page.goto(`${dashboard.posthorn.url}/events?until=${new Date(Date.now() - 86_400_000).toISOString()}`);
  await page.getByRole('heading', { name: 'Nothing matches these filters' }).waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).first().click();
  await page.locator('tr[data-row]').nth(2).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

const WHY = {
  bounced: 'The mail server of the recipient refused an email permanently because of the address.',
  complained: 'The recipient marked an email as spam.',
  left: 'The owner of the address asked for no more mail.',
  added: 'Somebody of this workspace added the address.',
};
const LIFTING = {
  bounced: 'If the mailbox still does not exist, the next email bounces and the address is suppressed again.',
  complained: 'Another complaint harms your reputation with the provider. Lift it only if the person asked you to.',
};

test('a suppression says why; one of a bounce or a complaint is lifted after a dialog only', async () => {
  for (const [name, outcome] of Object.entries({ bounced: 'bounce', complained: 'complaint' })) {
    await send(`${name}@example.com`);
    await simulate(`${name}@example.com`, outcome);
    await until(`the suppression of ${name}`, async () =>
      (await isSuppressed(`${name}@example.com`)) ? true : undefined,
    );
  }
  await call('/v1/suppressions', { email: 'left@example.com', reason: 'unsubscribe' });
  await call('/v1/suppressions', { email: 'added@example.com' });

  const { page, errors, close } = await dashboard.openSignedIn('/suppressions');
  const open = async (name: string) => {
    await page.getByRole('link', { name: `${name}@example.com` }).click();
    await page.getByRole('heading', { level: 1, name: `${name}@example.com` }).waitFor();
  };
  for (const [name, why] of Object.entries(WHY)) {
    await open(name);
    await page.getByText(`${why} Posthorn sends nothing to this address.`).waitFor();
    await page.goBack();
  }
  for (const [name, words] of Object.entries(LIFTING)) {
    const email = `${name}@example.com`;
    await open(name);
    const lift = page.getByRole('button', { name: 'Allow mail again' });
    await lift.click();
    const dialog = page.getByRole('dialog', { name: `Allow mail to ${email} again?` });
    await dialog.getByText(words).waitFor();
    assert.deepEqual(await axeFaults(page), []);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await isSuppressed(email), true);
    await lift.click();
    await dialog.getByRole('button', { name: 'Allow mail again' }).click();
    await page.getByText(`${email} may get mail again.`).waitFor();
    await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
    assert.equal(await isSuppressed(email), false);
  }
  assert.equal((await call<List<Made>>('/v1/suppressions')).data.length, 2);
  assert.deepEqual(errors, []);
  await close();
});

test('a time shows its exact instant on focus and on hover, in the zone that the person chose', async () => {
  await call('/v1/suppressions', { email: 'timed@example.com' });
  const { id, created_at: at } = await call<{ id: string; created_at: string }>('/v1/suppressions/timed@example.com');
  const { page, errors, close } = await dashboard.openSignedIn(`/suppressions/${id}`, { timezoneId: 'Europe/Berlin' });
  const exact = (zone: string) =>
    new Intl.DateTimeFormat('en', {
      timeZone: zone,
      weekday: 'short',
      year: 'numeric',
      month: 'short',
      day: 'numeric',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZoneName: 'short',
    }).format(new Date(at));
  const time = page.locator(`time[datetime="${at}"]`);
  const hint = page.getByRole('tooltip');
  const says = async (zone: string) => {
    await hint.waitFor();
    assert.deepEqual((await hint.innerText()).split('\n').filter(Boolean), [exact(zone), at]);
  };
  await time.waitFor();
  await page.getByRole('heading', { level: 1 }).focus();
  for (let stop = 0; stop < 20 && !(await time.evaluate((one) => one === document.activeElement)); stop += 1)
    await page.keyboard.press('Tab');
  await says('Europe/Berlin');
  await page.keyboard.press('Escape');
  await hint.waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await time.hover();
  await says('Europe/Berlin');

  await page.goto(`${dashboard.posthorn.url}/account`);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.fill('Tokyo');
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click();
  await page.getByText(/Times are shown and typed in it\. Now it is .* GMT\+9/).waitFor();
  await page.goto(`${dashboard.posthorn.url}/suppressions`);
  const row = page.getByRole('row', { name: 'timed@example.com' }).locator('time');
  assert.equal(await row.getAttribute('aria-label'), exact('Asia/Tokyo'));
  await page.goto(`${dashboard.posthorn.url}/suppressions/${id}`);
  await time.hover();
  await says('Asia/Tokyo');
  assert.deepEqual(errors, []);
  await close();
});

test('the curl command of a page answers in a shell what the page shows', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/');
  await send('frank@example.com');
  await call('/v1/suppressions', { email: 'curl@example.com', reason: 'unsubscribe' });
  const { id } = await call<Made>('/v1/suppressions/curl@example.com');
  for (const [path, same] of [
    ['/suppressions?reason=unsubscribe', '/v1/suppressions?limit=50&reason=unsubscribe'],
    [`/suppressions/${id}`, `/v1/suppressions/${id}`],
    ['/emails?to=frank@example.com', '/v1/emails?limit=50&to=frank@example.com'],
    ['/events?type=delivery', '/v1/events?limit=50&type=delivery'],
  ] as const) {
    await page.goto(`${dashboard.posthorn.url}${path}`);
    await page.getByRole('button', { name: 'As curl' }).click();
    const command = await page.getByRole('figure', { name: 'the command' }).locator('pre').innerText();
    const { stdout } = await promisify(execFile)('sh', ['-c', command.replace('curl ', 'curl -sS --fail ')], {
      env: { PATH: process.env['PATH'], POSTHORN_API_KEY: dashboard.posthorn.key },
    });
    const wanted = await call<{ data?: Made[]; id?: string }>(same);
    const answered = JSON.parse(stdout) as typeof wanted; // as the page itself is answered
    assert.deepEqual(answered.data ?? answered.id, wanted.data ?? wanted.id, path);
    assert.notDeepEqual(answered.data ?? answered.id, [], path);
  }
  assert.deepEqual(errors, []);
  await close();
});
