import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AccountsApp, createAccountsApp, OWNER } from '../../../test/harness/accounts-app.ts';
import { resetPasswordByAdmin } from './accounts/passwords/reset-password-by-admin.ts';
import { removeSignInLeftovers } from './sign-in-housekeeping.ts';

let t: AccountsApp;
before(async () => {
  t = await createAccountsApp();
});
after(() => t.close());

test('the owner of the first start signs in with the password of the setting, and owns the home workspace', async () => {
  const owner = await t.signIn(OWNER.email, OWNER.password);
  assert.equal(owner.workspace_id, t.home.workspaceId);
  assert.equal(owner.user.email_verified, true);
});

test('resetting a password on the command line needs no mail, ends every session and is on record', async () => {
  const before = await t.signIn();
  const reset = await resetPasswordByAdmin({ db: t.database.db, clock: t.clock }, ' Owner@Posthorn.TEST ');
  assert.equal(reset?.email, OWNER.email);
  assert.equal((await t.call('GET', '/auth/me', { token: before.token })).status, 401);
  const { token } = await t.signIn(OWNER.email, reset?.password);
  const log = await t.call('GET', '/security-log?action=user.password_reset', { token });
  assert.equal(log.body.data[0].details.by, 'command line');
  assert.equal(log.body.data[0].actor.type, 'system');
  assert.doesNotMatch(JSON.stringify(log.body), new RegExp(reset?.password ?? ''));
  assert.equal(await resetPasswordByAdmin({ db: t.database.db, clock: t.clock }, 'nobody@example.com'), undefined);
  await resetPasswordByAdmin({ db: t.database.db, clock: t.clock }, OWNER.email, OWNER.password);
});

test('a hash of older parameters is replaced at the next sign-in, and the password stays the same', async () => {
  const old = '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc';
  await sql`update users set password_hash = ${old} where email = ${OWNER.email}`.execute(t.database.db);
  await t.signIn(OWNER.email, 'password');
  const { rows } = await sql<{ password_hash: string }>`select password_hash from users`.execute(t.database.db);
  assert.match(rows[0]?.password_hash ?? '', /m=19456,t=2,p=1/);
  await t.signIn(OWNER.email, 'password');
});

test('sessions, links and counts that are over are deleted; what is in use stays', async () => {
  await t.signIn(OWNER.email, 'password');
  t.clock.advance(61 * 86_400);
  const kept = await t.signIn(OWNER.email, 'password');
  await t.call('POST', '/auth/login', { body: { email: 'nobody@example.com', password: 'wrong horse' } });
  await removeSignInLeftovers({ db: t.database.db, clock: t.clock });
  const { rows } = await sql`select count(*) as sessions from sessions`.execute(t.database.db);
  assert.deepEqual(rows, [{ sessions: 1 }]);
  assert.equal((await t.call('GET', '/auth/me', { token: kept.token })).status, 200);
});
