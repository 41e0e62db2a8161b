import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { type AccountsApp, createAccountsApp } from '../../../../test/harness/accounts-app.ts';
import { pressForm } from '../../../../test/harness/press-form.ts';
import { base32, codeOf, stepAt } from '../accounts/two-factor/totp.ts';

let t: AccountsApp;
before(async () => {
  t = await createAccountsApp({ env: { POSTHORN_SIGNUP: 'open' } });
});
after(() => t.close());

const PASSWORD = 'correct horse';
let people = 0;
let network = 0;

interface Invited {
  email: string;
  secret: Buffer;
  recoveryCode: string;
  inviteId: string;
  /** The form of the invitation. */
  form: LightMyRequestResponse;
}

const press = (page: LightMyRequestResponse, filled: Record<string, string>) =>
  pressForm(t.app, page, filled, `198.51.100.${(network += 1)}`);

/** The bytes that an app reads from the typed secret. */
function secretOf(text: string): Buffer {
  const bits = Array.from(text, (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  );
  const bytes = Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  assert.equal(base32(bytes), text);
  return bytes;
}

const codeNow = ({ secret }: Pick<Invited, 'secret'>): string => codeOf(secret, stepAt(t.clock.now()));

/** Somebody with two-factor sign-in, who is invited to the home workspace. */
async function invited(): Promise<Invited> {
  const email = `two${(people += 1)}@example.com`;
  const { token } = (await t.call('POST', '/auth/register', { body: { email, password: PASSWORD } })).body;
  const made = await t.call('POST', '/auth/2fa/setup', { token, body: { current_password: PASSWORD } });
  const secret = secretOf(made.body.secret);
  const on = await t.call('POST', '/auth/2fa/enable', { token, body: { code: codeNow({ secret }) } });
  assert.equal(on.status, 200);
  t.clock.advance(30);
  const owner = await t.signIn();
  const invite = await t.call('POST', `/workspaces/${t.home.workspaceId}/invites`, {
    token: owner.token,
    body: { email, role: 'editor' },
  });
  const form = await t.app.inject({ method: 'GET', url: `/accept-invite?token=${t.mailedToken()}` });
  return { email, secret, recoveryCode: on.body.recovery_codes[0], inviteId: invite.body.id, form };
}

const roleOf = async (email: string): Promise<string | undefined> => {
  const { rows } = await sql<{ role: string }>`
    select m.role from members m join users u on u.id = m.user_id
     where m.workspace_id = ${t.home.workspaceId} and u.email = ${email}`.execute(t.database.db);
  return rows[0]?.role;
};

test('200 for an invited person with two-factor sign-in: the password asks for a code, and the code lets them in', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  assert.equal(asked.statusCode, 200);
  assert.match(asked.body, /Enter your code/);
  assert.equal(await roleOf(ada.email), undefined, 'the password alone lets nobody in');
  const done = await press(asked, { code: codeNow(ada) });
  assert.equal(done.statusCode, 200);
  assert.match(done.body, /You are in/);
  assert.equal(await roleOf(ada.email), 'editor');
  const { rows } = await sql`select details from security_log
     where workspace_id = ${t.home.workspaceId} and action = 'invite.accepted' order by id desc limit 1`.execute(
    t.database.db,
  );
  assert.deepEqual(rows, [{ details: { role: 'editor', second_factor: 'totp' } }]);
});

test('200 with a recovery code, which is then used up', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  assert.equal((await press(asked, { code: ada.recoveryCode.toLowerCase() })).statusCode, 200);
  assert.equal(await roleOf(ada.email), 'editor');
  const { body } = await t.call('POST', '/auth/login', { body: { email: ada.email, password: PASSWORD } });
  const again = await t.call('POST', '/auth/2fa/verify', {
    body: { challenge: body.challenge, code: ada.recoveryCode },
  });
  assert.equal(again.status, 401);
});

test('400 with the form once more for a wrong code and for none, and nobody joins', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  const wrong = await press(asked, { code: '000000' });
  assert.equal(wrong.statusCode, 400);
  assert.match(wrong.body, /role="alert">The code is wrong/);
  const none = await press(wrong, { code: '' });
  assert.equal(none.statusCode, 400);
  assert.match(none.body, /role="alert">Give the six digits/);
  assert.equal(await roleOf(ada.email), undefined);
  assert.equal((await press(none, { code: codeNow(ada) })).statusCode, 200);
});

test('400 for a challenge that was changed or is over: the password is asked for again, and nobody joins', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  const changed = await press(asked, { challenge: 'x', code: codeNow(ada) });
  assert.equal(changed.statusCode, 400);
  t.clock.advance(301);
  const late = await press(asked, { code: codeNow(ada) });
  assert.equal(late.statusCode, 400);
  for (const { body } of [changed, late]) {
    assert.match(body, /Give your password again/);
    assert.match(body, /<form method="get" action="accept-invite">/);
  }
  assert.equal(await roleOf(ada.email), undefined);
});

test('400 with the challenge of another person: nobody joins, and the code of neither is used up', async () => {
  const [ada, eve] = [await invited(), await invited()];
  const [ofAda, ofEve] = [await press(ada.form, { password: PASSWORD }), await press(eve.form, { password: PASSWORD })];
  const challenge = /name="challenge" value="([^"]+)"/.exec(ofEve.body)?.[1] ?? '';
  assert.equal((await press(ofAda, { challenge, code: codeNow(eve) })).statusCode, 400);
  assert.equal(await roleOf(ada.email), undefined);
  assert.equal(await roleOf(eve.email), undefined);
  assert.equal((await press(ofEve, { code: codeNow(eve) })).statusCode, 200);
});

test('400 when the invitation was withdrawn meanwhile: the code is not used up', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  const { token } = await t.signIn();
  await t.call('DELETE', `/workspaces/${t.home.workspaceId}/invites/${ada.inviteId}`, { token });
  const code = codeNow(ada);
  const refused = await press(asked, { code });
  assert.equal(refused.statusCode, 400);
  assert.match(refused.body, /This link is not valid/);
  assert.equal(await roleOf(ada.email), undefined);
  const { body } = await t.call('POST', '/auth/login', { body: { email: ada.email, password: PASSWORD } });
  assert.equal((await t.call('POST', '/auth/2fa/verify', { body: { challenge: body.challenge, code } })).status, 200);
});

test('429 after ten wrong codes, counted together with sign-in, and the right one waits too', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  for (let guess = 0; guess < 10; guess += 1) assert.equal((await press(asked, { code: '000000' })).statusCode, 400);
  const refused = await press(asked, { code: codeNow(ada) });
  assert.equal(refused.statusCode, 429);
  assert.match(refused.body, /Too many attempts/);
  assert.equal(await roleOf(ada.email), undefined);
});

test('a hostile challenge is never markup', async () => {
  const ada = await invited();
  const asked = await press(ada.form, { password: PASSWORD });
  const refused = await press(asked, { challenge: `"><script>alert(1)</script>`, code: '' });
  assert.equal(refused.statusCode, 400);
  assert.doesNotMatch(refused.body, /<script/);
});

test('the field of the code has its label, and the page asks for nothing else', async () => {
  const ada = await invited();
  const { body } = await press(ada.form, { password: PASSWORD });
  assert.match(body, /<label for="code">Code<\/label>/);
  assert.equal([...body.matchAll(/<input(?![^>]*type="hidden")[^>]*>/g)].length, 1);
  assert.match(body, /autocomplete="one-time-code"/);
});

test('nothing unexpected was logged', () => {
  assert.deepEqual(t.errors, []);
});
