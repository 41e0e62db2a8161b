/**
 * Members, settings and the account in a real browser, against the real server with captured mail: from an invitation
 * to a person who signs in with two factors. Every page runs under the Content-Security-Policy of the server, and is
 * looked at with axe in light and dark.
 */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { axeFaultsOfSchemes } from '../harness/axe.ts';
import { type RunningDashboard, startDashboard } from '../harness/dashboard.ts';
import { aMember, asOwner, callAs, mailedLink } from '../harness/people.ts';
import { codeOfApp } from '../harness/two-factor.ts';

type Watched = Awaited<ReturnType<RunningDashboard['openSignedIn']>>;
type Page = Watched['page'];

let dashboard: RunningDashboard;
let owner: Watched;
let guest: Watched;
let workspaceId: string;
let token: string;

before(async () => {
  dashboard = await startDashboard();
  ({ token, workspaceId } = await asOwner(dashboard));
  owner = await dashboard.openSignedIn('/members');
  guest = await dashboard.open('/sign-in');
});
after(() => dashboard?.stop());

const ADMIRAL = { email: 'admiral@example.com', password: 'another compiler' };
const GUEST = { email: 'grace@example.com', password: 'a compiler of my own' };
/** Recovery codes of the guest, to be used one after the other. */
let codesOfGuest: string[] = [];
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });
const go = (page: Page, path: string) => page.goto(`${dashboard.posthorn.url}${path}`);
const open = (page: Page, name: string, among = 'Main') =>
  page.getByRole('navigation', { name: among }).getByRole('link', { name, exact: true }).click();

/** The reason of what is disabled: the button can be reached, and says why. */
async function whyNot(page: Page, button: string): Promise<string> {
  const found = page.getByRole('button', { name: button, exact: true });
  await found.waitFor();
  assert.equal(await found.getAttribute('aria-disabled'), 'true', button);
  const id = await found.getAttribute('aria-describedby');
  return (await page.locator(`[id="${id}"]`).textContent()) ?? '';
}

async function rolesOf(): Promise<Record<string, string>> {
  const { data } = await callAs(dashboard, token, `/workspaces/${workspaceId}/members`);
  return Object.fromEntries((data as { email: string; role: string }[]).map(({ email, role }) => [email, role]));
}

/** The colours of the page follow those of the system. */
async function looksRight(page: Page, what: string): Promise<void> {
  assert.deepEqual(await axeFaultsOfSchemes(page), [], what);
}

test('an invitation is sent, and its link lets the person in with the role that was given', async () => {
  const { page } = owner;
  await page.getByRole('button', { name: 'Invite somebody' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Address' }).fill(dashboard.owner.email);
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await dialog.getByText('This person is a member already.').waitFor();
  await dialog.getByRole('textbox', { name: 'Address' }).fill('Grace@Example.com');
  await dialog.getByRole('radio', { name: 'Editor' }).check();
  await dialog.getByRole('button', { name: 'Send the invitation' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Invitations' }).click();
  const row = page.getByRole('row', { name: /grace@example\.com.*Editor.*Open/ });
  await row.waitFor();
  const first = await mailedLink(dashboard, GUEST.email, 'accept-invite');
  await row.getByRole('button', { name: 'Send again' }).click();
  const link = await mailedLink(dashboard, GUEST.email, 'accept-invite', first);
  await looksRight(page, 'invitations');

  await go(guest.page, first);
  await guest.page.getByText('This link is not valid').first().waitFor();
  await go(guest.page, link);
  await guest.page.getByRole('textbox', { name: 'Your name' }).fill('Grace Hopper');
  await guest.page.getByLabel('New password').fill(GUEST.password);
  await guest.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await guest.page.getByRole('link', { name: 'Sign in' }).click();
  await dashboard.givePassword(guest.page, GUEST);
  await heading(guest.page, 'Overview').waitFor();
  assert.equal((await rolesOf())[GUEST.email], 'editor');
});

test('an invitation that was withdrawn can be undone, and stays until then', async () => {
  const { page } = owner;
  await callAs(dashboard, token, `/workspaces/${workspaceId}/invites`, { email: 'undone@example.com', role: 'viewer' });
  await page.reload();
  await page.getByRole('button', { name: 'Withdraw the invitation of undone@example.com' }).click();
  await page.getByText('No invitation is waiting').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('row', { name: /undone@example\.com.*Viewer/ }).waitFor();
});

test('a role is changed at once, and an undo gives the former one back', async () => {
  const { page } = owner;
  await page.getByRole('navigation', { name: 'Members' }).getByRole('link', { name: 'Members' }).click();
  await page.getByRole('searchbox', { name: 'Search members' }).fill('hopper');
  await page.waitForURL((url) => url.searchParams.get('search') === 'hopper');
  await page.getByRole('link', { name: /Grace Hopper/ }).click();
  await page.getByRole('radio', { name: 'Publisher' }).check();
  await looksRight(page, 'a member');
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Grace Hopper is publisher now.').waitFor();
  assert.equal((await rolesOf())[GUEST.email], 'publisher');
  await page.getByRole('button', { name: 'Undo' }).last().click();
  await page.getByRole('row', { name: /Grace Hopper.*Editor/ }).waitFor();
  assert.equal((await rolesOf())[GUEST.email], 'editor');
});

test('the last owner, an editor and a viewer see everything, with the reason beside what they may not do', async () => {
  const mine = (await callAs(dashboard, token, '/auth/me'))['id'];
  await go(owner.page, `/members?member=${String(mine)}`);
  assert.match(await whyNot(owner.page, 'Leave the workspace'), /last owner/);
  assert.match(await whyNot(owner.page, 'Change role'), /last owner/);
  await owner.page.keyboard.press('Escape');
  await open(owner.page, 'Settings');
  assert.match(await whyNot(owner.page, 'Delete workspace'), /mail of the server/);

  const viewer = await aMember(dashboard, 'viewer');
  const ofViewer = await dashboard.open('/settings');
  await dashboard.givePassword(ofViewer.page, viewer);
  for (const [page, role] of [
    [guest.page, 'editor'],
    [ofViewer.page, 'viewer'],
  ] as const) {
    const reason = new RegExp(`Your role \\(${role}\\) may not`);
    await open(page, 'Settings');
    assert.match(await whyNot(page, 'Save'), reason);
    assert.match(await whyNot(page, 'Delete workspace'), reason);
    await open(page, 'Members');
    await open(page, 'Invitations', 'Members');
    await page.getByText(reason).filter({ visible: true }).waitFor();
    await open(page, 'Members', 'Members');
    assert.match(await whyNot(page, 'Invite somebody'), reason);
    await page.getByRole('link', { name: dashboard.owner.email }).click();
    assert.match(await whyNot(page, 'Remove'), reason);
    assert.equal(await page.getByRole('radio', { name: 'Viewer' }).isDisabled(), true);
  }
  await ofViewer.close();
});

test('the settings are saved, and the name is in the side bar at once', async () => {
  const { page } = owner;
  await open(page, 'Settings');
  await page.getByRole('textbox', { name: 'Name' }).fill('Nordlicht');
  await page.getByRole('switch', { name: 'Count opens' }).check({ force: true });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('button', { name: 'Workspace: Nordlicht' }).waitFor();
  const saved = await callAs(dashboard, token, `/workspaces/${workspaceId}`);
  assert.deepEqual([saved['name'], saved['track_opens'], saved['track_clicks']], ['Nordlicht', true, false]);
  await looksRight(page, 'settings');
});

test('a person turns two factors on with a QR code, and signs in with a code and with a recovery code', async () => {
  const { page } = guest;
  await go(page, '/account');
  await heading(page, 'Account').waitFor();
  await page.getByText('Preferences').waitFor();
  await looksRight(page, 'account');
  await page.getByRole('link', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Set up' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(GUEST.password);
  await dialog.getByRole('button', { name: 'Continue' }).click();
  await dialog.getByRole('img', { name: /^QR code/ }).waitFor();
  await looksRight(page, 'the secret');
  const secret = (await dialog.locator('pre').innerText()).replaceAll(' ', '');
  await dialog.getByRole('textbox', { name: 'Code' }).fill('000000');
  await dialog.getByRole('button', { name: 'Turn on' }).click();
  await dialog.getByText(/It is wrong/).waitFor();
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codeOfApp(secret));
  await dialog.getByRole('button', { name: 'Turn on' }).click();

  await page.getByText('Your recovery codes').waitFor();
  await page.keyboard.press('Escape');
  const codes = (await dialog.locator('pre').innerText()).trim().split('\n');
  assert.equal(codes.length, 10);
  const file = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download' }).click();
  assert.match(await readFile(await (await file).path(), 'utf8'), new RegExp(codes[9] ?? ' '));
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  assert.equal((await page.content()).includes(codes[0] ?? ' '), false);

  for (const code of [codeOfApp(secret, 1), codes[0] ?? '']) {
    await guest.context.clearCookies();
    await go(page, '/account/sign-in');
    await dashboard.givePassword(page, GUEST);
    await page.getByRole('textbox', { name: 'Code' }).fill(code);
    await page.keyboard.press('Enter');
    await heading(page, 'Account').waitFor();
  }
  await page.getByText('9 recovery codes are left.').waitFor();

  await page.getByRole('button', { name: 'New recovery codes' }).click();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(GUEST.password);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codes[1] ?? '');
  await dialog.getByRole('button', { name: 'Replace the codes' }).click();
  await dialog.getByRole('button', { name: 'I have kept them' }).waitFor();
  const fresh = (await dialog.locator('pre').innerText()).trim().split('\n');
  assert.equal(new Set([...codes, ...fresh]).size, 20);
  codesOfGuest = fresh.slice(1);
  await dialog.getByRole('button', { name: 'I have kept them' }).click();
  await page.getByText('10 recovery codes are left.').waitFor();
  await looksRight(page, 'the own sign-in');

  // The page of an invitation asks for a code, as the sign-in does.
  const first = await mailedLink(dashboard, GUEST.email, 'accept-invite');
  const second = await callAs(dashboard, token, '/workspaces', { name: 'Second' });
  const body = { email: GUEST.email, role: 'viewer' };
  await callAs(dashboard, token, `/workspaces/${String(second['id'])}/invites`, body);
  const link = await mailedLink(dashboard, GUEST.email, 'accept-invite', first);
  const stranger = await dashboard.open(link);
  await stranger.page.getByLabel('Password').fill(GUEST.password);
  await stranger.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await stranger.page.getByLabel('Code').fill('000000');
  await stranger.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await stranger.page.getByRole('alert').filter({ hasText: 'The code is wrong' }).waitFor();
  await looksRight(stranger.page, 'the code of an invitation');
  await stranger.page.getByLabel('Code').fill(fresh[0] ?? '');
  await stranger.page.getByRole('button', { name: 'Accept the invitation' }).click();
  await heading(stranger.page, 'You are in').waitFor();
  await stranger.close();
});

test('a session that is ended elsewhere is signed out with its next step', async () => {
  const person = await aMember(dashboard, 'developer');
  const [here, there] = [await dashboard.open('/keys'), await dashboard.open('/keys')];
  for (const { page } of [here, there]) {
    await dashboard.givePassword(page, person);
    await heading(page, 'API keys').waitFor();
  }
  await go(here.page, '/account/sign-in');
  await here.page.getByRole('button', { name: 'Sign out everywhere else' }).click();
  // Disabled: nobody else is left.
  await here.page.locator('[aria-disabled=true]', { hasText: 'Sign out everywhere else' }).waitFor();
  await there.page.getByRole('link', { name: 'Webhooks' }).click();
  await heading(there.page, 'Sign in').waitFor();
  await heading(here.page, 'Account').waitFor();
  await Promise.all([here.close(), there.close()]);
});

test('a forgotten password leads by the mail to a new one', async () => {
  const person = await aMember(dashboard, 'viewer');
  const { page, close } = await dashboard.open('/forgot-password');
  await page.getByLabel('Email').fill(person.email);
  await looksRight(page, 'forgot password');
  await page.getByRole('button', { name: 'Send me a link' }).click();
  await heading(page, 'Look into your mailbox').waitFor();
  await go(page, await mailedLink(dashboard, person.email, 'reset-password'));
  await page.getByLabel('New password').fill('another password');
  await page.getByRole('button', { name: 'Set this password' }).click();
  await page.getByRole('link', { name: 'Sign in' }).click();
  await dashboard.givePassword(page, { email: person.email, password: 'another password' });
  await heading(page, 'Overview').waitFor();
  await close();
});

test('the API keys that a removed member made are named, because they keep working', async () => {
  const person = await aMember(dashboard, 'developer', { name: 'Dora Maker' });
  const { workspaceId } = await asOwner(dashboard);
  const { token } = await callAs(dashboard, undefined, '/auth/login', { ...person, workspace_id: workspaceId });
  const made = await callAs(dashboard, String(token), '/v1/api-keys', { name: 'Deploys', scopes: ['emails:send'] });
  const { page } = owner;
  await open(page, 'Members');
  await page.getByRole('link', { name: /Dora Maker/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByText('loses access to').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  const told = page.getByRole('status').filter({ hasText: 'API keys that they made keep working: Deploys' });
  assert.equal(await told.getByRole('link', { name: 'Deploys' }).getAttribute('href'), `/keys/${String(made['id'])}`);
  await told.getByRole('button', { name: 'Close' }).click();
});

test('a member who is removed is out at once', async () => {
  const { page } = owner;
  await open(page, 'Members');
  await page.getByRole('link', { name: /Grace Hopper/ }).click();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('dialog').getByText('loses access to').waitFor();
  await page.getByRole('button', { name: 'Remove', exact: true }).click();
  await page.getByRole('link', { name: /Grace Hopper/ }).waitFor({ state: 'detached' });
  assert.equal((await rolesOf())[GUEST.email], undefined);
  await go(guest.page, '/members');
  await guest.page.getByRole('button', { name: 'Workspace: Second' }).waitFor();
});

test('a person changes their name, their address with a code, and their password, and ends one session', async () => {
  const { page } = guest;
  await go(page, '/account');
  await page.getByRole('textbox', { name: 'Name' }).fill('Rear Admiral');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Your name is saved.').waitFor();
  await page.getByRole('button', { name: 'Account of Rear Admiral' }).waitFor();

  const address = page.getByRole('form', { name: 'Change the address' });
  await address.getByRole('textbox', { name: 'New address' }).fill('Admiral@Example.com');
  await address.getByRole('textbox', { name: 'Your password' }).fill(GUEST.password);
  const ask = () => address.getByRole('button', { name: 'Send the link' }).click();
  await ask();
  await address.getByText('Enter a code.').waitFor();
  await address.getByRole('textbox', { name: 'Code' }).fill('000000');
  await ask();
  await address.getByText(/^It is wrong/).waitFor();
  await address.getByRole('textbox', { name: 'Code' }).fill(codesOfGuest.shift() ?? '');
  await ask();
  await page.getByRole('status').filter({ hasText: 'A link is on its way to Admiral@Example.com.' }).waitFor();
  await looksRight(page, 'an address that waits for its link');
  await go(page, await mailedLink(dashboard, 'admiral@example.com', 'change-email'));
  await page.getByRole('button', { name: 'Use this address' }).click();
  await page.getByText('Your address is changed').first().waitFor();

  await go(page, '/account/sign-in');
  const password = page.getByRole('form', { name: 'Change the password' });
  await password.getByRole('textbox', { name: 'Your password' }).fill('not it');
  await password.getByRole('textbox', { name: 'New password' }).fill(ADMIRAL.password);
  await password.getByRole('button', { name: 'Change the password' }).click();
  await password.getByText('It is wrong').waitFor();
  await password.getByRole('textbox', { name: 'Your password' }).fill(GUEST.password);
  await password.getByRole('button', { name: 'Change the password' }).click();
  await page.getByText('Your password is changed. Your other sessions are signed out.').waitFor();

  // Another session, of a program; it ends alone.
  const { challenge } = await callAs(dashboard, undefined, '/auth/login', ADMIRAL);
  const given = { challenge, code: codesOfGuest.shift() };
  const there = String((await callAs(dashboard, undefined, '/auth/2fa/verify', given))['token']);
  await page.reload();
  await page.getByRole('button', { name: 'Sign out node', exact: true }).click();
  await page.getByText('The session is signed out.').waitFor();
  const { status } = await fetch(`${dashboard.posthorn.url}/auth/me`, {
    headers: { authorization: `Bearer ${there}` },
  });
  assert.equal(status, 401);
});

/** An owner of a workspace may make another, where nobody signs up by themselves. */
async function makeOwnerOfSecond(): Promise<void> {
  const { data } = await callAs(dashboard, token, '/workspaces');
  const second = (data as { id: string; name: string }[]).find(({ name }) => name === 'Second');
  const { data: members } = await callAs(dashboard, token, `/workspaces/${second?.id}/members`);
  const admiral = (members as { id: string; email: string }[]).find(({ email }) => email === ADMIRAL.email);
  await callAs(dashboard, token, `/workspaces/${second?.id}/members/${admiral?.id}`, { role: 'owner' }, 'PATCH');
}

test('a person makes a workspace, goes to another, turns two factors off, and deletes the account once nobody needs it', async () => {
  const { page } = guest;
  await page.getByRole('button', { name: 'Workspace: Second' }).click();
  await page.getByRole('menuitem', { name: 'Create a workspace' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText('Give it a name.').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Third');
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await dialog.getByText(/only owners of a workspace can create another one/).waitFor();
  await makeOwnerOfSecond();
  await dialog.getByRole('button', { name: 'Create', exact: true }).click();
  await page.getByRole('button', { name: 'Workspace: Third' }).click();
  await page.getByRole('menuitem', { name: /^Second/ }).click();
  await page.getByRole('button', { name: 'Workspace: Second' }).waitFor();
  await heading(page, 'Overview').waitFor();

  await go(page, '/account/sign-in');
  await page.getByRole('button', { name: 'Turn off' }).click();
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(ADMIRAL.password);
  await dialog.getByRole('textbox', { name: 'Code' }).fill(codesOfGuest.shift() ?? '');
  await dialog.getByRole('button', { name: 'Turn off' }).click();
  await page.getByText('Two-factor sign-in is off.').waitFor();

  await open(page, 'Profile', 'Account');
  await page.getByRole('button', { name: 'Delete account' }).click();
  assert.equal(await dialog.getByRole('textbox', { name: 'Code' }).count(), 0);
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(ADMIRAL.password);
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await dialog.getByText(/You are the last owner of "Third"/).waitFor();
  const { token: own, workspaces } = await callAs(dashboard, undefined, '/auth/login', ADMIRAL);
  const third = (workspaces as { id: string; name: string }[]).find(({ name }) => name === 'Third');
  await callAs(dashboard, String(own), `/workspaces/${third?.id}`, undefined, 'DELETE');
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await heading(page, 'Sign in').waitFor();
  await dashboard.givePassword(page, ADMIRAL);
  await page.getByRole('alert').filter({ hasText: 'The email or the password is wrong.' }).waitFor();
});

test('nothing was refused or asked elsewhere', () => {
  // Browsers note every answer of 4xx in the console; the forms above have shown theirs.
  const errors = [...owner.errors, ...guest.errors].filter((error) => !error.includes('status of 4'));
  assert.deepEqual([errors, owner.strangers, guest.strangers], [[], [], []]);
});
