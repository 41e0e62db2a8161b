import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { type AccountsApp, type Body, createAccountsApp, type Reply } from '../../../../test/harness/accounts-app.ts';
import { sweepUsage } from '#platform/usage/usage-sweeper.ts';

let t: AccountsApp;
let second: AccountsApp;
let token: string;

before(async () => {
  t = await createAccountsApp();
  second = await createAccountsApp({ beside: t });
  // A request waits two seconds for a connection; on a busy machine it takes longer to open all of them in a rush.
  await openConnections(10);
});
after(async () => {
  await second.close();
  await t.close();
});
beforeEach(async () => {
  token = (await t.signIn()).token;
});

/** Opens so many one after the other, each while the ones before are in use. */
const openConnections = (count: number): Promise<void> =>
  t.database.db.connection().execute(async (own) => {
    await sql`select 1`.execute(own);
    if (count > 1) await openConnections(count - 1);
  });

async function aKey(limits: object): Promise<Body> {
  const body = { name: 'k', scopes: ['emails:send', 'api_keys:read'], limits };
  return (await t.call('POST', '/api-keys', { token, body })).body;
}

const send = (key: string, app = t): Promise<Reply> => app.call('POST', '/probe/send', { key });

/** As many at once, spread over two processes. */
const sendAtOnce = (key: string, count: number): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => send(key, i % 2 === 0 ? t : second)));

const countOf = (replies: readonly Reply[], status: number): number =>
  replies.filter((reply) => reply.status === status).length;

const usedBy = async (id: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ tier: string; used: number }>`
    select tier, used from usage_windows where workspace_id = ${t.home.workspaceId} and subject_id = ${id} order by tier`.execute(
    t.database.db,
  );
  return Object.fromEntries(rows.map((row) => [row.tier, row.used]));
};

for (const [tier, limits] of [
  ['hourly', { hourly: 40, daily: 0, monthly: 0 }],
  ['daily', { hourly: 0, daily: 40, monthly: 0 }],
  ['monthly', { hourly: 0, daily: 0, monthly: 40 }],
  ['the tightest of three', { hourly: 50, daily: 40, monthly: 60 }],
] as const) {
  test(`429 for exactly 24 of 64 parallel sends over two processes at a limit of 40: ${tier}`, async () => {
    const { key } = await aKey(limits);
    const replies = await sendAtOnce(key, 64);
    assert.deepEqual([countOf(replies, 200), countOf(replies, 429)], [40, 24]);
  });
}

test('429 for exactly 19 of 20 parallel sends when 99 of 100 are used, and the refused ones count in no tier', async () => {
  const { key, id } = await aKey({ hourly: 100, daily: 1_000, monthly: 10_000 });
  await send(key);
  await sql`update usage_windows set used = 99 where workspace_id = ${t.home.workspaceId} and subject_id = ${id}`.execute(
    t.database.db,
  );
  const replies = await sendAtOnce(key, 20);
  assert.deepEqual([countOf(replies, 200), countOf(replies, 429)], [1, 19]);
  assert.deepEqual(await usedBy(id), { daily: 100, hourly: 100, monthly: 100 });
});

test('429 says when: body, Retry-After and X-RateLimit-Reset name one instant; the tier is the one with the least left', async () => {
  t.clock.set(new Date('2027-02-28T23:10:30.250Z'));
  token = (await t.signIn()).token;
  const { key } = await aKey({ hourly: 2, daily: 2, monthly: 500 });
  const first = await send(key);
  assert.equal(first.status, 200);
  assert.deepEqual(
    ['limit', 'remaining', 'reset', 'tier'].map((name) => first.headers[`x-ratelimit-${name}`]),
    ['2', '1', String(Date.parse('2027-03-01T00:00:00Z') / 1_000), 'hourly'],
  );
  await send(key);
  const refused = await send(key);
  assert.equal(refused.status, 429);
  assert.equal(refused.body.name, 'rate_limit_error');
  assert.equal(
    refused.body.message,
    'This key may send 2 requests an hour; that many were accepted. Wait until 2027-03-01T00:00:00.000Z, or raise ' +
      'limits.hourly in the dashboard. A key cannot raise its own limits.',
  );
  assert.equal(refused.body.resetAt, '2027-03-01T00:00:00.000Z');
  assert.equal(refused.body.retryAfter, 2_970);
  assert.equal(refused.headers['retry-after'], '2970');
  assert.equal(Number(refused.headers['x-ratelimit-reset']), Date.parse(refused.body.resetAt) / 1_000);
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
});

test('200 again in the next hour, day and month: windows are fixed in UTC and as long as their month', async () => {
  for (const [limits, full, still, over] of [
    [{ hourly: 1, daily: 0, monthly: 0 }, '2027-03-05T10:59:59.999Z', '2027-03-05T10:00:00Z', '2027-03-05T11:00:00Z'],
    [{ hourly: 0, daily: 1, monthly: 0 }, '2027-03-05T00:00:00Z', '2027-03-05T23:59:59.999Z', '2027-03-06T00:00:00Z'],
    [{ hourly: 0, daily: 0, monthly: 1 }, '2028-02-01T00:00:00Z', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00Z'],
    [{ hourly: 0, daily: 0, monthly: 1 }, '2027-12-31T23:59:59Z', '2027-12-01T00:00:00Z', '2028-01-01T00:00:00Z'],
  ] as const) {
    t.clock.set(new Date(full));
    token = (await t.signIn()).token;
    const { key } = await aKey(limits);
    const answers = [];
    for (const at of [full, still, over]) {
      t.clock.set(new Date(at));
      answers.push(await send(key));
    }
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 429, 200],
      full,
    );
    assert.match(answers[1]?.body.message, /^This key may send 1 request a/);
  }
});

test('200 and no row where nothing is limited, for keys and for people; a key without limits has no limit headers', async () => {
  const { key, id } = await aKey({ hourly: 0, daily: 0, monthly: 0 });
  const reply = await send(key);
  assert.equal(reply.status, 200);
  assert.equal(reply.headers['x-ratelimit-limit'], undefined);
  assert.deepEqual(await usedBy(id), {});
  assert.equal((await t.call('POST', '/probe/send', { token })).status, 200);
});

test('200 replayed does not count, and neither does 4xx', async () => {
  const { key, id } = await aKey({ hourly: 5, daily: 0, monthly: 0 });
  const once = () => t.call('POST', '/probe/send', { key, headers: { 'idempotency-key': 'send-once' } });
  const replies = [await once(), await once(), await once()];
  assert.deepEqual(
    replies.map((reply) => reply.status),
    [200, 200, 200],
  );
  const bad = await t.call('POST', '/probe/send', { key, headers: { 'idempotency-key': 'not allowed' } });
  assert.equal(bad.status, 400);
  assert.equal(bad.headers['x-ratelimit-remaining'], '4');
  assert.deepEqual(await usedBy(id), { hourly: 1 });
});

test('429 leaves its Idempotency-Key free: the same request is accepted in the next window', async () => {
  const { key } = await aKey({ hourly: 1, daily: 0, monthly: 0 });
  await send(key);
  const retry = () => t.call('POST', '/probe/send', { key, headers: { 'idempotency-key': 'again' } });
  assert.equal((await retry()).status, 429);
  t.clock.advance(3_600);
  assert.equal((await retry()).status, 200);
});

test('200 for another key of the same workspace while one is full', async () => {
  const [full, free] = [await aKey({ hourly: 1 }), await aKey({ hourly: 1 })];
  await send(full.key);
  assert.deepEqual([(await send(full.key)).status, (await send(free.key)).status], [429, 200]);
});

test('429 at once when a limit is lowered below what was used, and never a negative remainder', async () => {
  const { key, id } = await aKey({ hourly: 10, daily: 0, monthly: 0 });
  for (let i = 0; i < 5; i += 1) await send(key);
  await t.call('PATCH', `/api-keys/${id}`, { token, body: { limits: { hourly: 3 } } });
  const refused = await send(key);
  assert.equal(refused.status, 429);
  assert.equal(refused.headers['x-ratelimit-remaining'], '0');
  const usage = await t.call('GET', `/rate-limits/${id}`, { token });
  assert.equal(usage.body.hourly.remaining, 0);
});

test('old windows are deleted, the ones that are still read are not', async () => {
  const { key, id } = await aKey({ hourly: 10, daily: 10, monthly: 10 });
  await send(key);
  t.clock.advance(3 * 86_400);
  await sweepUsage({ db: t.database.db, clock: t.clock });
  assert.deepEqual(await usedBy(id), { daily: 1, monthly: 1 });
  t.clock.advance(40 * 86_400);
  await sweepUsage({ db: t.database.db, clock: t.clock });
  assert.deepEqual(await usedBy(id), {});
});

test('nothing unexpected was logged', () => {
  assert.deepEqual([t.errors, second.errors], [[], []]);
});
