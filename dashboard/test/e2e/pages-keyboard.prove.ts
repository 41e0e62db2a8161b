/**
 * Webhooks, API keys, members, the account and chosen rows without a mouse. At each stop the focus can be seen
 * (`harness/keyboard.ts`), and after each dialog it is back at what opened it.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { until } from '../../../server/test/harness/until.ts';
import { type List, type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { Keyboard } from '../harness/keyboard.ts';
import { aMember, asOwner, callAs, mailedLink } from '../harness/people.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { codeOfApp } from '../harness/two-factor.ts';

let dashboard: RunningDashboard;
let receiver: Receiver;
let seen: Awaited<ReturnType<RunningDashboard['openSignedIn']>>;
let keys: Keyboard;
before(async () => {
  [dashboard, receiver] = await Promise.all([startDashboard(), startReceiver()]);
  seen = await dashboard.openSignedIn('/');
  keys = new Keyboard(seen.page);
});
after(async () => {
  await dashboard?.stop();
  await receiver?.close();
});

const secret = () => seen.page.locator('[data-secret]').innerText();

/** Ctrl+K, the name of a page, Enter. */
async function command(words: string): Promise<void> {
  await keys.press('Control+k');
  await keys.isOn(/^(textbox|searchbox|combobox) "Search and commands"/);
  await keys.type(words);
  await seen.page.getByRole('dialog').getByText(words, { exact: true }).first().waitFor();
  await keys.press('Enter');
  await keys.isOn(`heading "${words}"`);
}

/** Asks for the dialog of a rotation, leaves it by Escape, and asks again: the old secret ends after an hour. */
async function rotate(dialog: string): Promise<void> {
  const asked = seen.page.getByRole('dialog', { name: dialog });
  await keys.tabTo('button "Rotate"');
  await keys.press('Enter');
  await asked.waitFor();
  await keys.press('Escape');
  await asked.waitFor({ state: 'detached' });
  await keys.isOn('button "Rotate"');
  await keys.press('Enter');
  await asked.waitFor();
  await keys.tabTo('radio "After a day"');
  await keys.press('ArrowUp');
  await keys.isOn('radio "After an hour"');
  await keys.tabTo('button "Rotate"');
  await keys.press('Enter');
}

test('an endpoint is added, tested and given a new secret by keyboard', async () => {
  const { page } = seen;
  await command('Webhooks');
  await keys.tabTo('link "Add endpoint"');
  await keys.press('Enter');
  await keys.isOn('heading "New endpoint"');
  await keys.tabTo('textbox "URL"');
  await keys.type(receiver.url);
  await keys.tabTo('checkbox "complaint"');
  await keys.press('Space');
  await keys.tabTo('button "Add endpoint"');
  await keys.press('Enter');
  await keys.isOn('heading "The endpoint is ready"');
  const first = await secret();
  const [made] = await dashboard.call<{ id: string; events: string[] }[]>('/v1/webhooks');
  assert.deepEqual(made?.events.toSorted(), ['bounce', 'delivery']);
  await keys.tabTo('button "Open the endpoint"');
  await keys.press('Enter');
  await keys.isOn(`heading "${receiver.url}"`);

  await keys.tabTo('button "Send a test"');
  await keys.press('Enter');
  await keys.isOn('button "Send"');
  await keys.press('Enter');
  await page.getByText('The endpoint answered 200').waitFor();
  assert.equal(receiver.received.length, 1);
  await keys.isOn('button "Send again"');
  await keys.press('Escape');
  await keys.isOn('button "Send a test"');

  await rotate('Rotate the secret');
  await keys.isOn('heading "The secret is rotated"');
  const second = await secret();
  assert.notEqual(second, first);
  const { secret: current } = await dashboard.call<{ secret: string }>(`/v1/webhooks/${made?.id}`);
  assert.equal(current, second);
  await keys.tabTo('button "Open the endpoint"');
  await keys.press('Enter');
  await page.getByText(/The secret before it signs too, and ends/).waitFor();
  await keys.isOn(`heading "${receiver.url}"`);
});

test('a key is created with chosen scopes, rotated and revoked by keyboard', async () => {
  const { page } = seen;
  const answerTo = async (key: string, path: string) =>
    (await fetch(`${dashboard.posthorn.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).status;
  await command('API keys');
  await keys.tabTo('link "Create API key"');
  await keys.press('Enter');
  await keys.isOn('heading "New API key"');
  await keys.tabTo('textbox "Name"');
  await keys.type('By keys');
  await keys.tabTo('checkbox "Emails: read"');
  await keys.press('Space');
  await keys.tabTo('checkbox "Domains: read"');
  await keys.press('Space');
  await keys.tabTo('button "Create API key"');
  await keys.press('Enter');
  await keys.isOn('heading "By keys is ready"');
  const first = await secret();
  assert.deepEqual([await answerTo(first, '/v1/domains'), await answerTo(first, '/v1/emails')], [200, 403]);
  await keys.tabTo('button "I have copied it"');
  await keys.press('Enter');
  await keys.isOn('heading "By keys"');
  const before = page.url();

  await rotate('Rotate By keys');
  await keys.isOn('heading "By keys is ready"');
  const second = await secret();
  assert.notEqual(second, first);
  assert.deepEqual([await answerTo(first, '/v1/domains'), await answerTo(second, '/v1/domains')], [200, 200]);
  await keys.tabTo('button "I have copied it"');
  await keys.press('Enter');
  await page.waitForURL((url) => url.href !== before);
  await keys.isOn('heading "By keys"');

  await keys.tabTo('button "Revoke"');
  await keys.press('Enter');
  await keys.isOn('textbox "Type By keys');
  await keys.press('Escape');
  await keys.isOn('button "Revoke"');
  assert.equal(await answerTo(second, '/v1/domains'), 200);
  await keys.press('Enter');
  await keys.isOn('textbox "Type By keys');
  await keys.type('By keys');
  await keys.tabTo('button "Revoke"');
  await keys.press('Enter');
  await page.getByText('Revoked', { exact: true }).first().waitFor();
  await keys.isOn(/./);
  await until('the end of the key', async () => ((await answerTo(second, '/v1/domains')) === 401 ? true : undefined));
});

test('a member is invited, given another role and removed by keyboard', async () => {
  const { page } = seen;
  const { token, workspaceId } = await asOwner(dashboard);
  const roles = async () => {
    const { data } = await callAs(dashboard, token, `/workspaces/${workspaceId}/members`);
    return (data as { email: string; role: string }[]).map(({ email, role }) => `${email} ${role}`); // our own API
  };
  const { email } = await aMember(dashboard, 'editor', { email: 'mia@example.com', name: 'Mia' });
  await command('Members');
  await keys.tabTo('button "Invite somebody"');
  await keys.press('Enter');
  await keys.isOn('textbox "Address"');
  await keys.press('Escape');
  await keys.isOn('button "Invite somebody"');
  await keys.press('Enter');
  await keys.isOn('textbox "Address"');
  await keys.type('grace@example.com');
  await keys.tabTo(/^radio "Editor/);
  await keys.press('ArrowDown');
  await keys.isOn(/^radio "Viewer/);
  await keys.tabTo('button "Send the invitation"');
  await keys.press('Enter');
  await page.getByText('grace@example.com is invited as viewer.').waitFor();
  await keys.isOn('button "Invite somebody"');
  assert.match(await mailedLink(dashboard, 'grace@example.com', 'accept-invite'), /token=/);

  const dialog = page.getByRole('dialog', { name: 'Member' });
  await keys.tabTo('link "Mia');
  await keys.press('Enter');
  await dialog.getByRole('radio', { name: 'Editor' }).waitFor();
  await keys.tabTo('radio "Editor"');
  await keys.press('ArrowDown');
  await keys.isOn('radio "Viewer"');
  await keys.tabTo('button "Change role"');
  await keys.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await keys.isOn('link "Mia');
  assert.ok((await roles()).includes(`${email} viewer`));

  await keys.press('Enter');
  await dialog.getByRole('radio', { name: 'Viewer' }).waitFor();
  await keys.tabTo('button "Remove"');
  await keys.press('Enter');
  // The key that asked cannot answer as well.
  await keys.isOn('button "Back"');
  await keys.press('Enter');
  await dialog.getByRole('radio', { name: 'Viewer' }).waitFor();
  await keys.isOn(/^button/);
  assert.ok((await roles()).includes(`${email} viewer`));
  await keys.tabTo('button "Remove"');
  await keys.press('Enter');
  await keys.isOn('button "Back"');
  await keys.tabTo('button "Remove"', { back: true });
  await keys.press('Enter');
  await page.getByText('Mia is removed.').waitFor();
  assert.ok(!(await roles()).join().includes(email));
  // The row is gone: the focus is in its place, and not lost.
  await keys.isOn(/^(link|heading)/);
});

test('rows are chosen by keys, and the action is taken on exactly these', async () => {
  const { page } = seen;
  const chosen = (words: string) => page.getByRole('toolbar', { name: 'Selected rows' }).getByText(words).waitFor();
  for (const name of ['ada', 'bob', 'cy']) await dashboard.call('/v1/suppressions', { email: `${name}@example.com` });
  await command('Suppressions');
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor();
  await keys.tabTo('checkbox "Select all rows of this page"');
  await keys.press('Space');
  await chosen('3 selected');
  await keys.press('Escape');
  await page.getByRole('toolbar').waitFor({ state: 'detached' });
  await keys.press('j');
  await keys.isOn('link "cy@example.com"');
  await keys.press('x', 'j', 'j', 'x');
  await keys.isOn('link "ada@example.com"');
  await chosen('2 selected');
  await keys.tabTo('button "Allow mail again"');
  await keys.press('Enter');
  await page.getByText('2 addresses may get mail again.').waitFor();
  await page.getByRole('link', { name: 'ada@example.com' }).waitFor({ state: 'detached' });
  await keys.isOn(/./);
  const { data } = await dashboard.call<List<{ email: string }>>('/v1/suppressions');
  assert.deepEqual(
    data.map(({ email }) => email),
    ['bob@example.com'],
  );
});

test('the account has a new name, fewer sessions, a new password and two factors by keyboard', async () => {
  const person = await aMember(dashboard, 'developer');
  const { page, errors, close } = await dashboard.openSignedIn('/', {}, person);
  const own = new Keyboard(page);
  await own.tabTo(/^button "Account of/, { back: true });
  await own.press('Enter');
  await page.getByRole('menuitem', { name: 'Account' }).waitFor();
  for (let down = 0; down < 10 && !(await own.focus()).said.startsWith('menuitem "Account'); down += 1)
    await own.press('ArrowDown');
  await own.press('Enter');
  await own.isOn('heading "Account"');
  await own.tabTo('textbox "Name"');
  await own.replace('Ada of the Keys');
  await own.press('Enter');
  await page.getByText('Your name is saved.').waitFor();
  await own.isOn('textbox "Name"');
  await page.getByRole('button', { name: 'Account of Ada of the Keys' }).waitFor();

  const { token } = await callAs(dashboard, undefined, '/auth/login', person);
  const { url } = dashboard.posthorn;
  const isSignedIn = async () =>
    (await fetch(`${url}/auth/me`, { headers: { authorization: `Bearer ${String(token)}` } })).status;
  assert.equal(await isSignedIn(), 200);
  await own.tabTo('link "Sign-in"', { back: true });
  await own.press('Enter');
  await own.isOn('heading "Account"');
  // The two other sessions: that of the invitation, and this one of a program.
  await page.getByRole('button', { name: 'Sign out node' }).nth(1).waitFor();
  await own.tabTo('button "Sign out everywhere else"');
  await own.press('Enter');
  await page.getByText('2 other sessions are signed out.').waitFor();
  await own.isOn('button "Sign out everywhere else"');
  assert.equal(await isSignedIn(), 401);

  await own.tabTo('textbox "Your password"', { back: true });
  await own.type(person.password);
  await own.tabTo('textbox "New password"');
  await own.type('another compiler');
  await own.press('Enter');
  await page.getByText(/^Your password is changed\./).waitFor();
  await own.isOn('textbox "New password"');
  const changed = { ...person, password: 'another compiler' };
  await callAs(dashboard, undefined, '/auth/login', changed);

  await own.tabTo('button "Set up"', { back: true });
  await own.press('Enter');
  await own.isOn('textbox "Your password"');
  await own.press('Escape');
  await own.isOn('button "Set up"');
  await own.press('Enter');
  await own.isOn('textbox "Your password"');
  await own.type(changed.password);
  await own.press('Enter');
  await own.isOn('textbox "Code"');
  await own.type(codeOfApp((await page.getByRole('dialog').locator('pre').innerText()).replaceAll(' ', '')));
  await own.press('Enter');
  await page.getByRole('dialog', { name: 'Your recovery codes' }).waitFor();
  await own.tabTo('button "I have kept them"');
  await own.press('Enter');
  await page.getByText('10 recovery codes are left.').waitFor();
  await own.isOn(/^(button|heading)/);
  const { challenge } = await callAs(dashboard, undefined, '/auth/login', changed);
  assert.equal(typeof challenge, 'string');
  assert.deepEqual(errors, []);
  await close();
});

test('nothing was refused or asked elsewhere', () => {
  assert.deepEqual([seen.errors, seen.strangers], [[], []]);
});
