/**
 * The Outbox and the emails in a real browser, against the real server with captured mail. Every page runs under the
 * Content-Security-Policy of the server, and is looked at with axe.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { DESKTOP, PHONE } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';

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
  await page.getByRole('tab', { name: 'Overview' }).click();

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
  const choose = async (field: string, name: string) => {
    await page.getByRole('combobox', { name: field }).click();
    await page.getByRole('option', { name, exact: true }).click();
  };
  await page.getByRole('button', { name: 'More' }).click();
  await choose('Newsletter', 'Lighthouse letters');
  await choose('Issue', 'Ships of May');
  await page.getByRole('combobox', { name: 'Template' }).fill('of ships');
  await page.getByRole('option', { name: 'Other text' }).waitFor({ state: 'detached' });
  await page.getByRole('option', { name: 'Receipt of ships' }).click();
  await choose('Domain', 'posthorn.test');
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
  await page
    .getByText(/The receiving server returned it|bounced/i)
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Suppressions' }).click();
  await page.getByRole('link', { name: 'frank@example.com' }).waitFor({ timeout: 5_000 });
  assert.deepEqual(errors, []);
  await close();
});
