import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AccountsApp, type Body, createAccountsApp } from '../../../../../test/harness/accounts-app.ts';
import { disableTwoFactorByAdmin } from './disable-by-admin.ts';
import { codeOf, stepAt } from './totp.ts';

let t: AccountsApp;
before(async () => {
  t = await createAccountsApp({ env: { POSTHORN_SIGNUP: 'open' } });
});
after(() => t.close());

const PASSWORD = 'correct horse';
let people = 0;
interface Person {
  email: string;
  id: string;
  token: string;
  workspaceId: string;
  secret: Buffer;
  codes: string[];
}

/** The bytes of a base32 text, as an app reads it. */
function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (sign) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(sign).toString(2).padStart(5, '0'),
  );
  return Buffer.from((bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Somebody with two-factor sign-in, whose next code is a fresh one. */
async function someone(): Promise<Person> {
  people += 1;
  const email = `two${people}@example.com`;
  const { body } = await t.call('POST', '/auth/register', { body: { email, password: PASSWORD } });
  const { token } = body;
  const made = await t.call('POST', '/auth/2fa/setup', { token, body: { current_password: PASSWORD } });
  assert.equal(made.status, 200);
  const secret = fromBase32(made.body.secret);
  assert.match(made.body.otpauth_url, /^otpauth:\/\/totp\/Posthorn:two\d+%40example\.com\?secret=[A-Z2-7]{32}&issuer=/);
  const on = await t.call('POST', '/auth/2fa/enable', { token, body: { code: codeNow(secret) } });
  assert.equal(on.status, 200);
  t.clock.advance(30);
  return { email, id: body.user.id, token, workspaceId: body.workspace_id, secret, codes: on.body.recovery_codes };
}

const codeNow = (secret: Buffer): string => codeOf(secret, stepAt(t.clock.now()));
const login = (email: string, password = PASSWORD) => t.call('POST', '/auth/login', { body: { email, password } });
const challengeOf = async (email: string): Promise<string> => (await login(email)).body.challenge;
const verify = (challenge: string, code: string, headers: Record<string, string> = {}) =>
  t.call('POST', '/auth/2fa/verify', { body: { challenge, code }, headers });

const sessionsOf = async (id: string): Promise<number> => {
  const { rows } = await sql`select from sessions where user_id = ${id}`.execute(t.database.db);
  return rows.length;
};
const entriesOf = async ({ workspaceId }: Person): Promise<Body[]> => {
  const { rows } = await sql`select action, details from security_log where workspace_id = ${workspaceId}
     order by id desc`.execute(t.database.db);
  return rows;
};

test('202 with a challenge for the right password, and no session; 200 with the code', async () => {
  const person = await someone();
  const before = await sessionsOf(person.id);
  const asked = await login(person.email);
  assert.equal(asked.status, 202);
  assert.deepEqual(Object.keys(asked.body), ['two_factor_required', 'challenge', 'expires_at']);
  assert.equal(await sessionsOf(person.id), before);
  assert.equal((await login(person.email, 'wrong')).status, 401, 'the password comes first');
  const done = await verify(asked.body.challenge, codeNow(person.secret));
  assert.equal(done.status, 200);
  assert.equal(done.body.user.email, person.email);
  const me = await t.call('GET', '/auth/me', { token: done.body.token });
  assert.deepEqual([me.body.two_factor_enabled, me.body.recovery_codes_left], [true, 10]);
  const [entry] = await entriesOf(person);
  assert.deepEqual([entry.action, entry.details], ['user.signed_in', { second_factor: 'totp' }]);
});

test('200 with a session cookie and without tokens for a browser that finishes a sign-in', async () => {
  const person = await someone();
  const headers = { 'x-posthorn-session': 'cookie', 'sec-fetch-site': 'same-origin', 'x-posthorn-csrf': '1' };
  const done = await verify(await challengeOf(person.email), codeNow(person.secret), headers);
  assert.deepEqual([done.status, done.body.token, done.body.refresh_token], [200, undefined, undefined]);
  assert.match(String(done.headers['set-cookie']), /HttpOnly/);
});

test('401 for a code that was used, an earlier one and a wrong one, and no session', async () => {
  const person = await someone();
  const challenge = await challengeOf(person.email);
  const code = codeNow(person.secret);
  assert.equal((await verify(challenge, code)).status, 200);
  const before = await sessionsOf(person.id);
  const earlier = codeOf(person.secret, stepAt(t.clock.now()) - 1);
  for (const used of [code, earlier, '000000', 'ABCD-EFGH-2345-WXYZ', `${code} `]) {
    assert.equal((await verify(challenge, used)).status, 401, used);
  }
  assert.equal(await sessionsOf(person.id), before);
});

test('of two that give the same code at once one gets in', async () => {
  const person = await someone();
  const challenge = await challengeOf(person.email);
  const code = codeNow(person.secret);
  const all = await Promise.all([1, 2, 3].map(() => verify(challenge, code)));
  assert.deepEqual(all.map(({ status }) => status).toSorted(), [200, 401, 401]);
});

test('200 once with each recovery code, however it is typed; it is stored as a hash', async () => {
  const person = await someone();
  assert.equal(new Set(person.codes).size, 10);
  const [first = '', second = ''] = person.codes;
  const challenge = await challengeOf(person.email);
  assert.equal((await verify(challenge, first.toLowerCase().replaceAll('-', ' '))).status, 200);
  assert.equal((await verify(challenge, first)).status, 401);
  const done = await verify(challenge, second);
  const me = await t.call('GET', '/auth/me', { token: done.body.token });
  assert.equal(me.body.recovery_codes_left, 8);
  const { rows } =
    await sql`select from recovery_codes c where c::text ilike ${`%${Buffer.from(first.replaceAll('-', '')).toString('hex')}%`}`.execute(
      t.database.db,
    );
  assert.equal(rows.length, 0);
});

test('401 for a challenge that was changed, is over, or is of a former password', async () => {
  const person = await someone();
  const challenge = await challengeOf(person.email);
  const changed = `${challenge.slice(0, -2)}${challenge.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const bad of ['x', changed]) assert.equal((await verify(bad, codeNow(person.secret))).status, 401);
  const body = { password: 'another horse', current_password: PASSWORD };
  assert.equal((await t.call('PATCH', '/auth/me', { token: person.token, body })).status, 200);
  assert.equal((await verify(challenge, codeNow(person.secret))).status, 401, 'the password was changed');
  const fresh = (await login(person.email, 'another horse')).body.challenge;
  t.clock.advance(301);
  assert.equal((await verify(fresh, codeNow(person.secret))).status, 401, 'five minutes are over');
  const next = (await login(person.email, 'another horse')).body.challenge;
  assert.equal((await verify(next, codeNow(person.secret))).status, 200);
});

test('429 after ten wrong codes, for the right one too, until a quarter of an hour is over', async () => {
  const person = await someone();
  const challenge = await challengeOf(person.email);
  for (let n = 0; n < 10; n += 1) assert.equal((await verify(challenge, '000000')).status, 401);
  assert.equal((await verify(challenge, codeNow(person.secret))).status, 429);
  t.clock.advance(901);
  assert.equal((await verify(await challengeOf(person.email), codeNow(person.secret))).status, 200);
});

test('of forty wrong codes at once ten are judged, and the others are 429; nobody is signed in', async () => {
  const person = await someone();
  const challenge = await challengeOf(person.email);
  const sessions = await sessionsOf(person.id);
  const answers = await Promise.all(Array.from({ length: 40 }, () => verify(challenge, '000000')));
  const countOf = (status: number) => answers.filter((answer) => answer.status === status).length;
  assert.deepEqual([countOf(401), countOf(429)], [10, 30]);
  assert.equal(await sessionsOf(person.id), sessions);
});

test('422 to set up with a wrong password or to enable with a wrong code; sign-in stays as it was', async () => {
  const email = 'hesitant@example.com';
  const { token } = (await t.call('POST', '/auth/register', { body: { email, password: PASSWORD } })).body;
  const post = (path: string, body: object) => t.call('POST', `/auth/2fa/${path}`, { token, body });
  assert.equal((await post('enable', { code: '123456' })).status, 409, 'nothing is set up');
  const wrong = await post('setup', { current_password: 'wrong' });
  assert.deepEqual([wrong.status, wrong.body.param], [422, 'current_password']);
  const { body } = await post('setup', { current_password: PASSWORD });
  const refused = await post('enable', { code: '000000' });
  assert.deepEqual([refused.status, refused.body.param], [422, 'code']);
  assert.equal((await login(email)).status, 200);
  const again = await post('setup', { current_password: PASSWORD });
  assert.notEqual(again.body.secret, body.secret);
  assert.equal((await post('enable', { code: codeNow(fromBase32(body.secret)) })).status, 422, 'of the first secret');
  assert.equal((await post('enable', { code: codeNow(fromBase32(again.body.secret)) })).status, 200);
  assert.equal((await post('setup', { current_password: PASSWORD })).status, 409);
});

test('200 to disable with password and code, and not with one of them alone', async () => {
  const person = await someone();
  const disable = (body: object) => t.call('POST', '/auth/2fa/disable', { token: person.token, body });
  const code = codeNow(person.secret);
  assert.equal((await disable({ current_password: 'wrong', code })).status, 422);
  assert.equal((await disable({ current_password: PASSWORD, code: '000000' })).body.param, 'code');
  assert.equal((await disable({ code })).status, 400);
  assert.equal((await login(person.email)).status, 202, 'it is on');
  assert.equal((await disable({ current_password: PASSWORD, code })).status, 200);
  assert.equal((await login(person.email)).status, 200);
  assert.equal((await disable({ current_password: PASSWORD, code: person.codes[0] })).status, 409);
  const actions = (await entriesOf(person)).map((entry) => entry.action);
  assert.ok(actions.includes('user.two_factor_enabled') && actions.includes('user.two_factor_disabled'));
});

test('200 with ten new recovery codes for password and code: those before stop, and it is on record', async () => {
  const person = await someone();
  const replace = (body: object) => t.call('POST', '/auth/2fa/recovery-codes', { token: person.token, body });
  const code = codeNow(person.secret);
  const wrong = await replace({ current_password: 'wrong', code });
  assert.deepEqual([wrong.status, wrong.body.param], [422, 'current_password']);
  assert.equal((await replace({ current_password: PASSWORD, code: '000000' })).body.param, 'code');
  const before = await verify(await challengeOf(person.email), person.codes[0] ?? '');
  assert.equal(before.status, 200, 'a refusal changes nothing');
  const { status, body } = await replace({ current_password: PASSWORD, code });
  assert.equal(status, 200);
  assert.equal(new Set([...body.recovery_codes, ...person.codes]).size, 20);
  assert.equal((await verify(await challengeOf(person.email), person.codes[1] ?? '')).status, 401);
  const fresh = await verify(await challengeOf(person.email), body.recovery_codes[0]);
  assert.equal(fresh.status, 200);
  assert.equal((await t.call('GET', '/auth/me', { token: fresh.body.token })).body.recovery_codes_left, 9);
  const told = (await entriesOf(person)).find((entry) => entry.action === 'user.recovery_codes_replaced');
  assert.deepEqual(told.details, { with: 'totp' });
});

test('422 for another address or a deletion without a code, or with a wrong one, while two factors are on', async () => {
  const person = await someone();
  const mails = t.mails.length;
  const code = codeNow(person.secret);
  for (const [path, body] of [
    ['/auth/change-email', { email: 'with-code@new.example' }],
    ['/auth/delete-account', {}],
  ] as const) {
    const ask = (given: object) => t.call('POST', path, { token: person.token, body: { ...body, ...given } });
    for (const given of [{}, { code: '000000' }, { code: 'ABCD-EFGH-2345-WXYZ' }]) {
      const reply = await ask({ current_password: PASSWORD, ...given });
      assert.deepEqual([reply.status, reply.body.name, reply.body.param], [422, 'validation_error', 'code'], path);
    }
    const wrong = await ask({ current_password: 'wrong', code });
    assert.deepEqual([wrong.status, wrong.body.param], [422, 'current_password'], path);
  }
  assert.equal(t.mails.length, mails);
  assert.equal((await t.call('GET', '/auth/me', { token: person.token })).status, 200);
  const signedIn = await verify(await challengeOf(person.email), code);
  assert.equal(signedIn.status, 200, 'no refusal has used the code up');
});

test('200 for another address with a code of the app, and for a deletion with a recovery code', async () => {
  const person = await someone();
  const ask = (path: string, body: object) =>
    t.call('POST', path, { token: person.token, body: { current_password: PASSWORD, ...body } });
  const code = codeNow(person.secret);
  assert.equal((await ask('/auth/change-email', { email: 'coded@new.example', code })).status, 200);
  assert.equal(t.mails.at(-1)?.to, 'coded@new.example');
  const again = await ask('/auth/change-email', { email: 'coded@new.example', code });
  assert.deepEqual([again.status, again.body.param], [422, 'code'], 'a code works once');
  const owner = await t.signIn();
  await t.call('POST', `/workspaces/${person.workspaceId}/invites`, {
    token: person.token,
    body: { email: owner.user.email, role: 'owner' },
  });
  await t.call('POST', `/invites/${t.mailedToken()}/accept`, { token: owner.token, body: {} });
  const recovery = person.codes[0];
  assert.equal((await ask('/auth/delete-account', { code: recovery })).status, 200);
  assert.equal((await t.call('GET', '/auth/me', { token: person.token })).status, 401);
});

test('429 after ten wrong codes for another address, for the right one too, and no mail leaves', async () => {
  const person = await someone();
  const mails = t.mails.length;
  const ask = (code: string) =>
    t.call('POST', '/auth/change-email', {
      token: person.token,
      body: { email: 'guessed@new.example', current_password: PASSWORD, code },
    });
  for (let n = 0; n < 10; n += 1) assert.equal((await ask('000000')).status, 422);
  assert.equal((await ask(codeNow(person.secret))).status, 429);
  assert.equal(t.mails.length, mails);
});

test('409 for new recovery codes without two-factor sign-in, and there are none', async () => {
  const email = 'without@example.com';
  const { token } = (await t.call('POST', '/auth/register', { body: { email, password: PASSWORD } })).body;
  const body = { current_password: PASSWORD, code: '123456' };
  assert.equal((await t.call('POST', '/auth/2fa/recovery-codes', { token, body })).status, 409);
  assert.equal((await t.call('GET', '/auth/me', { token })).body.recovery_codes_left, 0);
});

test('the command line lets a person in who has lost phone and codes, and the security log tells it', async () => {
  const person = await someone();
  const deps = { db: t.database.db, clock: t.clock };
  assert.equal(await disableTwoFactorByAdmin(deps, 'nobody@example.com'), undefined);
  assert.equal((await login(person.email)).status, 202);
  assert.deepEqual(await disableTwoFactorByAdmin(deps, person.email), { email: person.email, wasOn: true });
  assert.equal((await login(person.email)).status, 200);
  assert.deepEqual(await disableTwoFactorByAdmin(deps, person.email), { email: person.email, wasOn: false });
  const told = (await entriesOf(person)).filter((entry) => entry.action === 'user.two_factor_disabled');
  assert.deepEqual(
    told.map((entry) => entry.details),
    [{ by: 'command line' }],
  );
});
