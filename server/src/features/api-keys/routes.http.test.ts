import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AccountsApp, type Body, createAccountsApp, type Reply } from '../../../test/harness/accounts-app.ts';
import { verifyKeyFormat } from './key-format.ts';

let t: AccountsApp;
let owner: Body;
const NOBODY = '01999999-0000-7000-8000-000000000009';
const DOMAIN = '01999999-0000-7000-8000-00000000000d';
const MISSING = '01999999-0000-7000-8000-00000000000e';

before(async () => {
  t = await createAccountsApp({ missingDomains: (ids) => ids.filter((id) => id === MISSING) });
  owner = await t.signIn();
});
after(() => t.close());

const create = (body: object, by: { token?: string; key?: string } = { token: owner.token }): Promise<Reply> =>
  t.call('POST', '/v1/api-keys', { ...by, body: { name: 'test', ...body } });

async function aKey(body: object = { scopes: ['*'] }): Promise<Body> {
  const reply = await create(body);
  assert.equal(reply.status, 201, JSON.stringify(reply.body));
  return reply.body;
}

const countKeys = async (): Promise<number> => (await t.call('GET', '/api-keys', { token: owner.token })).body.total;

test('201 on create: the record and, this once, the key', async () => {
  const reply = await t.call('POST', '/api-keys', {
    token: owner.token,
    body: {
      name: 'prod',
      scopes: ['emails:send'],
      domain_ids: [DOMAIN],
      allowed_ips: ['203.0.113.9/24', '2001:DB8::1'],
      limits: { hourly: 7 },
    },
  });
  assert.equal(reply.status, 201);
  const { id, key, prefix, last4, ...rest } = reply.body;
  assert.ok(verifyKeyFormat(key));
  assert.ok(key.startsWith(prefix) && prefix.length === 12 && key.endsWith(last4));
  assert.deepEqual(rest, {
    name: 'prod',
    scopes: ['emails:send'],
    domain_ids: [DOMAIN],
    newsletter_ids: [],
    allowed_ips: ['203.0.113.0/24', '2001:db8::1/128'],
    mode: 'live',
    limits: { hourly: 7, daily: 1000, monthly: 10_000 },
    enabled: true,
    created_by: owner.user.id,
    last_used_at: null,
    last_used_ip: null,
    expires_at: null,
    revoked_at: null,
    created_at: t.clock.now().toISOString(),
  });
  const read = await t.call('GET', `/v1/api-keys/${id}`, { token: owner.token });
  assert.doesNotMatch(JSON.stringify(read.body), new RegExp(key));
  const { rows } = await sql<{ stored: string }>`
    select (api_keys.*)::text as stored from api_keys where workspace_id = ${t.home.workspaceId} and id = ${id}`.execute(
    t.database.db,
  );
  assert.doesNotMatch(rows[0]?.stored ?? key, new RegExp(key.slice(12, 40)));
});

test('201 with presets, written out; `test` keys say so and act so', async () => {
  const sending = await aKey({ scopes: ['sending_access'], mode: 'test' });
  assert.deepEqual(sending.scopes, ['emails:send', 'emails:read', 'scheduled:write', 'templates:read']);
  assert.match(sending.key, /^ph_test_/);
  assert.equal((await t.call('GET', '/probe', { key: sending.key })).body.mode, 'test');
  assert.deepEqual((await aKey({ scopes: ['full_access', 'emails:read'] })).scopes, ['*']);
  const readOnly = await aKey({ scopes: ['read_only'] });
  assert.ok(readOnly.scopes.every((scope: string) => scope.endsWith(':read')));
  assert.equal((await t.call('GET', '/probe', { key: readOnly.key })).status, 200);
  assert.equal((await t.call('POST', '/probe/send', { key: readOnly.key })).status, 403);
});

test('201 replayed for the same Idempotency-Key: the same secret, one key', async () => {
  const before = await countKeys();
  const once = () =>
    t.call('POST', '/api-keys', {
      token: owner.token,
      body: { name: 'once', scopes: ['emails:send'] },
      headers: { 'idempotency-key': 'key-once' },
    });
  const [first, second] = [await once(), await once()];
  assert.deepEqual(second.body, first.body);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal(await countKeys(), before + 1);
});

test('409 for somebody else with the Idempotency-Key of a new key: nobody is shown a key that another person made', async () => {
  const headers = { 'idempotency-key': 'key-of-the-owner' };
  const body = { name: 'full', scopes: ['*'] };
  const made = await t.call('POST', '/api-keys', { token: owner.token, body, headers });
  const rotated = await t.call('POST', `/api-keys/${made.body.id}/rotate`, { token: owner.token, body: {}, headers });
  assert.deepEqual([made.status, rotated.status], [201, 201]);
  const before = await countKeys();
  const { key } = await aKey({ scopes: ['api_keys:write'] });
  for (const [path, asked] of [
    ['/api-keys', body],
    [`/api-keys/${made.body.id}/rotate`, {}],
  ] as const) {
    const reply = await t.call('POST', path, { key, body: asked, headers });
    assert.deepEqual([reply.status, reply.body.param, reply.body.key], [409, 'Idempotency-Key', undefined], path);
  }
  assert.equal(await countKeys(), before + 1);
});

test('400 naming the field', async () => {
  const before = await countKeys();
  for (const [body, param] of [
    [{ scopes: ['emails:sned'] }, 'scopes[0]'],
    [{ scopes: [] }, 'scopes'],
    [{}, 'scopes'],
    [{ scopes: ['*'], allowed_ips: ['10.0.0.0/8', '10.0.0.256'] }, 'allowed_ips[1]'],
    [{ scopes: ['*'], allowed_ips: ['0x7f.1'] }, 'allowed_ips[0]'],
    [{ scopes: ['*'], domain_ids: ['nonsense'] }, 'domain_ids[0]'],
    [{ scopes: ['*'], expires_at: '2026-02-30T00:00:00Z' }, 'expires_at'],
    [{ scopes: ['*'], limits: { hourly: -1 } }, 'limits.hourly'],
    [{ scopes: ['*'], limits: { daily: 1.5 } }, 'limits.daily'],
    [{ scopes: ['*'], mode: 'prod' }, 'mode'],
  ] as const) {
    const reply = await create(body);
    assert.deepEqual([reply.status, reply.body.param], [400, param], JSON.stringify(body));
  }
  assert.equal(await countKeys(), before);
});

test('422 for an expiry in the past and a domain that the workspace does not have', async () => {
  const past = await create({ scopes: ['*'], expires_at: '2026-11-20T10:00:00Z' });
  assert.deepEqual([past.status, past.body.param], [422, 'expires_at']);
  const foreign = await create({ scopes: ['*'], domain_ids: [DOMAIN, MISSING] });
  assert.deepEqual([foreign.status, foreign.body.param], [422, 'domain_ids[1]']);
});

test('403 when a key makes one that may do more than itself; 201 when it may do as much', async () => {
  const own = await aKey({
    scopes: ['api_keys:write', 'emails:send'],
    domain_ids: [DOMAIN],
    allowed_ips: ['127.0.0.0/8', '198.51.100.0/24'],
    limits: { hourly: 10, daily: 0, monthly: 0 },
    expires_at: '2026-12-01T00:00:00Z',
    mode: 'test',
  });
  const same = {
    scopes: ['emails:send'],
    domain_ids: [DOMAIN],
    allowed_ips: ['198.51.100.128/25'],
    expires_at: '2026-11-30T00:00:00Z',
    mode: 'test',
  };
  const made = await create(same, { key: own.key });
  assert.equal(made.status, 201);
  assert.deepEqual(made.body.limits, { hourly: 10, daily: 1000, monthly: 10_000 });
  assert.equal(made.body.created_by, null);
  const before = await countKeys();
  for (const [more, param] of [
    [{ scopes: ['*'] }, 'scopes'],
    [{ scopes: ['emails:send', 'domains:read'] }, 'scopes'],
    [{ scopes: ['full_access'] }, 'scopes'],
    [{ domain_ids: [] }, 'domain_ids'],
    [{ domain_ids: [NOBODY] }, 'domain_ids[0]'],
    [{ allowed_ips: [] }, 'allowed_ips'],
    [{ allowed_ips: ['198.51.0.0/16'] }, 'allowed_ips[0]'],
    [{ limits: { hourly: 11 } }, 'limits.hourly'],
    [{ limits: { hourly: 0 } }, 'limits.hourly'],
    [{ expires_at: null }, 'expires_at'],
    [{ expires_at: '2026-12-01T00:00:01Z' }, 'expires_at'],
    [{ mode: 'live' }, 'mode'],
  ] as const) {
    const reply = await create({ ...same, ...more }, { key: own.key });
    assert.deepEqual([reply.status, reply.body.param], [403, param], JSON.stringify(more));
  }
  assert.equal(await countKeys(), before);
});

test('200 names the working keys of a removed member, which go on working', async () => {
  const leaver = await t.join(t.home.workspaceId, 'leaver@example.com', 'developer', owner.token);
  const keys: Body[] = [];
  for (const name of ['kept', 'revoked']) {
    keys.push((await create({ name, scopes: ['emails:read'] }, { token: leaver.token })).body);
  }
  const [kept, revoked] = keys;
  await t.call('DELETE', `/v1/api-keys/${revoked.id}`, { token: owner.token });
  const url = `/workspaces/${t.home.workspaceId}/members/${leaver.user.id}`;
  const { status, body } = await t.call('DELETE', url, { token: owner.token });
  assert.deepEqual([status, body], [200, { success: true, api_keys: [{ id: kept.id, name: 'kept' }] }]);
  assert.equal((await t.call('GET', '/probe', { key: kept.key })).status, 200);
});

test('403 when a developer makes a key for everything; 201 for what a developer may do', async () => {
  const developer = await t.join(t.home.workspaceId, 'dev@example.com', 'developer', owner.token);
  assert.equal((await create({ scopes: ['*'] }, { token: developer.token })).status, 403);
  assert.equal((await create({ scopes: ['broadcasts:send'] }, { token: developer.token })).status, 403);
  assert.equal((await create({ scopes: ['audit:read'] }, { token: developer.token })).status, 403);
  const readOnly = await create({ scopes: ['read_only'] }, { token: developer.token });
  assert.deepEqual([readOnly.status, readOnly.body.scopes.includes('audit:read')], [201, false]);
  assert.equal((await create({ scopes: ['sending_access'] }, { token: developer.token })).status, 201);
});

test('403 when an admin makes a key for everything, which would read the owner’s mail; 201 for each scope by name', async () => {
  const admin = await t.join(owner.workspaces[0].id, 'admin@example.com', 'admin', owner.token);
  const before = await countKeys();
  const refused = await create({ scopes: ['full_access'] }, { token: admin.token });
  assert.equal(refused.status, 403);
  assert.equal(refused.body.param, 'scopes');
  assert.equal(await countKeys(), before);
  const allowed = await create({ scopes: ['emails:send', 'api_keys:write'] }, { token: admin.token });
  assert.equal(allowed.status, 201);
});

test('403 when a weak key rotates or changes a strong one, which would be taking it over', async () => {
  const strong = await aKey();
  const weak = await aKey({ scopes: ['api_keys:write'] });
  const rotate = await t.call('POST', `/v1/api-keys/${strong.id}/rotate`, { key: weak.key });
  assert.equal(rotate.status, 403);
  const change = await t.call('PATCH', `/v1/api-keys/${strong.id}`, {
    key: weak.key,
    body: { scopes: ['api_keys:read'] },
  });
  assert.equal(change.status, 403);
  const widen = await t.call('PATCH', `/v1/api-keys/${weak.id}`, { key: weak.key, body: { scopes: ['*'] } });
  assert.equal(widen.status, 403);
  assert.deepEqual((await t.call('GET', `/v1/api-keys/${strong.id}`, { token: owner.token })).body.scopes, ['*']);
});

test('403 naming the scope, on every route, for a key without it', async () => {
  const { key } = await aKey({ scopes: ['emails:send'] });
  for (const [method, url, scope] of [
    ['POST', '/v1/api-keys', 'api_keys:write'],
    ['GET', '/v1/api-keys', 'api_keys:read'],
    ['GET', `/v1/api-keys/${NOBODY}`, 'api_keys:read'],
    ['PATCH', `/v1/api-keys/${NOBODY}`, 'api_keys:write'],
    ['DELETE', `/v1/api-keys/${NOBODY}`, 'api_keys:write'],
    ['POST', `/v1/api-keys/${NOBODY}/rotate`, 'api_keys:write'],
    ['GET', `/rate-limits/${NOBODY}`, 'api_keys:read'],
  ] as const) {
    const reply = await t.call(method, url, { key });
    assert.equal(reply.status, 403);
    assert.equal(reply.body.message, `This key needs the scope "${scope}".`);
  }
});

test("404 for another workspace's key on every route, as for one that never was; it stays as it is", async () => {
  const elsewhere = await t.call('POST', '/workspaces', { token: owner.token, body: { name: 'Elsewhere' } });
  const at = { 'x-workspace-id': elsewhere.body.id };
  const other = await t.call('POST', '/api-keys', {
    token: owner.token,
    headers: at,
    body: { name: 'k', scopes: ['*'] },
  });
  const { key } = await aKey();
  for (const [method, path, body] of [
    ['GET', '/v1/api-keys/:id', undefined],
    ['PATCH', '/v1/api-keys/:id', { name: 'mine now' }],
    ['DELETE', '/v1/api-keys/:id', undefined],
    ['POST', '/v1/api-keys/:id/rotate', { grace_seconds: 0 }],
    ['GET', '/rate-limits/:id', undefined],
    ['GET', '/v1/rate-limits/:id', undefined],
  ] as const) {
    const ask = async (id: string) => {
      const reply = await t.call(method, path.replace(':id', id), { key, body });
      return [reply.status, reply.body.message.replaceAll(id, '…')];
    };
    assert.deepEqual(await ask(other.body.id), await ask(NOBODY), `${method} ${path}`);
    assert.equal((await ask('nonsense'))[0], 404);
  }
  const stays = await t.call('GET', `/api-keys/${other.body.id}`, { token: owner.token, headers: at });
  assert.equal(stays.body.name, 'k');
  assert.equal(stays.body.revoked_at, null);
});

test('200 on change: what was left out stays; disabled answers 401 until it is enabled', async () => {
  const key = await aKey();
  const change = (body: object) => t.call('PATCH', `/v1/api-keys/${key.id}`, { token: owner.token, body });
  const changed = await change({ name: 'renamed', scopes: ['emails:read'], limits: { daily: 5 }, enabled: false });
  assert.equal(changed.status, 200);
  assert.deepEqual(changed.body.limits, { hourly: 100, daily: 5, monthly: 10_000 });
  assert.equal((await t.call('GET', '/probe', { key: key.key })).status, 401);
  await change({ enabled: true });
  assert.equal((await t.call('GET', '/probe', { key: key.key })).status, 200);
  assert.equal((await t.call('POST', '/probe/send', { key: key.key })).status, 403);
});

test('200 on revoke: 401 from the next request on, the record stays, and doing it again changes nothing', async () => {
  const key = await aKey();
  assert.equal((await t.call('GET', '/probe', { key: key.key })).status, 200);
  const path = `/v1/api-keys/${key.id}`;
  assert.deepEqual((await t.call('DELETE', path, { token: owner.token })).body, { success: true });
  const refused = await t.call('GET', '/probe', { key: key.key });
  assert.equal(refused.status, 401);
  assert.equal(refused.body.name, 'authentication_error');
  t.clock.advance(5);
  assert.equal((await t.call('DELETE', path, { token: owner.token })).status, 200);
  const record = (await t.call('GET', path, { token: owner.token })).body;
  assert.equal(record.revoked_at, new Date(t.clock.now().getTime() - 5_000).toISOString());
  assert.equal((await t.call('PATCH', path, { token: owner.token, body: { enabled: true } })).status, 409);
  assert.equal((await t.call('POST', `${path}/rotate`, { token: owner.token })).status, 409);
  const log = await t.call('GET', '/security-log?action=api_key.revoked', { token: owner.token });
  assert.equal(log.body.data.filter((event: Body) => event.target.id === key.id).length, 1);
});

test('201 on rotate: both keys work during the grace, then only the new one', async () => {
  const old = await aKey({ scopes: ['emails:read'], limits: { hourly: 3 } });
  const rotated = await t.call('POST', `/v1/api-keys/${old.id}/rotate`, {
    token: owner.token,
    body: { grace_seconds: 60 },
  });
  assert.equal(rotated.status, 201);
  assert.notEqual(rotated.body.id, old.id);
  assert.deepEqual([rotated.body.name, rotated.body.scopes, rotated.body.limits.hourly], [old.name, old.scopes, 3]);
  const statuses = async () => [
    (await t.call('GET', '/probe', { key: old.key })).status,
    (await t.call('GET', '/probe', { key: rotated.body.key })).status,
  ];
  assert.deepEqual(await statuses(), [200, 200]);
  t.clock.advance(61);
  assert.deepEqual(await statuses(), [401, 200]);
});

test('201 on rotate without grace: the old key is revoked at once; without a body the grace is a day', async () => {
  const old = await aKey();
  const next = await t.call('POST', `/v1/api-keys/${old.id}/rotate`, {
    token: owner.token,
    body: { grace_seconds: 0 },
  });
  assert.equal((await t.call('GET', '/probe', { key: old.key })).status, 401);
  await t.call('POST', `/v1/api-keys/${next.body.id}/rotate`, { token: owner.token });
  const record = await t.call('GET', `/v1/api-keys/${next.body.id}`, { token: owner.token });
  assert.equal(record.body.expires_at, new Date(t.clock.now().getTime() + 86_400_000).toISOString());
});

test('200 on the list: newest first, revoked ones too', async () => {
  const key = await aKey();
  await t.call('DELETE', `/v1/api-keys/${key.id}`, { token: owner.token });
  const list = await t.call('GET', '/v1/api-keys?limit=1', { key: t.home.apiKey });
  assert.equal(list.body.data[0].id, key.id);
  assert.equal(list.body.has_more, true);
  assert.equal((await t.call('GET', '/v1/api-keys?limit=0', { key: t.home.apiKey })).body.param, 'limit');
});

test('200 on the rate limits of a key: three windows in UTC; unlimited tiers say so', async () => {
  const key = await aKey({ scopes: ['emails:send'], limits: { hourly: 5, daily: 0 } });
  await t.call('POST', '/probe/send', { key: key.key });
  const now = t.clock.now();
  const [year, month, day, hour] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), now.getUTCHours()];
  const expected = {
    hourly: { limit: 5, remaining: 4, resetAt: new Date(Date.UTC(year, month, day, hour + 1)).toISOString() },
    daily: { limit: 0, remaining: 2_147_483_647, resetAt: new Date(Date.UTC(year, month, day + 1)).toISOString() },
    monthly: { limit: 10_000, remaining: 9_999, resetAt: new Date(Date.UTC(year, month + 1)).toISOString() },
  };
  for (const path of ['/rate-limits', '/v1/rate-limits']) {
    assert.deepEqual((await t.call('GET', `${path}/${key.id}`, { token: owner.token })).body, expected);
  }
});

test('nothing unexpected was logged', () => {
  assert.deepEqual(t.errors, []);
});
