import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import {
  type AccountsApp,
  type Body,
  createAccountsApp,
  type Reply,
} from '../../../../../test/harness/accounts-app.ts';
import { until } from '../../../../../test/harness/until.ts';

let t: AccountsApp;
before(async () => {
  t = await createAccountsApp({ env: { POSTHORN_SIGNUP: 'open' } });
});
after(() => t.close());

const password = 'correct horse';
/** Of everybody whom `join` adds. */
const ofGuest = 'a password of a guest';
let people = 0;
async function someone(): Promise<Body> {
  people += 1;
  const email = `own${people}@example.com`;
  const reply = await t.call('POST', '/auth/register', { body: { email, password, workspace_name: `Of ${people}` } });
  assert.equal(reply.status, 201);
  return { ...reply.body, email };
}

const change = (token: string, body: object) => t.call('POST', '/auth/change-email', { token, body });
const confirm = (token: string) => t.call('POST', '/auth/confirm-email-change', { body: { token } });
const deletion = (token: string, current = password) =>
  t.call('POST', '/auth/delete-account', { token, body: { current_password: current } });
const emailOf = async (id: string): Promise<string | undefined> => {
  const { rows } = await sql<{ email: string }>`select email from users where id = ${id}`.execute(t.database.db);
  return rows[0]?.email;
};
const actionsIn = async (workspaceId: string): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${workspaceId} order by id`.execute(t.database.db);
  return rows.map((row) => row.action);
};

test('200 on a change of address: the link in the new mailbox counts, once, and the old mailbox is told', async () => {
  const ada = await someone();
  const asked = await change(ada.token, { email: ' Ada@Example.ORG ', current_password: password });
  assert.equal(asked.status, 200, JSON.stringify(asked.body));
  const mail = t.mails.at(-1);
  assert.equal(mail?.to, 'ada@example.org');
  assert.match(mail?.text ?? '', new RegExp(`the account of ${ada.email}`));
  assert.equal(await emailOf(ada.user.id), ada.email, 'nothing changes before');
  const token = t.mailedToken();
  assert.deepEqual((await confirm(token)).body, { success: true });
  const me = await t.call('GET', '/auth/me', { token: ada.token });
  assert.deepEqual([me.body.email, me.body.email_verified], ['ada@example.org', true]);
  const notice = t.mails.at(-1);
  assert.equal(notice?.to, ada.email);
  assert.match(notice?.text ?? '', /is now ada@example\.org/);
  assert.ok((await actionsIn(ada.workspace_id)).includes('user.email_changed'));
  assert.equal((await t.call('POST', '/auth/login', { body: { email: ada.email, password } })).status, 401);
  assert.equal((await t.call('POST', '/auth/login', { body: { email: 'ada@example.org', password } })).status, 200);
  assert.deepEqual([(await confirm(token)).status, await emailOf(ada.user.id)], [422, 'ada@example.org']);
});

test('422 for a link that an hour too many, a newer link or another purpose has ended, and the address stays', async () => {
  const bob = await someone();
  const ofRegistration = t.mailedToken();
  const link = async (email: string): Promise<string> => {
    assert.equal((await change(bob.token, { email, current_password: password })).status, 200);
    return t.mailedToken();
  };
  const older = await link('bob@old.example');
  const newer = await link('bob@new.example');
  for (const token of [older, ofRegistration, 'x', newer.slice(1)]) {
    const reply = await confirm(token);
    assert.deepEqual([reply.status, reply.body.param], [422, 'token']);
  }
  t.clock.advance(24 * 3_600);
  assert.equal((await confirm(newer)).status, 422);
  assert.equal(await emailOf(bob.user.id), bob.email);
});

test('links that were mailed to the old address stop with the change', async () => {
  const eve = await someone();
  await t.call('POST', '/auth/forgot-password', { body: { email: eve.email } });
  await t.workspaces.background.settled();
  const reset = t.mailedToken();
  await change(eve.token, { email: 'eve@new.example', current_password: password });
  assert.equal((await confirm(t.mailedToken())).status, 200);
  const reply = await t.call('POST', '/auth/reset-password', { body: { token: reset, password: 'another horse' } });
  assert.equal(reply.status, 422);
});

test('a new password ends a link to another address that somebody with the old one asked for', async () => {
  const ivy = await someone();
  const asked = async (current: string): Promise<string> => {
    await change(ivy.token, { email: 'thief@evil.example', current_password: current });
    return t.mailedToken();
  };
  const stolen = await asked(password);
  await t.call('POST', '/auth/forgot-password', { body: { email: ivy.email } });
  await t.workspaces.background.settled();
  const reset = { token: t.mailedToken(), password: 'another horse' };
  assert.equal((await t.call('POST', '/auth/reset-password', { body: reset })).status, 200);
  assert.equal((await confirm(stolen)).status, 422, 'after a reset');
  const login = await t.call('POST', '/auth/login', { body: { email: ivy.email, password: 'another horse' } });
  ivy.token = login.body.token;
  const again = await asked('another horse');
  const changed = { password: 'a third horse', current_password: 'another horse' };
  assert.equal((await t.call('PATCH', '/auth/me', { token: ivy.token, body: changed })).status, 200);
  assert.equal((await confirm(again)).status, 422, 'after a change');
  assert.equal(await emailOf(ivy.user.id), ivy.email);
});

test('409 when another account has the new address by then, told to nobody before, and nothing changes', async () => {
  const [carl, dora] = [await someone(), await someone()];
  const asked = await change(carl.token, { email: dora.email, current_password: password });
  assert.equal(asked.status, 200, 'as for every address');
  const mails = t.mails.length;
  const reply = await confirm(t.mailedToken());
  assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error']);
  assert.deepEqual([await emailOf(carl.user.id), await emailOf(dora.user.id)], [carl.email, dora.email]);
  assert.equal(t.mails.length, mails);
  assert.ok(!(await actionsIn(carl.workspace_id)).includes('user.email_changed'));
});

/** Calls while another transaction holds the account; that one changes the password before it ends. */
async function outrun(userId: string, call: () => Promise<Reply>): Promise<Reply> {
  const { asked } = await inTransaction(t.database.db, async (tx) => {
    await sql`select from users where id = ${userId} for no key update`.execute(tx);
    const asked = call();
    await until('the call to wait for the other one', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%from users%'`.execute(
        t.database.db,
      );
      return rows.length > 0 || undefined;
    });
    await sql`update users set password_hash = 'of another password' where id = ${userId}`.execute(tx);
    return { asked };
  });
  return asked;
}

test('422 for a change of address, of the password, two factors or a deletion whose password is changed in that moment', async () => {
  for (const [method, path, body] of [
    ['POST', '/auth/change-email', { email: 'outrun@new.example' }],
    ['POST', '/auth/delete-account', {}],
    ['POST', '/auth/2fa/setup', {}],
    ['PATCH', '/auth/me', { password: 'another horse', name: 'Outrun' }],
  ] as const) {
    const nia = await someone();
    const mails = t.mails.length;
    const given = { ...body, current_password: password };
    const reply = await outrun(nia.user.id, () => t.call(method, path, { token: nia.token, body: given }));
    assert.deepEqual([reply.status, reply.body.param], [422, 'current_password'], path);
    const { rows } = await sql<{ name: string | null; hash: string; factors: number; links: number }>`
      select name, password_hash as hash, (select count(*)::integer from two_factors f where f.user_id = u.id) as factors,
             (select count(*)::integer from user_tokens k where k.user_id = u.id and k.purpose = 'change_email') as links
        from users u where id = ${nia.user.id}`.execute(t.database.db);
    assert.deepEqual(rows, [{ name: null, hash: 'of another password', factors: 0, links: 0 }], path);
    assert.equal(t.mails.length, mails, path);
  }
});

test('409 when another account takes the new address in the same moment', async () => {
  const [kay, lou] = [await someone(), await someone()];
  await change(kay.token, { email: 'both@new.example', current_password: password });
  const token = t.mailedToken();
  const confirmed = await inTransaction(t.database.db, async (tx) => {
    await sql`update users set email = 'both@new.example' where id = ${lou.user.id}`.execute(tx);
    const asked = confirm(token);
    await until('the change to wait for the other one', async () => {
      const { rows } = await sql`
        select from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like '%update users%'`.execute(
        t.database.db,
      );
      return rows.length > 0 || undefined;
    });
    return { asked };
  });
  const reply = await confirmed.asked;
  assert.deepEqual([reply.status, reply.body.name], [409, 'conflict_error']);
  assert.equal(await emailOf(kay.user.id), kay.email);
});

test('400, 401 and 422 for what is no address, nobody, a wrong password and the own address, and no mail leaves', async () => {
  const finn = await someone();
  const mails = t.mails.length;
  for (const [body, status, param] of [
    [{ email: 'x', current_password: password }, 400, 'email'],
    [{ email: 'finn@new.example' }, 400, 'current_password'],
    [{ email: 'finn@new.example', current_password: 'wrong' }, 422, 'current_password'],
    [{ email: finn.email.toUpperCase(), current_password: password }, 422, 'email'],
  ] as const) {
    const reply = await change(finn.token, body);
    assert.deepEqual([reply.status, reply.body.param], [status, param], JSON.stringify(reply.body));
  }
  assert.equal((await t.call('POST', '/auth/change-email', { body: { email: 'a@b.example' } })).status, 401);
  assert.equal(t.mails.length, mails);
});

test('429 for a fourth link to one address in an hour', async () => {
  const gus = await someone();
  const again = () => change(gus.token, { email: 'victim@example.net', current_password: password });
  for (const status of [200, 200, 200, 429]) assert.equal((await again()).status, status);
});

test('the page of the link asks first and changes the address then, without scripts', async () => {
  const hal = await someone();
  await change(hal.token, { email: 'hal@new.example', current_password: password });
  const token = t.mailedToken();
  const page = await t.app.inject({ url: `/change-email?token=${token}` });
  assert.deepEqual([page.statusCode, await emailOf(hal.user.id)], [200, hal.email], 'a GET changes nothing');
  const post = (body: string) =>
    t.app.inject({
      method: 'POST',
      url: '/change-email',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: body,
    });
  const done = await post(`token=${token}`);
  assert.match(done.body, /Your address is changed/);
  assert.equal(await emailOf(hal.user.id), 'hal@new.example');
  const again = await post(`token=${token}`);
  assert.equal(again.statusCode, 400);
  assert.match(again.body, /not valid/);
});

test('200 on deleting the account of a member: sessions and memberships end, and the log of the workspace tells', async () => {
  const ina = await someone();
  const guest = await t.join(ina.workspace_id, 'guest@example.com', 'editor', ina.token);
  const { token } = guest;
  const own = (guest.workspaces as Body[]).find(({ role }) => role === 'owner');
  assert.equal(own, undefined);
  const reply = await deletion(token, ofGuest);
  assert.equal(reply.status, 200, JSON.stringify(reply.body));
  assert.match(String(reply.headers['set-cookie']), /Max-Age=0/);
  assert.equal((await t.call('GET', '/auth/me', { token })).status, 401);
  assert.equal(await emailOf(guest.user.id), undefined);
  const { body } = await t.call('GET', `/workspaces/${ina.workspace_id}/members`, { token: ina.token });
  assert.deepEqual(
    body.data.map((member: Body) => member.user_id ?? member.id),
    [ina.user.id],
  );
  assert.equal((await actionsIn(ina.workspace_id)).at(-1), 'user.deleted');
});

test('409 naming the workspaces whose last owner the person is, and nothing is deleted', async () => {
  const jan = await someone();
  const second = await t.call('POST', '/workspaces', { token: jan.token, body: { name: 'Second one' } });
  assert.equal(second.status, 201);
  const reply = await deletion(jan.token);
  assert.equal(reply.status, 409);
  assert.match(reply.body.message, /last owner of "Of \d+", "Second one"\./);
  assert.equal((await t.call('GET', '/auth/me', { token: jan.token })).status, 200);
  assert.ok(!(await actionsIn(jan.workspace_id)).includes('user.deleted'));
});

test('of two owners who delete their accounts at once, one stays', async () => {
  const kim = await someone();
  const lea = await t.join(kim.workspace_id, 'lea@example.com', 'owner', kim.token);
  const replies = await Promise.all([deletion(kim.token), deletion(lea.token, ofGuest)]);
  assert.deepEqual(replies.map(({ status }) => status).toSorted(), [200, 409]);
});

test('422 with a wrong password, 400 without one, 401 for nobody, and the account stays', async () => {
  const mia = await someone();
  assert.deepEqual([(await deletion(mia.token, 'wrong')).status, await emailOf(mia.user.id)], [422, mia.email]);
  const none = await t.call('POST', '/auth/delete-account', { token: mia.token, body: {} });
  assert.deepEqual([none.status, none.body.param], [400, 'current_password']);
  assert.equal((await t.call('POST', '/auth/delete-account', { body: { current_password: password } })).status, 401);
});

test('429 after ten wrong passwords for a new one, with If-Match too, for the right one as well', async () => {
  const pat = await someone();
  const ask = (current: string) =>
    t.call('PATCH', '/auth/me', {
      token: pat.token,
      body: { password: 'another horse', current_password: current },
      headers: { 'if-match': '*' },
    });
  for (let n = 0; n < 10; n += 1) assert.equal((await ask('wrong')).status, 422);
  assert.equal((await ask(password)).status, 429);
  t.clock.advance(901);
  assert.equal((await t.call('POST', '/auth/login', { body: { email: pat.email, password } })).status, 200);
});
