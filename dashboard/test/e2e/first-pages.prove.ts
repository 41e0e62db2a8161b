/**
 * The shell, the suppressions and the API keys in a real browser, against the real server. Every page runs under the
 * Content-Security-Policy of the server: a refusal is an error in the console, and fails the test.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { PHONE } from '../../../server/test/harness/browser.ts';
import { until } from '../../../server/test/harness/until.ts';
import { axeFaults } from '../harness/axe.ts';
import { FIRST_READS } from '../../src/first-page.ts';
import { type Made, type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { holdLaterFiles } from '../harness/held-files.ts';
import { aMember } from '../harness/people.ts';
import { faultsOfRole } from '../harness/roles.ts';
import { readsWell } from '../harness/screen-reader.ts';
import { codeOfApp, turnTwoFactorOn } from '../harness/two-factor.ts';

let dashboard: RunningDashboard;
before(async () => {
  dashboard = await startDashboard();
});
after(() => dashboard?.stop());

test('the sign-in leads back to the page that was asked for, and a refusal is a sentence', async () => {
  const { page, strangers, close } = await dashboard.open('/suppressions?reason=manual');
  await page.getByLabel('Email').fill(dashboard.owner.email);
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password');
  await page.keyboard.press('Enter');
  const refusal = page.getByRole('alert');
  await refusal.waitFor();
  assert.match(await refusal.innerText(), /password.*\n?.*req_/is);
  await readsWell(page, 'heading "Sign in" [level=1]', 'textbox "Email"', 'button "Sign in"');

  await page.getByRole('textbox', { name: 'Password' }).fill(dashboard.owner.password);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();
  assert.equal(new URL(page.url()).search, '?reason=manual');

  // The session is a cookie that no script can read, and it survives a reload.
  assert.equal(await page.evaluate(() => document.cookie), '');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();

  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  assert.deepEqual(strangers, []);
  await close();
});

test('a page begins in the colours that the person chose, before a script runs', async () => {
  const { page, context, close } = await dashboard.openSignedIn('/account', { colorScheme: 'light' });
  const ground = () => page.locator('#first-paint').evaluate((frame) => getComputedStyle(frame).backgroundColor);
  await page.getByRole('radio', { name: 'Dark' }).click();
  await context.route('**/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'domcontentloaded' });
  assert.equal(await ground(), 'rgb(19, 19, 22)');
  await context.clearCookies({ name: 'posthorn_colours' });
  await page.reload({ waitUntil: 'domcontentloaded' });
  assert.equal(await ground(), 'rgb(255, 255, 255)');
  await close();
});

test('a page whose code cannot be loaded, also after its one reload, says so and has a button', async () => {
  const { page, context, close } = await dashboard.open('/keys');
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await context.route('**/*.css', (route) => route.abort());
  await page.reload({ waitUntil: 'domcontentloaded' });
  await page.getByRole('alert').getByText('Posthorn could not be loaded. Reload the page.').waitFor();
  assert.equal(await page.locator('#first-paint').isVisible(), false);
  await context.unroute('**/*.css');
  await page.getByRole('button', { name: 'Reload' }).click();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await close();
});

test('a first page whose session is not answered for eight seconds says that it waits, and opens with the answer', async () => {
  // With options it is a context of its own: the clock belongs to the context.
  const { page, close } = await dashboard.openSignedIn('/keys', {});
  const answer = Promise.withResolvers<void>();
  await page.route('**/auth/me', async (route) => {
    await answer.promise;
    await route.continue();
  });
  // Its clock stands still but for what the test adds, however long the machine takes.
  await page.clock.install({ time: 0 });
  await page.clock.pauseAt(1_000);
  await page.reload({ waitUntil: 'domcontentloaded' });
  const words = page.getByRole('status').filter({ hasText: 'takes longer than usual' });
  await page.clock.runFor(7_500);
  assert.equal(await words.count(), 0);
  await page.clock.runFor(1_000);
  await words.waitFor();
  await page.clock.resume();
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    assert.deepEqual(await axeFaults(page), []);
  }
  answer.resolve();
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  assert.equal(await words.isVisible(), false);
  await close();
});

test('the languages and zones of the browser are read by a worker, which ends', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/keys');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  const begun = page.waitForEvent('worker');
  await page.reload({ waitUntil: 'commit' });
  const worker = await begun;
  assert.match(new URL(worker.url()).pathname, /^\/assets\/first-formatter-/);
  await until('the end of the worker', async () => (page.workers().length === 0 ? true : undefined));
  assert.deepEqual(errors, []);
  await close();
});

test('a key that opens a menu or choices before their code is there is not lost, and neither is the focus', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/suppressions?search=nobody', {});
  let gate = Promise.withResolvers<void>();
  await holdLaterFiles(page, page.url(), () => gate.promise);
  const focused = page.locator(':focus');

  await page.reload();
  const account = page.getByRole('button', { name: /^Account of/ });
  await account.press('Enter');
  await page.locator('[aria-haspopup=menu][aria-expanded=true]').waitFor();
  assert.equal(await page.getByRole('menu').count(), 0);
  gate.resolve();
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Escape');
  await page.getByRole('menu').waitFor({ state: 'detached' });
  await account.and(focused).waitFor();

  gate = Promise.withResolvers<void>();
  await page.reload();
  const reason = page.getByRole('combobox', { name: 'Reason' });
  await reason.press('ArrowDown');
  assert.equal(await page.getByRole('listbox').count(), 0);
  gate.resolve();
  await page.getByRole('option', { name: 'Complaint' }).waitFor();
  await reason.and(focused).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.waitForURL(/reason=/);
  await reason.and(focused).waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('a filter opens when its choices are loaded while the mouse button is pressed', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/suppressions?search=nobody', {});
  const gate = Promise.withResolvers<void>();
  await holdLaterFiles(page, page.url(), () => gate.promise);
  await page.reload();
  const reason = page.getByRole('combobox', { name: 'Reason' });
  await reason.hover();
  const before = await reason.elementHandle();
  await page.mouse.down();
  gate.resolve();
  await before?.waitForElementState('hidden');
  await page.mouse.up();
  await page.getByRole('option', { name: 'Complaint' }).click();
  await page.waitForURL(/reason=complaint/);
  assert.deepEqual(errors, []);
  await close();
});

test('choices whose code cannot be loaded say so when they are asked for', async () => {
  const { page, context, errors, close } = await dashboard.openSignedIn('/keys', {});
  await page.evaluate(() => sessionStorage.setItem('posthorn.reloaded', String(Date.now())));
  await context.route('**/assets/*.js', async (route) => {
    const answer = await route.fetch();
    const isOfChoices = (await answer.text()).includes('Nothing has these letters');
    await (isOfChoices ? route.abort() : route.fulfill({ response: answer }));
  });
  await page.goto(`${dashboard.posthorn.url}/suppressions?search=nobody`);
  const reason = page.getByRole('combobox', { name: 'Reason' });
  await reason.press('ArrowDown');
  await page.getByText('The choices of Reason could not be loaded. Reload the page to try again.').waitFor();
  assert.equal(await page.getByRole('listbox').count(), 0);
  assert.deepEqual(
    errors.filter((line) => !line.includes('net::ERR_FAILED')),
    [],
  );
  await close();
});

test('the choices of a time zone come after the page, and take the focus over with its text chosen', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/suppressions', {});
  const gate = Promise.withResolvers<void>();
  const settings = `${dashboard.posthorn.url}/settings`;
  await holdLaterFiles(page, settings, () => gate.promise);
  await page.goto(settings);
  const zone = page.getByRole('combobox', { name: 'Time zone' });
  await zone.focus();
  assert.deepEqual([await zone.inputValue(), await zone.isEditable()], ['UTC', false]);
  gate.resolve();
  await zone.and(page.locator(':focus:not([readonly])')).waitFor();
  await page.keyboard.type('Kathm');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await until('the chosen zone', async () => ((await zone.inputValue()) === 'Asia/Kathmandu' ? true : undefined));
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('The settings are saved.').waitFor();
  assert.deepEqual(errors, []);
  await close();
});

test('a sign-in with two factors asks for a code, says what is wrong with it, and takes a recovery code once', async () => {
  const { secret, recoveryCodes, turnOff } = await turnTwoFactorOn(dashboard);
  const { page, close } = await dashboard.open('/keys');
  await page.clock.install();
  await dashboard.givePassword(page);
  const field = page.getByRole('textbox', { name: 'Code' });
  await field.waitFor();
  assert.equal(await field.evaluate((input) => input === document.activeElement), true);
  assert.deepEqual(await page.context().cookies(), []);

  // Five minutes without a code lead back to the password, and the address is kept.
  await page.clock.fastForward('05:01');
  await page.getByText('The code was not given in time.').waitFor();
  assert.equal(await page.getByLabel('Email').inputValue(), dashboard.owner.email);
  await dashboard.givePassword(page);

  await field.fill('000000');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
  await field.fill(recoveryCodes[0] ?? '');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await close();

  const again = await dashboard.open('/keys');
  await dashboard.givePassword(again.page);
  await again.page.getByRole('textbox', { name: 'Code' }).fill(recoveryCodes[0] ?? '');
  await again.page.keyboard.press('Enter');
  await again.page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
  await again.page.getByRole('textbox', { name: 'Code' }).fill(codeOfApp(secret, 1));
  await again.page.keyboard.press('Enter');
  await again.page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await again.close();
  await turnOff(recoveryCodes[1] ?? '');
});

test('addresses are suppressed, found, opened by keyboard and allowed again, and an undo puts them back', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/suppressions');
  await page.getByRole('button', { name: 'Suppress addresses' }).first().click();
  await page
    .getByRole('textbox', { name: 'Addresses' })
    .fill('ada@example.com, Bob <bob@example.com>\nada@example.com');
  await page.getByRole('button', { name: 'Suppress 2 addresses' }).click();
  await page.getByRole('link', { name: 'bob@example.com' }).waitFor();

  await page.getByRole('searchbox', { name: 'Search addresses' }).fill('ada@');
  await page.getByRole('link', { name: 'bob@example.com' }).waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).searchParams.get('search'), 'ada@');
  await page.getByRole('heading', { level: 1 }).focus();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const title = page.getByRole('heading', { level: 1, name: 'ada@example.com' });
  await title.waitFor();
  await page.waitForFunction(() => document.activeElement?.matches('[data-page-title]'));

  await page.getByRole('button', { name: 'Allow mail again' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('1 address is suppressed again.').waitFor();
  const kept = await dashboard.posthorn.fetch('/v1/suppressions/ada@example.com');
  assert.equal(kept.status, 200);
  assert.deepEqual([errors, strangers], [[], []]);
  await close();
});

test('a file of addresses is tried, its wrong rows are shown, it is imported, and the list is exported as filtered', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/suppressions');
  await page.getByRole('button', { name: 'Import', exact: true }).click();
  const dialog = page.getByRole('dialog', { name: 'Import suppressions' });
  const lines = ['email,reason', 'from-file@example.com,unsubscribe', 'no address,', 'second-in-file@example.com,'];
  const file = { name: 'others.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await dialog.locator('input[type=file]').setInputFiles(file);
  await dialog.getByRole('row', { name: /3.*address/ }).waitFor();
  assert.deepEqual(await axeFaults(page), []);
  const has = async (email: string) => (await dashboard.posthorn.fetch(`/v1/suppressions/${email}`)).status;
  assert.equal(await has('from-file@example.com'), 404);

  await dialog.getByRole('button', { name: 'Suppress 2 addresses' }).click();
  await dialog.getByText('The import is done: 3 rows, 2 suppressed,').waitFor();
  assert.equal(await has('second-in-file@example.com'), 200);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('link', { name: 'from-file@example.com' }).waitFor();

  await page.getByRole('searchbox', { name: 'Search addresses' }).fill('in-file@');
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export these' }).click(),
  ]);
  assert.equal(saved.suggestedFilename(), 'suppressions.csv');
  const [head, row, ...rest] = (await readFile(await saved.path(), 'utf8')).trim().split('\r\n');
  assert.match(`${head} ${row}`, /^email,reason,.* second-in-file@example\.com,manual,/);
  assert.deepEqual([rest, errors, strangers], [[], [], []]);
  await close();

  const viewer = await dashboard.openSignedIn('/suppressions', {}, await aMember(dashboard, 'viewer'));
  await viewer.page.getByRole('button', { name: 'Import', exact: true }).waitFor();
  assert.deepEqual(await faultsOfRole(viewer.page, 'viewer', ['Import', 'Suppress addresses']), []);
  await viewer.close();
});

test('a page reads on by itself when nothing matches, and then says that there are older records', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/keys');
  await page.route('**/v1/requests?*', (route) => {
    const page = Number(new URL(route.request().url()).searchParams.get('cursor') ?? 0);
    const more = page < 5 ? { has_more: true, next_cursor: String(page + 1) } : { has_more: false, next_cursor: null };
    return route.fulfill({ json: { data: [], limit: 50, ...more } });
  });
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Requests' }).click();
  await page.getByRole('heading', { name: 'None of the newest records match' }).waitFor();
  await page.getByRole('button', { name: 'Look further back' }).click();
  await page.waitForURL('**/requests?after=5');
  await page.getByRole('heading', { name: 'None of the newest records match' }).waitFor({ state: 'detached' });
  assert.deepEqual(errors, []);
  await close();
});

test('a key is made, shown once, works as the page says, and is revoked by its name', async () => {
  const { page, errors, strangers, close } = await dashboard.openSignedIn('/keys/new');
  await page.getByRole('textbox', { name: 'Networks' }).fill('not a network');
  await page.getByRole('textbox', { name: 'Name' }).fill('Proof');
  await page.getByRole('button', { name: 'Create API key' }).click();
  await page.getByText(/Entry 1 must be an IP address/).waitFor();
  await page.getByRole('textbox', { name: 'Networks' }).fill('127.0.0.1');

  // While the answer is awaited, the button keeps the focus, and nothing is sent again.
  const answer = Promise.withResolvers<void>();
  let requests = 0;
  await page.route('**/v1/api-keys', async (route) => {
    requests += 1;
    await answer.promise;
    await route.continue();
  });
  const create = page.getByRole('button', { name: 'Create API key' });
  await create.press('Enter');
  await page.locator('button[data-loading][aria-disabled=true]:focus').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Networks' }).press('Enter');
  answer.resolve();

  await page.getByRole('heading', { level: 1, name: 'Proof is ready' }).waitFor();
  assert.equal(requests, 1);
  const commands = await page.locator('pre').innerText();
  assert.match(execFileSync('sh', ['-c', commands.replace('curl ', 'curl -sS ')], { encoding: 'utf8' }), /"data":\[/);
  const key = await page.locator('[data-secret]').innerText();
  await page.getByRole('button', { name: 'I have copied it' }).click();
  await page.getByRole('heading', { level: 1, name: 'Proof', exact: true }).waitFor();
  assert.equal((await page.content()).includes(key), false);

  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  assert.equal(await dialog.getByRole('button', { name: 'Revoke' }).isDisabled(), true);
  await dialog.getByRole('textbox').fill('Proof');
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await page.getByText('Proof is revoked.').waitFor();
  const refused = await dashboard.posthorn.fetch('/v1/emails', { headers: { authorization: `Bearer ${key}` } });
  assert.equal(refused.status, 401);
  // The refused form is the one error: browsers note it in the console.
  assert.deepEqual(
    errors.filter((error) => !error.includes('status of 4')),
    [],
  );
  assert.deepEqual(strangers, []);
  await close();
});

test('the palette opens by keyboard and leads to a page', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/keys');
  await page.getByRole('heading', { level: 1, name: 'API keys' }).waitFor();
  await page.keyboard.press('Control+k');
  await page.getByRole('textbox', { name: 'Search and commands' }).fill('suppr');
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.pathname === '/suppressions');
  assert.deepEqual(errors, []);
  await close();
});

test('without a connection each page says so, and reads everything again when it is back', async () => {
  const { page, context, errors, close } = await dashboard.openSignedIn('/');
  const list = await context.newPage();
  await list.goto(`${dashboard.posthorn.url}/suppressions`);
  const delivered = page.getByText('Delivered', { exact: true }).first().locator('xpath=..');
  const row = list.getByRole('link', { name: 'offline@example.com' });
  const shown = async (): Promise<string | undefined> => /\d+/.exec(await delivered.innerText())?.[0];
  // Invitations of the tests before have been delivered.
  const earlier = await until('the number of delivered emails', shown);
  await list.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();

  // At once: some parts of the pages are not loaded yet.
  await context.setOffline(true);
  const notices = [page, list].map((one) =>
    one.getByRole('status').filter({ hasText: 'There is no connection to the server.' }),
  );
  await Promise.all(notices.map((notice) => notice.waitFor()));
  assert.deepEqual(await axeFaults(page), []);
  await dashboard.posthorn.fetch('/v1/suppressions', { body: { email: 'offline@example.com' } });
  const body = { from: 'hello@posthorn.test', to: 'ada@simulator.posthorn.test', subject: 'Meanwhile', text: 'Hello' };
  const sent = (await dashboard.posthorn.fetch('/v1/send', { body })).body as { emails: { id: string }[] }; // our own API
  await until('the delivery', async () => {
    const { status } = (await dashboard.posthorn.fetch(`/v1/emails/${sent.emails[0]?.id}`)).body as { status: string };
    return status === 'delivered' ? true : undefined;
  });
  assert.equal(await shown(), earlier);
  // A page whose files are not here yet has its name in the side bar, and the page before below it.
  await list.getByRole('link', { name: 'Templates', exact: true }).click();
  await notices[1]?.filter({ hasText: 'Templates opens when the connection is back.' }).waitFor();
  await list.getByRole('heading', { level: 1, name: 'Suppressions' }).waitFor();

  await context.setOffline(false);
  await list.getByRole('heading', { level: 1, name: 'Templates' }).waitFor();
  await list.goBack();
  const isOneMore = async () => ((await shown()) === String(Number(earlier) + 1) ? true : undefined);
  await Promise.all([until('one delivered email more', isOneMore), row.waitFor()]);
  await Promise.all(notices.map((notice) => notice.waitFor({ state: 'detached' })));
  assert.deepEqual(
    errors.filter((text) => !/ERR_INTERNET_DISCONNECTED/.test(text)),
    [],
  );
  await close();
});

test('a page asks for its first records beside the session, and once, and its head names the file of its open tab', async () => {
  const { call } = dashboard;
  const newsletter = await call<Made>('/v1/newsletters', {
    name: 'First',
    slug: 'first',
    from_email: 'news@posthorn.test',
  });
  const issue = await call<Made>(`/v1/newsletters/${newsletter.id}/issues`, { subject: 'One', html_body: '<p>1</p>' });
  const list = await call<Made>('/v1/lists', { name: 'First' });
  const webhook = await call<Made>('/v1/webhooks', { url: 'https://93.184.216.34/', events: ['*'], enabled: false });
  const { page, errors, close } = await dashboard.openSignedIn('/keys', {});
  const ids = (text: string): string =>
    text
      .replace('/newsletters/:id/issues/:id', `/newsletters/${newsletter.id}/issues/${issue.id}`)
      .replace(':id', text.startsWith('/lists') ? list.id : text.startsWith('/webhooks') ? webhook.id : newsletter.id);
  let answer = Promise.withResolvers<void>();
  await page.route('**/auth/me', async (route) => {
    await answer.promise;
    await route.continue();
  });
  const asked: string[] = [];
  const scripts: string[] = [];
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url());
    if (request.resourceType() === 'fetch') asked.push(`${pathname}${search}`);
    if (pathname.endsWith('.js')) scripts.push(pathname);
  });
  for (const [pattern, ...reads] of FIRST_READS) {
    const address = ids(pattern);
    const [first = '', second = ''] = address.match(/[0-9a-f-]{36}/g) ?? [];
    const workspace = String(await page.evaluate(() => sessionStorage.getItem('posthorn.workspace')));
    const wanted = reads.map((read) =>
      read.replaceAll('$1', first).replaceAll('$2', second).replace(':workspace', workspace),
    );
    answer = Promise.withResolvers<void>();
    // The page before asks for its dialogs a while after it is shown, and is gone then.
    await page.goto('about:blank');
    asked.length = scripts.length = 0;
    await page.goto(`${dashboard.posthorn.url}${address}`, { waitUntil: 'commit' });
    const html = await (await page.request.get(page.url(), { headers: { accept: 'text/html' } })).text();
    await until(`the questions of ${address}`, async () =>
      wanted.every((one) => asked.includes(one)) ? true : undefined,
    );
    answer.resolve();
    await page.locator('main h1:not(:text("Loading"))').waitFor();
    await page.getByRole('main').locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
    const counts = wanted.map((one) => asked.filter((other) => other === one).length);
    assert.deepEqual(
      counts,
      wanted.map(() => 1),
      address,
    );
    const late = scripts.filter((script) => !html.includes(script) && !script.includes('first-formatter'));
    if (pattern.includes('?tab=')) assert.deepEqual(late, [], address);
  }
  assert.deepEqual(errors, []);
  await close();
});

test('a page loads the small part of the font, and the rest of it where a text has a letter of it', async () => {
  const { page, close } = await dashboard.open('/sign-in');
  // By name: the page that is opened first may still ask for its font when the second asks again.
  const fonts = new Set<string>();
  page.on('request', (request) => request.resourceType() === 'font' && fonts.add(request.url()));
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Sign in' }).waitFor();
  await page.evaluate(async () => (await document.fonts.ready).size);
  assert.equal(fonts.size, 1);
  await page.getByLabel('Email').fill('zoë@example.com');
  await until('the rest of the font', async () => (fonts.size === 2 ? true : undefined), { patienceMs: 10_000 });
  await close();
});

test('the Overview that is come back to is at the place where it was left', async () => {
  const { page, errors, close } = await dashboard.openSignedIn('/?steps=1', { viewport: { ...PHONE, height: 480 } });
  await page.getByText('Emails by day, as a table').scrollIntoViewIfNeeded();
  const placeOf = async () => Math.round(await page.evaluate(() => window.scrollY));
  await page.locator('figure svg').waitFor(); // nothing above it comes later
  const left = await placeOf();
  assert.ok(left > 400, String(left));
  await page.evaluate(() => document.querySelector<HTMLElement>('a[href="/emails"], a[href^="/emails?"]')?.click());
  await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
  await page.goBack();
  await page.getByText('Emails by day, as a table').waitFor();
  await until('the place', async () => (Math.abs((await placeOf()) - left) < 100 ? true : undefined), {
    patienceMs: 5_000,
  });
  assert.deepEqual(errors, []);
  await close();
});

test('a chart is loaded and drawn when its place comes near the window', async () => {
  const body = { from: 'Posthorn <hello@posthorn.test>', to: ['ada@example.com'], subject: 'Hello', text: 'Hello' };
  assert.equal((await dashboard.posthorn.fetch('/v1/send', { method: 'POST', body })).status, 202);
  const { page, errors, close } = await dashboard.openSignedIn('/?steps=1', { viewport: { ...PHONE, height: 480 } });
  await page
    .getByRole('link', { name: /^Sent: [1-9]/ })
    .first()
    .waitFor();
  const chart = page.locator('figure svg');
  // A page that is idle draws what it has.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)));
  assert.equal(await chart.count(), 0);
  await page.getByText('Emails by day, as a table').scrollIntoViewIfNeeded();
  await chart.waitFor();
  assert.deepEqual(errors, []);
  await close();
});
