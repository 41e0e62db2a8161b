/**
 * Limits of keys and domains, Idempotency-Key and revocation over two real processes that share one database. Their
 * wall clocks stand in the last half hour of January 2027, and are moved into February once.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aDomain } from '../harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { rowsAtOnce } from '../harness/noted-later.ts';
import { type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';

const NOW = '2027-01-31T23:30:00.000Z';
const THEN = '2027-02-01T00:00:01.000Z';
const EDGE = '2027-02-01T00:00:00.000Z';
const WINDOWS = {
  hourly: { start: '2027-01-31T23:00:00.000Z', limit: 100 },
  daily: { start: '2027-01-31T00:00:00.000Z', limit: 1_000 },
  monthly: { start: '2027-01-01T00:00:00.000Z', limit: 10_000 },
};
type Tier = keyof typeof WINDOWS;
const TIERS: readonly Tier[] = ['hourly', 'daily', 'monthly'];

interface Answer {
  status: number;
  body: any;
  headers: Headers;
}

let database: TestDatabase;
let processes: readonly [PosthornProcess, PosthornProcess];
let workspaceId: string;

before(async () => {
  database = await createTestDatabase();
  const options = {
    databaseUrl: database.url,
    args: ['--role', 'api'],
    nodeArgs: ['--import', join(import.meta.dirname, '../harness/moved-clock-process.ts')],
    env: {
      TEST_CLOCK_AT: NOW,
      TEST_CLOCK_THEN: THEN,
      POSTHORN_API_KEY: `test_key_${randomBytes(16).toString('hex')}`,
    },
  };
  const first = await startProcess(options);
  processes = [first, await startProcess(options)];
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  workspaceId = rows[0]?.id ?? '';
});
after(async () => {
  await Promise.all(processes.map((one) => one.stop()));
  await database.close();
});

const of = (index: number): PosthornProcess => processes[index % 2] ?? processes[0];

async function newKey(limits: Partial<Record<Tier, number>>): Promise<{ id: string; key: string }> {
  const body = { name: 'limited', scopes: ['emails:send'], limits: { hourly: 0, daily: 0, monthly: 0, ...limits } };
  const made: Answer = await of(0).fetch('/v1/api-keys', { body });
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body;
}

const EMAIL = { from: 'Acme <hello@posthorn.test>', to: ['ada@example.com'], subject: 'Limit', text: 'Hello' };

const send = (
  through: PosthornProcess,
  key: string,
  more: { body?: unknown; headers?: Record<string, string> } = {},
): Promise<Answer> =>
  through.fetch('/v1/send', {
    body: more.body ?? EMAIL,
    headers: { authorization: `Bearer ${key}`, ...more.headers },
  });

const parallel = (count: number, work: (index: number) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

async function usedOf(id: string): Promise<Partial<Record<Tier, number>>> {
  const { rows } = await sql<{ tier: Tier; used: number }>`
    select tier, used from usage_windows t where workspace_id = ${workspaceId} and subject_id = ${id}
       and ${rowsAtOnce('usage_windows')}
     order by window_start`.execute(database.db);
  return Object.fromEntries(rows.map(({ tier, used }) => [tier, used]));
}

async function emailsOf(id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${workspaceId} and s.api_key_id = ${id}`.execute(database.db);
  return rows[0]?.count ?? -1;
}

function assertLimitHeaders(answer: Answer, tier: Tier, limit: number, reset = EDGE): void {
  const what = `${answer.status} ${JSON.stringify(answer.body)}`;
  assert.equal(answer.headers.get('x-ratelimit-limit'), String(limit), what);
  assert.equal(answer.headers.get('x-ratelimit-tier'), tier, what);
  assert.equal(answer.headers.get('x-ratelimit-reset'), String(Date.parse(reset) / 1_000), what);
  const remaining = Number(answer.headers.get('x-ratelimit-remaining'));
  assert.ok(Number.isInteger(remaining) && remaining >= 0 && remaining < limit, what);
}

function assertRefusedUntil(answer: Answer, reset: string): void {
  assert.equal(answer.status, 429);
  assert.equal(answer.body.name, 'rate_limit_error');
  assert.equal(answer.body.resetAt, reset);
  assert.equal(answer.headers.get('retry-after'), String(answer.body.retryAfter));
  assert.equal(answer.headers.get('x-ratelimit-remaining'), '0');
  assert.ok(answer.body.retryAfter > 0 && answer.body.retryAfter <= 1_800, `${answer.body.retryAfter} s`);
}

const full: { id: string; key: string; tier: Tier }[] = [];

for (const tier of TIERS) {
  test(`64 parallel sends over two processes at the ${tier} limit: exactly what was left is accepted`, async (t) => {
    const limits = Object.fromEntries(TIERS.map((one) => [one, WINDOWS[one].limit]));
    const { limit, start } = WINDOWS[tier];
    const left = 10;
    const { id, key } = await newKey(limits);
    await sql`insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
      values (${workspaceId}, ${id}, ${tier}, ${start}, ${limit - left})`.execute(database.db);

    const answers = await parallel(64, (index) => send(of(index), key));
    const accepted = answers.filter(({ status }) => status === 202);
    const refused = answers.filter(({ status }) => status !== 202);
    assert.equal(accepted.length - left, 0, 'admitted − limit');
    for (const answer of answers) assertLimitHeaders(answer, tier, limit);
    for (const answer of refused) assertRefusedUntil(answer, EDGE);
    assert.equal(await emailsOf(id), left);
    const used = Object.fromEntries(TIERS.map((one) => [one, one === tier ? limit : left]));
    assert.deepEqual(await usedOf(id), used, 'a refused request counts in no tier');
    full.push({ id, key, tier });
    t.diagnostic(`admitted − limit ${accepted.length - left}, headers right on ${answers.length} answers`);
  });
}

test('two keys of one workspace: one is full, the other has all it had', async () => {
  const one = await newKey({ hourly: 5 });
  const other = await newKey({ hourly: 7 });
  const answers = await parallel(64, (index) => send(of(index >> 1), (index % 2 === 0 ? one : other).key));
  assert.equal(answers.filter(({ status }, index) => index % 2 === 0 && status === 202).length, 5);
  assert.equal(answers.filter(({ status }, index) => index % 2 === 1 && status === 202).length, 7);
});

test('replays and refused requests are free, and a replay is answered when the limit is reached', async () => {
  const { id, key } = await newKey({ hourly: 2 });
  const headers = { 'idempotency-key': `replayed-${id}` };
  const first = await send(of(0), key, { headers });
  assert.equal(first.status, 202);
  const refusals = [
    { body: {}, status: 400 },
    { body: { ...EMAIL, from: 'x@unverified.example' }, status: 422 },
    { body: { ...EMAIL, to: ['no address'] }, status: 400 },
  ];
  for (const { body, status } of refusals) {
    const answer = await send(of(1), key, { body });
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assertLimitHeaders(answer, 'hourly', 2);
  }
  assert.deepEqual(await usedOf(id), { hourly: 1 });
  assert.equal((await send(of(0), key)).status, 202);
  assertRefusedUntil(await send(of(1), key), EDGE);
  for (const answer of await parallel(10, (index) => send(of(index), key, { headers }))) {
    assert.equal(answer.status, 202);
    assert.deepEqual(answer.body, first.body);
    assert.equal(answer.headers.get('idempotent-replayed'), 'true');
    assert.notEqual(answer.headers.get('x-request-id'), first.headers.get('x-request-id'));
  }
  assert.deepEqual(await usedOf(id), { hourly: 2 });
  assert.equal(await emailsOf(id), 2);
});

// A request refused before the key is looked at (a packed body, one of 41 MB, a wrong key) cannot show any.
test('every answer to a known key shows the limits, whatever it is; the other path of the route counts the same', async () => {
  const { id, key } = await newKey({ daily: 3 });
  const raw = async (path: string, body: string, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await fetch(`${of(0).url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body,
    });
    return { status: answer.status, body: await answer.json(), headers: answer.headers };
  };
  const good = JSON.stringify(EMAIL);
  const once = { 'idempotency-key': `shown-${id}` };
  const answers: [number, Answer][] = [
    [202, await raw('/v1/send', good, once)],
    [202, await raw('/v1/send', good, once)],
    [409, await raw('/v1/send', JSON.stringify({ ...EMAIL, text: 'Another' }), once)],
    [200, await raw('/v1/send?dryRun=true', good)],
    [400, await raw('/v1/send', '{"from":')],
    [400, await raw('/v1/send', good, { 'idempotency-key': 'a b' })],
    [400, await raw('/v1/send?dryRun=perhaps', good)],
    [415, await raw('/v1/send', good, { 'content-type': 'text/plain' })],
    [422, await raw('/v1/send', JSON.stringify({ ...EMAIL, templateId: 'x' }))],
    [202, await raw('/api/v1/email/send', good)],
    [202, await raw('/v1/send', good)],
    [429, await raw('/api/v1/email/send', good)],
    [429, await raw('/v1/send', '{}')],
  ];
  for (const [status, answer] of answers) {
    assert.equal(answer.status, status, JSON.stringify(answer.body));
    assertLimitHeaders(answer, 'daily', 3);
  }
  const batch: Answer = await of(1).fetch('/v1/batch', {
    body: [EMAIL],
    headers: { authorization: `Bearer ${key}` },
  });
  assert.equal(batch.status, 202, 'only single sends are limited');
  assert.equal(await emailsOf(id), 4);
  assert.deepEqual(await usedOf(id), { daily: 3 });
});

test('50 parallel requests with one Idempotency-Key over two processes: one effect', async () => {
  const { id, key } = await newKey({ hourly: 100 });
  const headers = { 'idempotency-key': `once-${id}` };
  const answers = await parallel(50, (index) => send(of(index), key, { headers }));
  const accepted = answers.filter(({ status }) => status === 202);
  assert.ok(accepted.length >= 1);
  assert.equal(new Set(accepted.map(({ body }) => JSON.stringify(body))).size, 1);
  assert.equal(accepted.filter((answer) => answer.headers.get('idempotent-replayed') === null).length, 1);
  for (const answer of answers.filter(({ status }) => status !== 202)) {
    assert.equal(answer.status, 409);
    assert.equal(answer.body.param, 'Idempotency-Key');
    assert.equal(answer.headers.get('retry-after'), '1');
  }
  assert.equal(await emailsOf(id), 1);
  assert.deepEqual(await usedOf(id), { hourly: 1 });
  const changed = await send(of(1), key, { headers, body: { ...EMAIL, subject: 'Another' } });
  assert.equal(changed.status, 409);
  assert.equal(await emailsOf(id), 1);
});

test('the cap of a domain is never passed: all recipients of a request or none', async (t) => {
  const cap = 50;
  const domainId = await aDomain(database.db, workspaceId, 'capped.example', { daily: cap, monthly: 1_000 });
  const { id, key } = await newKey({});
  const from = 'Capped <a@capped.example>';
  const three = { ...EMAIL, from, to: ['a@example.com', 'b@example.com', 'c@example.com'] };
  const answers = await parallel(64, (index) => send(of(index), key, { body: three }));
  assert.equal(answers.filter(({ status }) => status === 202).length, 16, '16 times 3 fit into 50');
  for (const { status, body } of answers.filter((answer) => answer.status !== 202)) {
    assert.equal(status, 403);
    assert.equal(body.name, 'permission_error');
    assert.equal(body.param, 'from');
    assert.match(body.message, /^daily limit of 50 reached for capped\.example; resets 2027-02-01T00:00:00Z$/);
  }
  const ones = await parallel(64, (index) => send(of(index), key, { body: { ...EMAIL, from } }));
  assert.equal(ones.filter(({ status }) => status === 202).length, 2, 'two single recipients still fit');
  assert.equal(await emailsOf(id), cap);
  const { rows } = await sql<{ tier: string; used: number }>`
    select tier, used from usage_windows where workspace_id = ${workspaceId} and subject_id = ${domainId} order by tier`.execute(
    database.db,
  );
  assert.deepEqual(rows, [
    { tier: 'daily', used: cap },
    { tier: 'monthly', used: cap },
  ]);
  t.diagnostic(`accepted recipients − cap ${(await emailsOf(id)) - cap}`);
});

test('a revoked key is refused by the other process within a second', async (t) => {
  const lags: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const { id, key } = await newKey({});
    assert.equal((await send(of(1), key)).status, 202, 'known to the other process');
    const answer = await of(0).fetch(`/v1/api-keys/${id}`, { method: 'DELETE' });
    assert.equal(answer.status, 200);
    const revokedMs = performance.now();
    // A request one second after is refused, however long the answer takes.
    let askedMs = revokedMs;
    for (; (await send(of(1), key)).status !== 401; askedMs = performance.now())
      assert.ok(askedMs - revokedMs < 1_000, 'it was accepted a second after');
    lags.push(askedMs - revokedMs);
    assert.equal((await send(of(0), key)).status, 401);
  }
  t.diagnostic(`largest lag ${Math.max(...lags).toFixed(0)} ms`);
});

test('a new hour, day and month begin on both processes: what was full has room', async () => {
  assert.equal(full.length, 3);
  for (const { key } of full) assertRefusedUntil(await send(of(1), key), EDGE);
  for (const one of processes) {
    one.child.kill('SIGUSR2');
    while (!one.output().includes('the clock was moved')) await new Promise(setImmediate);
  }
  for (const [index, { key, tier }] of full.entries()) {
    const answer = await send(of(index), key);
    assert.equal(answer.status, 202, tier);
    // Everything begins anew, so the shortest window has the least left, and ends in an hour.
    assertLimitHeaders(answer, 'hourly', 100, '2027-02-01T01:00:00.000Z');
    assert.equal(answer.headers.get('x-ratelimit-remaining'), '99');
  }
  const usage: Answer = await of(0).fetch(`/v1/rate-limits/${full[0]?.id}`);
  assert.deepEqual(usage.body.monthly, { limit: 10_000, remaining: 9_999, resetAt: '2027-03-01T00:00:00.000Z' });
  assert.deepEqual(usage.body.daily, { limit: 1_000, remaining: 999, resetAt: '2027-02-02T00:00:00.000Z' });
});

/** Of every test server, and of these clocks, which are moved by months while that of the database stays. */
const EXPECTED = ['PostgreSQL runs with ', 'the clocks of the database and of this machine differ'];

test('both processes are healthy and logged nothing but what is expected of them', () => {
  for (const one of processes) {
    assert.equal(one.child.exitCode, null);
    const lines = one.output().split('\n');
    assert.deepEqual(
      lines.filter((line) => line.startsWith('{') && !EXPECTED.some((text) => line.includes(text))),
      [],
    );
  }
});
