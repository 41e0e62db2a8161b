/**
 * The Outbox and the emails in a real browser, against the real server with captured mail. Every page runs under the
 * Content-Security-Policy of the server, and is looked at with axe.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { DESKTOP, PHONE } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import type {
  Analytics,
  Email,
  EmailExplanation,
  Issue,
  LoggedRequest,
  Overview,
  SendingHealth,
  WorkspaceUsage,
} from '../../src/api/generated/types.gen.ts';
import { changeAnswer, STANDS_STILL, trueAnswers } from '../harness/answers.ts';
import { axeFaults, axeFaultsOfSchemes } from '../harness/axe.ts';
import { choose } from '../harness/choose.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { withoutPictures } from '../harness/journey.ts';
import { asOwner, callAs } from '../harness/people.ts';

type Page = Awaited<ReturnType<RunningDashboard['openSignedIn']>>['page'];

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

const HOSTILE =
  '<p>Hello <b>Ada</b></p><a href="https://acme.example/order">Order</a><script>parent.document.title="ran"</script>' +
  '<img src="x" onerror="parent.document.title=\'ran\'">';

/** An answer of our own API. */
interface Answered {
  id: string;
  job_id: string;
  status: string;
  subject: string;
  to: string[];
  events: { type: string; recipient: string }[];
  data: { id: string; subject: string; to: string[] }[];
  emails: { id: string }[];
}

const read = async (path: string, body?: unknown): Promise<Answered> =>
  (await dashboard.posthorn.fetch(path, body === undefined ? {} : { body })).body as Answered;

async function sent(subject: string, to: string | string[], html = HOSTILE): Promise<string> {
  const { emails } = await read('/v1/send', { from: 'hello@posthorn.test', to, subject, html, trackClicks: true });
  return emails[0]?.id ?? '';
}

/** Hand-off and events take a moment. */
const inState = (id: string, status: string): Promise<Answered> =>
  until(`the state ${status}`, async () => {
    const email = await read(`/v1/emails/${id}`);
    return email.status === status ? email : undefined;
  });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

test('a test email is written, sent, and sent again as a marked copy to another address', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/emails/new');
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('textbox', { name: 'To' }).fill('carl@example.com');
  await page.getByRole('textbox', { name: 'Subject' }).fill('From a form');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await heading(page, 'From a form').waitFor();
  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  assert.deepEqual((await inState(id, 'delivered')).to, ['carl@example.com']);

  await page.getByRole('tab', { name: 'Content' }).click();
  await page.getByText('Headers', { exact: true }).click();
  await page.getByText(new RegExp(`^<${id}@`)).waitFor();
  await page.getByText('Source', { exact: true }).click();
  await page.getByText(/^DKIM-Signature: /).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByText('Preview', { exact: true }).first().click();
  await page.frameLocator('iframe[title^="The email"]').locator('body').getByText(/\S/).first().waitFor();
  await page.getByRole('tab', { name: 'Overview' }).click();
  await page
    .getByText(/^The receiving server accepted it\.If the recipient does not see it: it may be in the spam folder\.$/)
    .waitFor();

  for (const [item, name, to] of [
    [/^To me, /, 'Copy: From a form', dashboard.owner.email],
    [/^To the same recipient/, 'From a form', 'carl@example.com'],
  ] as const) {
    const before = page.url();
    await page.getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('menuitem', { name: item }).click();
    await page.waitForURL((url) => url.href !== before);
    await heading(page, name).waitFor();
    const made = await read(`/v1/emails/${new URL(page.url()).pathname.split('/').at(-1)}`);
    assert.deepEqual([made.subject, made.to], [name, [to]]);
    await page.goto(`${dashboard.posthorn.url}/emails/${id}`);
    await heading(page, 'From a form').waitFor();
  }

  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('menuitem', { name: /^To another address/ }).click();
  await page.getByRole('textbox', { name: 'Address' }).fill('nobody');
  await page.getByRole('button', { name: 'Send the copy' }).click();
  await page.getByText(/It must be an email address/).waitFor();
  await page.getByRole('textbox', { name: 'Address' }).fill('dora@example.com');
  await page.getByRole('button', { name: 'Send the copy' }).click();
  await heading(page, 'Copy: From a form').waitFor();
  const copies = await read('/v1/emails?to=dora@example.com');
  assert.deepEqual(
    copies.data.map(({ subject, to }) => [subject, to]),
    [['Copy: From a form', ['dora@example.com']]],
  );
  // The browser writes the refused copy into its console.
  assert.deepEqual([errors.filter((text) => !/status of 400/.test(text)), strangers], [[], []]);
  await close();
});

test('on a phone, a row of a list says below its first words what its columns have no place for', async () => {
  await sent('Words on a phone', 'phone@example.com');
  const { page, errors, close } = await dashboard.openSignedIn('/emails', { viewport: PHONE, hasTouch: true });
  const row = page.getByRole('row', { name: /phone@example\.com/ });
  const words = await row.getByRole('cell').filter({ hasText: 'phone@example.com' }).innerText();
  assert.match(words, /^phone@example\.com\nWords on a phone\n.*(now|ago)$/);
  assert.deepEqual(await axeFaults(page), []);

  await page.setViewportSize(DESKTOP);
  await page.getByRole('columnheader', { name: 'Subject' }).waitFor();
  assert.equal(await row.getByText('Words on a phone').count(), 1, 'nothing is there twice');
  await page.setViewportSize(PHONE);
  await page.getByRole('columnheader', { name: 'Subject' }).waitFor({ state: 'detached' });

  const { x = 0, y = 0 } = (await row.locator('time').boundingBox()) ?? {};
  await page.touchscreen.tap(x + 4, y + 4);
  await heading(page, 'Words on a phone').waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('the log is searched by address, subject, id and Message-ID, and a filter of the address is taken away', async () => {
  const id = await sent('Found by its words', 'eve@example.com');
  const { page, errors, close } = await dashboard.openSignedIn('/emails?tag=nothing');
  await page.getByText('Nothing matches these filters').waitFor();
  await page.goto(`${dashboard.posthorn.url}/emails?search=nobody`);
  await page.getByText(/^These words were looked for in subjects\. To find a recipient/).waitFor();
  await page.goto(`${dashboard.posthorn.url}/emails?tag=nothing`);
  await page.getByRole('button', { name: /^Tag: nothing/ }).click();
  await page
    .getByRole('row', { name: /From a form/ })
    .first()
    .waitFor();
  assert.deepEqual(await axeFaults(page), []);
  const row = page.getByRole('row', { name: /Found by its words/ });
  for (const text of ['eve@example.com', 'by its WORDS']) {
    await page.getByRole('searchbox').fill(text);
    await row.waitFor();
    await page
      .getByRole('row', { name: /From a form/ })
      .first()
      .waitFor({ state: 'detached' });
  }
  for (const text of [id, `<${id}@posthorn.test>`]) {
    await page.goto(`${dashboard.posthorn.url}/emails`);
    await page.getByRole('searchbox').fill(text);
    await heading(page, 'Found by its words').waitFor();
    assert.equal(new URL(page.url()).pathname, `/emails/${id}`);
  }
  await page.getByRole('link', { name: 'All emails of this send' }).click();
  await page.getByText('To 1 recipient, accepted').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  assert.deepEqual(errors, []);
  await close();
});

test('the log is filtered by records with their names, the address keeps their ids, and a record leads to its emails', async () => {
  const newsletter = await read('/v1/newsletters', { name: 'Lighthouse letters', slug: 'lighthouse-letters' });
  const issue = await read(`/v1/newsletters/${newsletter.id}/issues`, {
    subject: 'Ships of May',
    html_body: '<p>x</p>',
  });
  const other = await read('/v1/templates', { name: 'Other text', subject: 'x', text: 'x' });
  const template = await read('/v1/templates', { name: 'Receipt of ships', subject: 'x', text: 'x' });
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/emails');
  await page.getByRole('button', { name: 'More' }).click();
  await choose(page, 'Newsletter', 'Lighthouse letters');
  await choose(page, 'Issue', 'Ships of May');
  await page.getByRole('combobox', { name: 'Template' }).fill('of ships');
  await page.getByRole('option', { name: 'Other text' }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: 'Receipt of ships' }).click();
  await choose(page, 'Domain', 'posthorn.test');
  // A record that is in no list is given by its id.
  const unknown = '0197f400-1c2d-7abc-8def-0123456789ab';
  await page.getByRole('combobox', { name: 'API key' }).fill(unknown);
  await page.getByRole('option', { name: unknown }).click();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('button', { name: 'Apply' }).click();
  for (const words of [
    'Newsletter: Lighthouse letters',
    'Issue: Ships of May',
    'Template: Receipt of ships',
    'Domain: posthorn.test',
  ])
    await page.getByRole('button', { name: words }).waitFor();
  await page.getByRole('button', { name: `API key: ${unknown}` }).waitFor();
  const params = new URL(page.url()).searchParams;
  assert.deepEqual(
    ['newsletter_id', 'issue_id', 'template_id', 'api_key_id'].map((name) => params.get(name)),
    [newsletter.id, issue.id, template.id, unknown],
  );
  assert.notEqual(other.id, template.id);

  // The fields begin with the names of what is set.
  await page.getByRole('button', { name: 'More' }).click();
  await page.waitForFunction(() =>
    document.querySelector<HTMLInputElement>('form[aria-label="More filters"] input[value="Ships of May"]'),
  );
  await page.keyboard.press('Escape');

  await page.goto(`${dashboard.posthorn.url}/newsletters/${newsletter.id}`);
  await page.getByRole('link', { name: 'Its emails' }).click();
  await page.getByRole('button', { name: 'Newsletter: Lighthouse letters' }).waitFor();
  // The browser writes the key that there is not into its console.
  assert.deepEqual([errors.filter((text) => !/status of 404/.test(text)), strangers], [[], []]);
  await close();
});

test('an email whose answer was lost is sent once, when the person presses again', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/emails/new');
  await page.getByRole('textbox', { name: 'Subject' }).fill('Once and no more');
  const answers: number[] = [];
  await page.route('**/v1/send', async (route) => {
    const answer = await route.fetch(); // the server has taken it, and its answer does not arrive
    answers.push(answer.status());
    await route.abort('connectionreset');
  });
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.click();
  await page
    .getByText(/Posthorn cannot be reached/)
    .first()
    .waitFor();
  await page.unrouteAll({ behavior: 'wait' }); // its answers under way come first
  await send.click();
  await page.getByRole('heading', { level: 1, name: 'Once and no more' }).waitFor();
  const { body } = await dashboard.posthorn.fetch('/v1/emails?subject=Once%20and%20no%20more');
  assert.deepEqual(answers, [202]);
  assert.match(JSON.stringify(body), /"total":1,/);
  assert.deepEqual([errors.filter((error) => !error.includes('ERR_CONNECTION_RESET')), strangers], [[], []]);
  await close();
});

test('the palette finds records by id with one request, and others by name or address', async () => {
  await sent('Found', 'grace@example.com', '<p>Hello</p>');
  const captured = await until('it is captured', async () => {
    const { data } = await read('/v1/captured-emails?to=grace@example.com');
    return data[0]?.id;
  });
  await read('/v1/api-keys', { name: 'Night shift', scopes: ['emails:send'] });
  const { id: harbour } = await read('/v1/newsletters', {
    name: 'Harbour news',
    slug: 'harbour',
    from_email: 'news@posthorn.test',
  });
  const issue = await read(`/v1/newsletters/${harbour}/issues`, { subject: 'Tides of May', html_body: '<p>High</p>' });
  const reader = { email: 'reader@example.com', already_confirmed: true };
  const subscriber = await read(`/v1/newsletters/${harbour}/subscribers`, reader);
  await read('/v1/suppressions', { email: 'gone@example.com' });
  const { page, errors, close } = await dashboard.openSignedIn('/keys');
  const search = page.getByRole('textbox', { name: 'Search and commands' });
  const found = (kind: string) =>
    page
      .getByRole('dialog')
      .getByRole('button')
      .filter({ hasText: new RegExp(`${kind}$`) });
  const look = async (words: string, kind: string): Promise<string[]> => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await search.fill(words);
    await found(kind).waitFor();
    page.removeAllListeners('request');
    return asked.filter((path) => path.startsWith('/v1/'));
  };
  await page.keyboard.press('Control+k');
  await look('night', 'API key');
  await look('harbour', 'Newsletter');
  await look('gone@example.com', 'Suppression');
  assert.deepEqual(await look(subscriber.id, 'Subscriber'), [`/v1/records/${subscriber.id}`]);
  assert.deepEqual(await look(captured, 'Captured email'), [`/v1/records/${captured}`]);
  assert.deepEqual(await look(issue.id, 'Issue'), [`/v1/records/${issue.id}`]);
  await look('tides', 'Issue');
  await found('Issue').click();
  await page.waitForURL((url) => url.pathname === `/newsletters/${harbour}/issues/${issue.id}`);
  await page.keyboard.press('Control+k');
  const asked = await look('reader@example.com', 'Subscriber');
  assert.ok(asked.includes('/v1/records'));
  assert.ok(!asked.some((path) => /contacts|subscribers|suppressions/.test(path)), asked.join(' '));
  await found('Subscriber').click();
  await page.waitForURL((url) => url.pathname === `/newsletters/${harbour}/subscribers/${subscriber.id}`);
  assert.deepEqual(errors, []);
  await close();
});

test('a bounce that is simulated in the Outbox stands in the time line of the record that is opened next', async () => {
  const id = await sent('Bounces', 'frank@example.com', '<p>Hello</p>');
  await inState(id, 'delivered');
  const captured = await read('/v1/captured-emails?to=frank@example.com');
  const { page, errors, close } = await dashboard.openSignedIn(`/emails/${id}`);
  const happened = page.getByRole('list', { name: 'What happened' });
  await happened.getByText('Delivered', { exact: true }).waitFor();
  // Within the page, as by a click: a reload would read everything again.
  await page.getByRole('link', { name: 'Outbox' }).click();
  await page.locator(`a[href^="/outbox/${captured.data[0]?.id}"]`).click();
  await page.getByRole('button', { name: 'Simulate', exact: true }).click();
  await page.getByRole('menuitem', { name: /^Permanent bounce/ }).click();
  await page.getByText('Bounced, and the address is suppressed.').waitFor();
  await page.getByRole('link', { name: 'Time line and record' }).click();
  await heading(page, 'Bounces').waitFor();
  await happened.getByText('Bounced', { exact: true }).waitFor({ timeout: 5_000 });
  const reason = 'smtp; 550 5.1.1 user unknown';
  await page.getByText(/^The receiving server returned it for good: 550 5\.1\.1 user unknown/).waitFor();
  await page.getByText('Correct the address, or remove it from your lists.').waitFor();
  const bounced = happened.getByRole('listitem').filter({ hasText: 'Bounced' });
  await bounced.getByText('Answer of the provider').click();
  await bounced.getByRole('figure', { name: 'the event' }).getByText(reason).waitFor();
  await page.getByRole('link', { name: 'Suppressions' }).click();
  await page.getByRole('link', { name: 'frank@example.com' }).waitFor({ timeout: 5_000 });
  assert.deepEqual(errors, []);
  await close();
});

const HOUR_MS = 3_600_000;
const inAnHour = () => new Date(Date.now() + 1.5 * HOUR_MS).toISOString();

test('a captured message is looked at in each of its parts, and outcomes of it change the record as they would', async () => {
  const words = 'The notes of the meeting';
  const file = { filename: 'notes.txt', content: Buffer.from(words).toString('base64') };
  const { emails } = await read('/v1/send', {
    from: 'hello@posthorn.test',
    to: 'gina@example.com',
    subject: 'In parts',
    html: HOSTILE,
    text: 'Hello in plain words',
    trackClicks: true,
    attachments: [file],
  });
  const id = emails[0]?.id ?? '';
  await inState(id, 'delivered');
  const captured = (await read('/v1/captured-emails?to=gina@example.com')).data[0]?.id;
  const { page, errors, strangers, close } = await dashboard.openSignedIn(`/outbox/${captured}`);
  const message = page.getByRole('article', { name: 'Message' });
  const mail = page.frameLocator('iframe');
  await mail.getByText('Hello Ada').waitFor();
  await message.getByText(/^\d\.\d kB$/).waitFor();
  const width = async () => (await page.locator('iframe').boundingBox())?.width;
  // The column of a message is narrower than a mail on a desktop.
  for (const [choice, isRight] of [
    ['Phone', (px: number) => px === 320],
    ['Desktop', (px: number) => px > 400 && px <= 600],
  ] as const) {
    await message.getByText(choice, { exact: true }).click();
    await until(`the width of ${choice}`, async () => (isRight((await width()) ?? 0) ? true : undefined));
  }
  const filter = () => mail.locator('html').evaluate((html) => getComputedStyle(html).filter);
  assert.equal(await filter(), 'none');
  await page.getByRole('switch', { name: 'Dark' }).check({ force: true });
  await until('the mail in the dark', async () => ((await filter()).startsWith('invert(1)') ? true : undefined));
  assert.deepEqual(await axeFaultsOfSchemes(page), []);

  const open = (name: string) => page.getByRole('tab', { name }).click();
  await open('Text');
  await message.getByText('Hello in plain words').waitFor();
  await open('HTML');
  await message.getByText('<b>Ada</b>').waitFor();
  await open('Headers');
  await message.getByText(new RegExp(`^<${id}@`)).waitFor();
  await open('Attachments 1');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download notes.txt' }).click(),
  ]);
  assert.deepEqual([saved.suggestedFilename(), await readFile(await saved.path(), 'utf8')], ['notes.txt', words]);
  await open('Links 1');
  await message.getByText('tracked', { exact: true }).waitFor();
  await message.getByRole('button', { name: 'Simulate a click' }).waitFor();
  await open('Source');
  await message.getByText(/DKIM-Signature: /).waitFor();

  for (const [outcome, done, status] of [
    ['Delay', 'Delayed.', 'Delivered'],
    ['Temporary bounce', 'Bounced for now.', 'Delivered'],
    ['Complaint', 'Complained, and the address is suppressed.', 'Complained'],
  ] as const) {
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await page.getByRole('menuitem', { name: new RegExp(`^${outcome}`) }).click();
    await page.getByText(done, { exact: true }).waitFor();
    await message.locator('dd').getByText(status, { exact: true }).waitFor();
  }
  const { events } = await read(`/v1/emails/${id}`);
  assert.deepEqual(
    events
      .map(({ type }) => type)
      .filter((type) => /delay|bounce|complaint/.test(type))
      .toSorted(),
    ['bounce', 'complaint', 'delivery_delay'],
  );
  await page.getByRole('link', { name: 'Time line and record' }).click();
  await page.getByText(/^The recipient marked it as spam\. The address is on the suppression list\./).waitFor();
  assert.deepEqual([withoutPictures(errors), strangers], [[], []]);
  await close();
});

test('the Overview says what holds mail back, which step helps, and how long the queue takes', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/outbox');
  const last_fault = { at: new Date().toISOString(), outcome: 'throttled' as const, message: 'Too fast (454).' };
  await changeAnswer<Overview>(page, '/v1/overview', (it) => ({
    ...it,
    queue: {
      ...it.queue,
      depth: 1_234,
      by_lane: { system: 4, transactional: 30, bulk: 1_200 },
      estimatedDrainAt: new Date(Date.now() + 2.5 * HOUR_MS).toISOString(),
    },
    pace: { rate: 7, full_rate: 14, setting: 14, stretch: 2 },
    provider: {
      ...it.provider,
      name: 'ses',
      paused_until: inAnHour(),
      pause_reason: 'Amazon asks to wait.',
      last_fault,
    },
    paused_sends: [
      { ...STANDS_STILL, broadcast_id: '0197f400-1c2d-7abc-8def-000000000002' },
      {
        ...STANDS_STILL,
        send_id: '0197f400-1c2d-7abc-8def-000000000003',
        source: 'issue',
        newsletter_id: '0197f400-1c2d-7abc-8def-000000000004',
        issue_id: '0197f400-1c2d-7abc-8def-000000000005',
        broadcast_id: null,
        reason: 'The quota is used up.',
        action: 'raise_quota',
        resumes_at: inAnHour(),
      },
    ],
  }));
  await page.goto(dashboard.posthorn.url);
  const stills = page.getByRole('list', { name: 'Paused sends' }).getByRole('listitem');
  await stills.filter({ hasText: /^A broadcast is paused since .*\. More than 5 % of it bounced\./ }).waitFor();
  await stills.filter({ hasText: /The quota is used up\. It continues by itself in 1 ?h/ }).waitFor();
  assert.deepEqual(
    await stills.evaluateAll((all) =>
      all.map((one) => [...one.querySelectorAll('a, button')].map((it) => it.textContent)),
    ),
    [['Open the broadcast', 'Resume'], ['Open the issue']],
  );
  await page.getByText('Paused by the provider', { exact: true }).waitFor();
  for (const words of [
    /^Amazon asks to wait\. Sending continues in 1 ?h/,
    /^1,234 emails: 30 transactional, 1,200 of issues, 4 of the system$/,
    /^about 2 h (29|30) min$/,
    /^7 of 14 recipients a second, slower after the provider throttled$/,
    /^SES$/,
    /: Too fast \(454\)\.$/,
  ])
    await page.locator('main').getByText(words).first().waitFor();
  assert.deepEqual(await axeFaultsOfSchemes(page), []);
  let resumed = '';
  await page.route('**/resume', (route) => {
    resumed = `${route.request().method()} ${new URL(route.request().url()).pathname}`;
    return route.fulfill({ json: { success: true } });
  });
  await stills.getByRole('button', { name: 'Resume' }).click();
  await page.getByText('The broadcast is being sent again.').waitFor();
  assert.equal(resumed, 'POST /broadcasts/0197f400-1c2d-7abc-8def-000000000002/resume');

  await trueAnswers(page);
  await changeAnswer<Overview>(page, '/v1/overview', (it) => ({ ...it, workers: { ...it.workers, alive: 0 } }));
  await page.reload();
  await page
    .getByRole('alert')
    .filter({ hasText: /^No worker is running, so nothing is sent\./ })
    .waitFor();
  await page.getByText('Nothing is sent', { exact: true }).waitFor();
  await trueAnswers(page);
  assert.deepEqual(errors, []);
  await close();
});

test('the Overview marks rates over their limits, and counts by hours and days of the zone of the workspace', async () => {
  const { token, workspaceId } = await asOwner(dashboard);
  await callAs(dashboard, token, `/workspaces/${workspaceId}`, { timezone: 'Asia/Tokyo' }, 'PATCH');
  await sent('Counted by hour', 'hours@example.com');
  const { page, errors, close } = await dashboard.openSignedIn('/outbox');
  await changeAnswer<Analytics>(page, '/v1/analytics?*', (it) => ({
    ...it,
    totals: { ...it.totals, sent: 2_000, delivered: 1_900, bounced: 101, bounced_permanent: 101, complained: 5 },
  }));
  const health = { sent: 2_000, bounce_rate: 0.0505, complaint_rate: 0.0026, reasons: ['5.1 % bounced.'] };
  await changeAnswer<SendingHealth>(page, '/v1/analytics/health', (it) => ({ ...it, ...health, status: 'warning' }));
  await page.goto(dashboard.posthorn.url);
  const toneOf = (name: string) => page.getByRole('link', { name }).locator('[data-tone]').getAttribute('data-tone');
  assert.equal(await toneOf('Bounced: 101'), 'warn');
  assert.equal(await toneOf('Complained: 5'), 'bad');
  assert.equal(await page.getByRole('link', { name: 'Delivered: 1,900' }).locator('[data-tone]').count(), 0);
  for (const words of ['5.05%, limit 5%', '0.26%, limit 0.10%', 'Over a limit', '5.1 % bounced.'])
    await page.getByText(words, { exact: true }).waitFor();

  await page.getByText('Each email counts when it happens. Days are days in Asia/Tokyo.').waitFor();
  const labels = () => page.getByRole('table').filter({ hasText: 'Time' }).locator('tbody th').allInnerTexts();
  const hourInTokyo = () => `${new Date(Date.now() + 9 * HOUR_MS).toISOString().slice(11, 13)}:00`;
  const before = hourInTokyo();
  await page.getByText('24 hours', { exact: true }).click();
  await page.getByText('Emails by hour, as a table').click();
  await until('one row for each hour', async () => ((await labels()).length === 24 ? true : undefined));
  const hours = await labels();
  assert.ok([before, hourInTokyo()].includes(hours.at(-1) ?? ''), `${hours.at(-1)} is not ${before}`);
  await page.getByText('By day', { exact: true }).click();
  await page.getByText('Emails by day, as a table').waitFor();
  // The rows of the hours stand until those of the days are read.
  await until('one row for each day', async () => ((await labels()).length <= 2 ? true : undefined));
  assert.equal(new URL(page.url()).search, '?range=24h&by=day');
  await trueAnswers(page);
  await callAs(dashboard, token, `/workspaces/${workspaceId}`, { timezone: 'UTC' }, 'PATCH');
  assert.deepEqual(errors, []);
  await close();
});

test('an unconfirmed email is settled by two buttons; a failed issue, an erased request and a used quota say why', async () => {
  const id = await sent('Perhaps', 'perhaps@example.com');
  await inState(id, 'delivered');
  const { page, errors, close } = await dashboard.openSignedIn('/outbox');
  const go = (path: string) => page.goto(`${dashboard.posthorn.url}${path}`);
  const verdict = 'It was handed to the provider, but the answer never came: it may or may not have arrived.';
  const next_step =
    'To decide now: POST /v1/emails/:id/send-again (may arrive twice) or POST /v1/emails/:id/treat-as-sent.';
  const status = 'unconfirmed' as const;
  await changeAnswer<Email>(page, `/v1/emails/${id}`, (it) => ({ ...it, status }));
  await changeAnswer<EmailExplanation>(page, `/v1/emails/${id}/explain`, (it) => ({
    ...it,
    status,
    verdict,
    next_step,
  }));
  await go(`/emails/${id}`);
  await page.getByText(verdict).waitFor();
  await page.getByText('To decide now: “Send again” (may arrive twice) or “Treat as sent”.').waitFor();
  const asked: string[] = [];
  await page.route(/send-again|treat-as-sent/, (route) => {
    asked.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    return route.fulfill({ json: { success: true } });
  });
  await page.getByRole('button', { name: 'Treat as sent' }).click();
  await page.getByText('It counts as sent.').waitFor();
  await page.getByRole('button', { name: 'Send again, it may arrive twice' }).click();
  await page.getByText('It is sent once more.').waitFor();
  assert.deepEqual(asked, [`POST /v1/emails/${id}/treat-as-sent`, `POST /v1/emails/${id}/send-again`]);

  const { id: letters } = await read('/v1/newsletters', { name: 'Never came', slug: 'never-came' });
  const issue = await read(`/v1/newsletters/${letters}/issues`, { subject: 'Never', html_body: '<p>x</p>' });
  const error = 'The sender’s domain is not verified.';
  await changeAnswer<Issue>(page, `/v1/newsletters/${letters}/issues/${issue.id}`, (it) => ({
    ...it,
    status: 'failed',
    error,
  }));
  await go(`/newsletters/${letters}/issues/${issue.id}`);
  await page.getByRole('alert').getByText(error).waitFor();
  await page.getByText('Failed', { exact: true }).first().waitFor();

  const { data: requests } = await read('/v1/requests?limit=1');
  const gone = { erased: true, query: null, request_body: null, response_body: null };
  await changeAnswer<LoggedRequest>(page, `/v1/requests/${requests[0]?.id}`, (it) => ({ ...it, ...gone }));
  await go(`/requests/${requests[0]?.id}`);
  await page.getByText('This request named a person who was erased. Its path, query and bodies are removed.').waitFor();
  await page.getByText('It had no body.').first().waitFor();

  const usage = { emails_per_month: 500, used: 512, remaining: 0, resets_at: inAnHour() };
  await changeAnswer<WorkspaceUsage>(page, '/workspaces/*/usage', () => usage);
  await go('/settings');
  await page
    .getByText(/^The quota is used up: sends are refused with 403, and issues wait\. It is 500 again in/)
    .waitFor();
  await page.getByText(/^512 of 500 recipients this month/).waitFor();
  await trueAnswers(page);
  assert.deepEqual(errors, []);
  await close();
});
