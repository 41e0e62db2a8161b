import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SignJWT, UnsecuredJWT } from 'jose';
import { sql } from 'kysely';
import { type AccountsApp, type Body, createAccountsApp } from '../../../../test/harness/accounts-app.ts';
import { until } from '../../../../test/harness/until.ts';
import { storeKey } from '../create-api-key.ts';
import { generateKey } from '../key-format.ts';

let t: AccountsApp;
let second: AccountsApp;
let owner: Body;

before(async () => {
  t = await createAccountsApp();
  second = await createAccountsApp({ beside: t });
  owner = await t.signIn();
});
after(async () => {
  await second.close();
  await t.close();
});

async function aKey(body: object = { scopes: ['*'] }): Promise<Body> {
  return (await t.call('POST', '/api-keys', { token: owner.token, body: { name: 'k', ...body } })).body;
}
const probe = (headers: Record<string, string>, url = '/probe') => t.call('GET', url, { headers });

test('200 for a key as bearer in any letter case, as X-API-Key, and as both when they are the same', async () => {
  const { key } = await aKey();
  for (const headers of [
    { authorization: `Bearer ${key}` },
    { authorization: `bearer ${key}` },
    { authorization: `BEARER  ${key}` },
    { 'x-api-key': key },
    { authorization: `Bearer ${key}`, 'x-api-key': key },
  ]) {
    assert.equal((await probe(headers)).status, 200, JSON.stringify(headers));
  }
});

test('401 for two credentials that differ, whichever of them is good', async () => {
  const [one, two] = [await aKey(), await aKey()];
  for (const headers of [
    { authorization: `Bearer ${one.key}`, 'x-api-key': two.key },
    { authorization: `Bearer ${owner.token}`, 'x-api-key': one.key },
    { authorization: `Bearer nonsense`, 'x-api-key': one.key },
  ]) {
    assert.equal((await probe(headers)).status, 401);
  }
});

test('401 for every near miss of a key: cut, changed, upper-cased, spaced, prefix only, in the query', async () => {
  const { key, prefix } = await aKey();
  const changed = key.slice(0, 20) + (key[20] === 'A' ? 'B' : 'A') + key.slice(21);
  for (const headers of [
    {},
    { authorization: '' },
    { authorization: 'Bearer' },
    { authorization: key },
    { authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}` },
    { authorization: `Bearer ${key} ${key}` },
    { authorization: `Bearer ${key.slice(0, -1)}` },
    { authorization: `Bearer ${key}x` },
    { authorization: `Bearer ${changed}` },
    { authorization: `Bearer ${key.toUpperCase()}` },
    { authorization: `Bearer ${prefix}` },
    { authorization: `Bearer ${key.slice(0, 20)} ${key.slice(20)}` },
    { 'x-api-key': `${key},${key}` },
    { 'x-api-key': '' },
    { 'x-api-key': `' or 1=1 --${key}` },
    { 'x-api-key': owner.token },
  ]) {
    const reply = await probe(headers as Record<string, string>);
    assert.equal(reply.status, 401, JSON.stringify(headers));
    assert.equal(reply.body.name, 'authentication_error');
  }
  assert.equal((await probe({}, `/probe?api_key=${key}&key=${key}&token=${owner.token}`)).status, 401);
});

/**
 * What all connections have written so far. Each tells it once a second at most, and then in the middle of whatever it
 * does next: all of them are made to tell it now.
 */
async function writes(): Promise<number | undefined> {
  const { db } = t.database;
  const [all, told] = [10, Promise.withResolvers<void>()];
  let held = 0;
  const tell = async () => {
    await db.connection().execute(async (own) => {
      await sql`select pg_stat_force_next_flush()`.execute(own);
      held += 1;
      if (held === all) told.resolve();
      await told.promise; // each holds its own until all are held
    });
  };
  await Promise.all(Array.from({ length: all }, tell));
  const { rows } = await sql<{ writes: number }>`
    select sum(n_tup_ins + n_tup_upd + n_tup_del)::bigint as writes from pg_stat_user_tables`.execute(db);
  return rows[0]?.writes;
}

test('401 for five hundred random keys: each costs no write, and the keys in use stay in use', async () => {
  const { key } = await aKey();
  await probe({ 'x-api-key': key });
  const before = await writes();
  let refused = 0;
  for (let round = 0; round < 5; round += 1) {
    const attempts = Array.from({ length: 100 }, async () => {
      const headers = { 'x-api-key': generateKey('live') };
      if ((await t.app.inject({ url: '/probe', headers })).statusCode === 401) refused += 1;
    });
    await Promise.all(attempts);
  }
  assert.equal(refused, 500);
  assert.equal((await probe({ 'x-api-key': key })).status, 200);
  assert.equal(await writes(), before);
});

test('401 outside the allowed networks, 200 within, for IPv4, IPv6 and IPv4 in IPv6', async () => {
  const { key } = await aKey({ scopes: ['*'], allowed_ips: ['203.0.113.0/24', '2001:db8::/32'] });
  const from = async (ip: string) => (await t.call('GET', '/probe', { key, ip })).status;
  assert.deepEqual(
    [await from('203.0.113.7'), await from('::ffff:203.0.113.7'), await from('2001:db8:1::5')],
    [200, 200, 200],
  );
  assert.deepEqual(
    [await from('203.0.114.7'), await from('2001:db9::1'), await from('::ffff:10.0.0.1')],
    [401, 401, 401],
  );
});

test('401 from the moment a key expires', async () => {
  const expires_at = new Date(t.clock.now().getTime() + 60_000).toISOString();
  const { key } = await aKey({ scopes: ['*'], expires_at });
  assert.equal((await probe({ 'x-api-key': key })).status, 200);
  t.clock.advance(60);
  assert.equal((await probe({ 'x-api-key': key })).status, 401);
});

test('401 in another process as soon as it is told of a revocation, and within a second when it is not', async () => {
  const told = await aKey();
  assert.equal((await second.call('GET', '/probe', { key: told.key })).status, 200);
  await t.call('DELETE', `/v1/api-keys/${told.id}`, { token: owner.token });
  // The clock stands still, so what it knows of the key never runs out.
  await until('the refusal of a process that was told', async () =>
    (await second.call('GET', '/probe', { key: told.key })).status === 401 ? true : undefined,
  );

  const untold = await aKey();
  await second.listener.stop();
  assert.equal((await second.call('GET', '/probe', { key: untold.key })).status, 200);
  await t.call('DELETE', `/v1/api-keys/${untold.id}`, { token: owner.token });
  t.clock.advance(1);
  assert.equal((await second.call('GET', '/probe', { key: untold.key })).status, 401);
});

test('200 for a new key that this process has just refused, as soon as it is told', async () => {
  const key = 'a-key-of-the-operators-choice-1';
  assert.equal((await t.call('GET', '/probe', { key })).status, 401);
  await storeKey(t.database.db, {
    workspaceId: t.home.workspaceId,
    name: 'chosen',
    scopes: ['*'],
    domainIds: [],
    newsletterIds: [],
    allowedIps: [],
    mode: 'live',
    limits: { hourly: 0, daily: 0, monthly: 0 },
    expiresAt: null,
    createdBy: null,
    key,
    now: t.clock.now(),
  });
  // The clock stands still, so that it was wrong is never forgotten by itself.
  await until('the acceptance of a key that was told of', async () =>
    (await t.call('GET', '/probe', { key })).status === 200 ? true : undefined,
  );
});

test('200 writes when and from where a key was last used, some seconds later, in one statement', async () => {
  const { key, id } = await aKey();
  await t.call('GET', '/probe', { key, ip: '198.51.100.7' });
  for (const service of t.apiKeys.services) await service.stop();
  const record = await t.call('GET', `/v1/api-keys/${id}`, { token: (await t.signIn()).token });
  assert.equal(record.body.last_used_at, t.clock.now().toISOString());
  assert.equal(record.body.last_used_ip, '198.51.100.7');
});

test('200 counts the uses of a key by UTC days, each key by itself, and shows 30 of them', async () => {
  const [{ key, id }, other] = [await aKey(), await aKey()];
  const today = t.clock.now().toISOString().slice(0, 10);
  const use = async (times: number, one = key) => {
    for (let n = 0; n < times; n += 1) await t.call('GET', '/probe', { key: one });
    for (const service of t.apiKeys.services) await service.stop();
  };
  await use(3);
  await use(2);
  await use(1, other.key);
  await sql`insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
    select workspace_id, id, 'uses', ${today}::date - days, 100 + days from api_keys cross join unnest('{29, 30}'::int[]) as days
     where id = ${id}`.execute(t.database.db);
  const { status, body } = await t.call('GET', `/v1/api-keys/${id}/uses`, { token: (await t.signIn()).token });
  assert.deepEqual([status, body.total, body.data.length], [200, 134, 30]);
  assert.deepEqual(
    [body.data.at(-1), body.data[0].requests, body.data[28].requests],
    [{ date: today, requests: 5 }, 129, 0],
  );
});

test('401 for dashboard tokens that we did not sign so: algorithm, key, type, audience, time, form', async () => {
  const good = (await t.signIn()).token;
  const [head = '', payload = '', signature = ''] = good.split('.');
  const header = JSON.parse(Buffer.from(head, 'base64url').toString());
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const key = t.secrets.key('dashboard-access');
  const sign = (over: object, overHeader: object = {}, by: Uint8Array = key) =>
    new SignJWT({ ...claims, ...over }).setProtectedHeader({ ...header, ...overHeader }).sign(by);
  assert.equal((await t.call('GET', '/probe', { token: await sign({}) })).status, 200);
  const bad: Record<string, string> = {
    none: new UnsecuredJWT(claims).encode(),
    'no signature': `${head}.${payload}.`,
    HS512: await sign({}, { alg: 'HS512' }),
    'another key': await sign({}, {}, t.secrets.key('confirm-subscription')),
    'another kid': await sign({}, { kid: '../../dev/null' }),
    'no kid': await sign({}, { kid: undefined }),
    'another type': await sign({}, { typ: 'JWT' }),
    'another audience': await sign({ aud: 'posthorn-public' }),
    'two audiences': await sign({ aud: ['posthorn-dashboard', 'x'] }),
    'another issuer': await sign({ iss: 'https://staging.example.com' }),
    'no expiry': await sign({ exp: undefined }),
    'expiry as text': await sign({ exp: String(claims.exp) }),
    'expiry in 1970': await sign({ exp: 1 }),
    'a year of life': await sign({ iat: claims.iat - 86_400, exp: claims.exp + 31_536_000 }),
    'issued tomorrow': await sign({ iat: claims.iat + 86_400, exp: claims.exp + 86_400 }),
    'not before tomorrow': await sign({ nbf: claims.iat + 86_400 }),
    'no session': await sign({ sid: undefined }),
    'a subject that is no id': await sign({ sub: "' or 1=1" }),
    'somebody else': await sign({ sub: '01999999-0000-7000-8000-000000000009' }),
    'embedded key': await sign({}, { jwk: { kty: 'oct', k: key.toString('base64url') }, kid: 'x' }),
    padding: `${good}=`,
    'four parts': `${good}.x`,
    'changed payload': `${head}.${Buffer.from(JSON.stringify({ ...claims, wid: null })).toString('base64url')}.${signature}`,
  };
  for (const [what, token] of Object.entries(bad)) {
    assert.equal((await t.call('GET', '/probe', { token })).status, 401, what);
  }
  // The last of 43 characters carries two bits that mean nothing: only one spelling of four is taken.
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const last = alphabet.indexOf(signature.at(-1) ?? '');
  const sibling = alphabet[(last & ~3) | ((last + 1) & 3)];
  assert.equal((await t.call('GET', '/probe', { token: `${good.slice(0, -1)}${sibling}` })).status, 401);
});

test('nothing unexpected was logged', () => {
  assert.deepEqual([t.errors, second.errors], [[], []]);
});
