/**
 * Domains and the relay in a real browser, with a real DNS server (Knot) and a real SMTP client. States that no DNS
 * server gives by itself are answers put in the place of the API's.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { deliverMail, wire } from '../../../server/test/harness/deliver-mail.ts';
import { isKnotThere, type Knot, needsKnot, startKnot } from '../../../server/test/harness/knot.ts';
import { freePort } from '../../../server/test/harness/posthorn-process.ts';
import { relayClient } from '../../../server/test/harness/relay-client.ts';
import { axeFaults } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { answerBimi, answerDomain, asSelfHosted, BIMI_FAULTS, LOGO } from '../harness/domain-answers.ts';
import { Keyboard } from '../harness/keyboard.ts';
import { aMember } from '../harness/people.ts';
import { byHand, faultsOfRole } from '../harness/roles.ts';

type Watched = Awaited<ReturnType<RunningDashboard['openSignedIn']>>;
type Page = Watched['page'];

interface DnsName {
  purpose: string;
  name: string;
  value: string;
}

interface Answered {
  id: string;
  key: string;
  jobId: string;
  data: { id: string; dkim_status: string; dns_records: DnsName[] };
}

let knot: Knot;
let dashboard: RunningDashboard;
let relayPort: number;
let mailPort: number;
before(async () => {
  if (!isKnotThere()) return;
  [knot, relayPort, mailPort] = await Promise.all([startKnot(), freePort(), freePort()]);
  dashboard = await startDashboard({
    env: {
      POSTHORN_DNS_SERVERS: knot.server,
      POSTHORN_SMTP_RELAY_PORT: String(relayPort),
      POSTHORN_INBOUND_SMTP_PORT: String(mailPort),
    },
  });
});
after(async () => {
  await dashboard?.stop();
  await knot?.stop();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const call = async (path: string, body?: unknown): Promise<Answered> =>
  (await dashboard.posthorn.fetch(path, body === undefined ? {} : { body })).body as Answered;

/** In both colours, as the page is now. */
async function axeInBoth(page: Page): Promise<string[]> {
  const faults = await axeFaults(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset['mantineColorScheme'] === 'dark');
  faults.push(...(await axeFaults(page)));
  await page.emulateMedia({ colorScheme: 'light' });
  return faults;
}

/** A refused form is noted by the browser in the console. */
const unexpected = (errors: readonly string[]) => errors.filter((error) => !/status of 4/.test(error));

const SENT = { from: 'hello@xn--kche-0ra.test', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };

/** The page of the first test, for the last: between two checks of a domain lie ten seconds. */
let first: { watched: Watched; id: string; dkim: DnsName; spf: DnsName };

test('a domain is added by keyboard, and its wrong records are shown with the difference and the evidence', async (t) => {
  if (!needsKnot(t)) return;
  const watched = await dashboard.openSignedIn('/domains');
  const { page } = watched;
  await page.getByRole('heading', { name: 'Send from a domain of your own' }).waitFor();
  assert.deepEqual(await axeInBoth(page), []);
  const keyboard = new Keyboard(page);
  await keyboard.tabTo('button "Add a domain"');
  await keyboard.press('Enter');
  await keyboard.isOn('textbox "Domain"');
  await keyboard.type('co.uk');
  await keyboard.press('Enter');
  await page.getByText(/co\.uk is a public suffix/).waitFor();
  await keyboard.isOn('textbox "Domain"');
  await keyboard.replace('Küche.test');
  await keyboard.press('Enter');
  await heading(page, 'xn--kche-0ra.test').waitFor();

  const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
  const { dns_records: records } = (await call(`/v1/domains/${id}`)).data;
  const recordOf = (purpose: string) => records.find((one) => one.purpose === purpose) ?? assert.fail(purpose);
  const [dkim, spf] = [recordOf('dkim'), recordOf('spf')];
  await knot.setText(dkim.name, [dkim.value.slice(0, 255)]);
  await knot.setText(spf.name, ['v=spf1 include:_spf.google.com ~all']);
  await knot.set(spf.name, 'MX', ['1 aspmx.l.google.com.']);
  await page.getByRole('button', { name: 'Check now' }).click();
  const table = page.getByRole('table', { name: /^DNS records/ });
  await table.getByText(/The key looks truncated/).waitFor();
  assert.equal(await table.locator('ins', { hasText: 'include:amazonses.com' }).count(), 1);
  await table.getByText(/Do not replace that: mail to your people would be lost/).waitFor();
  assert.match((await page.getByRole('button', { name: 'Check now' }).getAttribute('aria-disabled')) ?? '', /true/);
  await page.getByText(/^Checked .*, next in 1[45]/).waitFor();
  await page.getByText('The last check did not find out where').waitFor();
  assert.deepEqual(await axeInBoth(page), []);
  await page.setViewportSize({ width: 360, height: 800 });
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth), false);

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.getByRole('tab', { name: 'Checks' }).click();
  await page.getByRole('link', { name: 'Not right' }).click();
  const evidence = page.getByRole('dialog').getByRole('table', { name: `Answers for TXT ${dkim.name}` });
  assert.match(await evidence.innerText(), new RegExp(`${knot.server}[^]*p=[^]*5 min`));
  await page.keyboard.press('Escape');
  await page.getByRole('tab', { name: 'Limits' }).click();
  await page.getByRole('textbox', { name: 'Each day' }).fill('ten');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText(/Enter a whole number/).waitFor();
  await page.getByRole('textbox', { name: 'Each day' }).fill('1,000');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('0 of 1,000').waitFor();
  await page.getByText('0, no limit').waitFor();
  assert.deepEqual(await axeInBoth(page), []);
  await page.getByRole('tab', { name: 'DNS records' }).click();
  first = { watched, id, dkim, spf };
});

test('doubt, several records and faults of a logo are told with what to do', async (t) => {
  if (!needsKnot(t)) return;
  const { data } = await call('/v1/domains', { domain: 'states.test' });
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/keys');
  await answerDomain(
    page,
    data.id,
    { dkim_status: 'temporary_failure', failure_reason: '192.0.2.53 answers SERVFAIL.', bimi_enabled: true },
    ({ purpose }) => {
      if (purpose === 'dkim') return { status: 'temporary_failure', hint: '192.0.2.53 answers SERVFAIL.' };
      if (purpose === 'spf')
        return { status: 'duplicate', found_value: 'v=spf1 a -all\nv=spf1 mx -all', hint: 'There are 2 SPF records.' };
      return purpose === 'dmarc' ? { status: 'mismatch', found_value: 'v=DMARC1; p=nothing' } : {};
    },
  );
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search and commands' }).fill('states');
  await page.getByText('states.test').click();
  await page.getByText(/SERVFAIL\. This is no failure/).waitFor();
  await page.getByText('takes the place of all of yours').waitFor();
  assert.equal(await page.locator('del', { hasText: 'thing' }).count(), 1);
  assert.deepEqual(await axeInBoth(page), []);

  await page.unrouteAll({ behavior: 'wait' }); // its answers under way come first
  await page.getByRole('tab', { name: 'Logo' }).click();
  await page.getByRole('textbox', { name: 'Address of the logo' }).fill('http://kitchen.example/logo.svg');
  await page.getByRole('textbox', { name: 'Address of the certificate' }).fill('https://kitchen.example/mark.pem');
  await page.getByRole('textbox', { name: /^Path of the logo/ }).fill('logos/kitchen.svg');
  await page.getByRole('button', { name: 'Turn the logo on' }).click();
  await page.getByText('It must begin with https://').waitFor();
  await page.getByRole('textbox', { name: 'Address of the logo' }).fill('https://kitchen.example/logo.svg');
  await page.getByRole('button', { name: 'Turn the logo on' }).click();
  await answerBimi(page, BIMI_FAULTS, LOGO);
  await page.getByRole('button', { name: 'Check the logo' }).click();
  await page.getByText('4 things to mend.').waitFor();
  await page.getByText('Publish p=quarantine or p=reject.').waitFor();
  await page.getByText('Checked just now').waitFor();
  assert.equal(await page.locator(`img[src="${LOGO}"]`).count(), 2);
  assert.deepEqual(await axeInBoth(page), []);
  await page.getByRole('button', { name: 'Turn the logo off' }).click();
  await page.getByRole('button', { name: 'Turn off', exact: true }).click();
  await page.getByRole('button', { name: 'Turn the logo on' }).waitFor();
  assert.deepEqual([unexpected(errors), strangers], [[], []]);

  await asSelfHosted('/domains')(page);
  assert.equal(await page.getByRole('button', { name: 'Add a domain' }).count(), 0);
  assert.deepEqual(await axeFaults(page), []);
  await close();
});

test('the page of the relay ticks when a program has signed in, and shows why another was refused', async (t) => {
  if (!needsKnot(t)) return;
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/relay');
  await page.getByText('No program has signed in during the last seven days').waitFor();
  await page.getByText(`${relayPort} with STARTTLS`).waitFor();
  await page.getByRole('tab', { name: 'Nodemailer' }).click();
  await page.getByText(`port: ${relayPort},`).waitFor();
  assert.deepEqual(await axeInBoth(page), []);

  const { key } = await call('/v1/api-keys', { name: 'WordPress', scopes: ['emails:send'] });
  const message =
    'From: a@posthorn.test\r\nTo: ada@example.com\r\nSubject: By relay\r\nMessage-ID: <1@a.test>\r\n\r\nHi\r\n';
  const program = await relayClient(relayPort, key);
  await page.getByText('A program has signed in, and has sent nothing yet').waitFor();
  assert.match(await program.send(message), /^250 /);
  await page.getByText('A program has signed in, and its message was accepted').waitFor();
  assert.match(await program.send(message, ['ada@example.com'], 'a@nowhere.example'), /^550 /);
  program.socket.destroy();

  await page.getByRole('tab', { name: 'Sessions' }).click();
  await page.getByRole('combobox', { name: 'Outcome' }).click();
  await page.getByRole('option', { name: 'Refused' }).click();
  assert.equal(new URL(page.url()).searchParams.get('outcome'), 'refused');
  await page.getByRole('link', { name: 'WordPress' }).click();
  await page.getByRole('dialog').getByText('MAIL: 550 5.7.1').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  await page.getByRole('dialog').getByRole('link', { name: 'Open the domains' }).click();
  await heading(page, 'Domains').waitFor();

  await page.goto(`${dashboard.posthorn.url}/emails/new`);
  await page.getByRole('textbox', { name: 'From' }).fill('me@nowhere.example');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('link', { name: 'Add the domain' }).waitFor();
  assert.deepEqual([unexpected(errors), strangers], [[], []]);
  await close();
});

test('the domain is verified while somebody looks at it, and sends', async (t) => {
  if (!needsKnot(t)) return;
  const {
    watched: { page },
    id,
    dkim,
    spf,
  } = first;
  // As the page says it is to be published. A check that somebody else asks for is seen on the page that is open.
  await knot.setText(dkim.name, [dkim.value]);
  const merged = (await call(`/v1/domains/${id}`)).data.dns_records.find(({ purpose }) => purpose === 'spf')?.value;
  await knot.setText(spf.name, [merged ?? '']);
  await page.waitForFunction(() =>
    [...document.querySelectorAll('button')].some(
      (button) => button.textContent === 'Check now' && button.getAttribute('aria-disabled') === null,
    ),
  );
  const checked = await dashboard.posthorn.fetch(`/v1/domains/${id}/verify`, { method: 'POST' });
  assert.equal((checked.body as Answered).data.dkim_status, 'verified');
  await page.getByText('You can send from every address at xn--kche-0ra.test.').waitFor();
  const sample = page.getByRole('link', { name: 'Send a test email' });
  assert.equal(await sample.getAttribute('href'), '/emails/new?from=hello%40xn--kche-0ra.test');

  assert.ok((await call('/v1/send', SENT)).jobId);
});

test('mail arrives while somebody waits for it, and is answered', async (t) => {
  if (!needsKnot(t)) return;
  const { page } = first.watched;
  await page.getByRole('tab', { name: 'Receiving' }).click();
  await page.getByRole('button', { name: 'Receive mail' }).click();
  await page.getByText('Waiting for your first mail.').waitFor();
  assert.deepEqual(await axeFaults(page), []);
  const question = 'From: Ada <ada@example.com>\nMessage-ID: <1@example.com>\nSubject: A question\n\nWhen?\n';
  assert.match(await deliverMail(mailPort, { to: 'hello@xn--kche-0ra.test' }, wire(question)), /^250 /);
  await page.getByText('Mail arrives.').waitFor();
  await page.getByRole('link', { name: 'Open received mail' }).click();
  await page.getByRole('link', { name: 'Ada' }).click();
  await heading(page, 'A question').waitFor();
  assert.deepEqual(await axeInBoth(page), []);
  await page.getByRole('button', { name: 'Reply' }).click();
  await page.getByRole('dialog').getByText('When?').waitFor();
  await page.getByRole('textbox', { name: 'Text' }).fill('On Friday.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await page.getByRole('tab', { name: 'Conversation' }).click();
  await page.getByRole('list', { name: 'Conversation' }).getByText('On Friday.').waitFor();
  await page.getByRole('link', { name: 'See what becomes of it' }).click();
  await heading(page, 'Re: A question').waitFor();
});

test('a viewer sees domains, logo, relay and mail, and why nothing of it is theirs to change; so says the server', async (t) => {
  if (!needsKnot(t)) return;
  const { id } = first;
  const forward = await dashboard.posthorn.fetch(`/v1/domains/${id}/webhook`, {
    method: 'PATCH',
    body: { webhookUrl: 'https://93.184.216.34/forward' },
  });
  const { webhook_secret: secret } = (forward.body as { data: { webhook_secret: string } }).data; // our own API
  const viewer = await dashboard.openSignedIn(`/domains/${id}`, {}, await aMember(dashboard, 'viewer'));
  const { page } = viewer;
  const faults: string[] = [];
  await heading(page, 'xn--kche-0ra.test').waitFor();
  await page.getByRole('table', { name: /^DNS records/ }).waitFor();
  faults.push(...(await faultsOfRole(page, 'viewer', ['Check now', 'Delete'])));
  for (const [tab, action] of [
    ['Limits', 'Save'],
    ['Logo', 'Turn the logo on'],
    ['Receiving', 'Receive no more mail'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click();
    await page.getByRole('button', { name: action }).first().waitFor();
    faults.push(...(await faultsOfRole(page, 'viewer', [action])));
    assert.equal((await page.content()).includes(secret.slice(8, -4)), false);
  }
  await page.getByRole('link', { name: 'SMTP relay' }).click();
  await heading(page, 'SMTP relay').waitFor();
  faults.push(...(await faultsOfRole(page, 'viewer', [])));
  await page.getByRole('link', { name: 'Received mail' }).click();
  await page.getByRole('link', { name: 'Ada' }).click();
  await heading(page, 'A question').waitFor();
  faults.push(...(await faultsOfRole(page, 'viewer', ['Reply'])));

  assert.deepEqual(faults, []);

  const before = JSON.stringify(await call(`/v1/domains/${id}`));
  for (const [method, path, body] of [
    ['POST', `/v1/domains/${id}/verify`],
    ['DELETE', `/v1/domains/${id}`],
    ['POST', '/v1/domains', { domain: 'theirs.test' }],
    ['POST', '/v1/api-keys', { name: 'Theirs', scopes: ['emails:send'] }],
    ['POST', '/v1/send', SENT],
  ] as const) {
    const refused = await byHand(page, method, path, body);
    assert.match(refused, /^403 .*role.*viewer/, `${method} ${path}`);
  }
  assert.equal(JSON.stringify(await call(`/v1/domains/${id}`)), before);
  assert.deepEqual([unexpected(viewer.errors), viewer.strangers], [[], []]);
  await viewer.close();
});

test('the domain is deleted by its name', async (t) => {
  if (!needsKnot(t)) return;
  const {
    watched: { page, errors, strangers, close },
    id,
  } = first;
  await page.goto(`${dashboard.posthorn.url}/domains/${id}`);
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Emails from it that wait are refused/).waitFor();
  assert.equal(await dialog.getByRole('button', { name: 'Delete' }).isDisabled(), true);
  await dialog.getByRole('textbox').fill('xn--kche-0ra.test');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await heading(page, 'Domains').waitFor();
  assert.equal((await dashboard.posthorn.fetch(`/v1/domains/${id}`)).status, 404);
  assert.equal((await dashboard.posthorn.fetch('/v1/send', { body: SENT })).status, 422);
  assert.deepEqual([unexpected(errors), strangers], [[], []]);
  await close();
});
