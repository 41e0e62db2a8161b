import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../../test/harness/platform-app.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { until } from '../../../../test/harness/until.ts';
import { conflict } from '../../errors/app-error.ts';
import { Moment } from '../../moments.ts';
import { answer, route } from '../route.ts';
import { deleteLapsedClaims } from './claim-queries.ts';

/** The connections of the pool: each request that waits for a receiver would take one away. */
const POOL = 4;

let database: TestDatabase;
/** Asks the server what others hold. */
let watching: TestDatabase['db'];
let app: FastifyInstance;
const clock = createTestClock({ held: true });
let held: Promise<void> | undefined;
let runs = 0;
let prepared = 0;
const running = new Moment();

const common = {
  method: 'POST',
  tag: 'Calls',
  summary: 'For the tests.',
  access: { scope: 'calls:write' },
  response: Type.Object({}),
  body: { json: Type.Object({ note: Type.String() }) },
} as const;
const routes = [
  route({
    ...common,
    path: '/v1/calls/:id',
    aliases: ['/calls/:id'],
    id: 'create_call',
    outsideTransaction: true,
    handler: async (ctx, { body: { note } }) => {
      assert.equal(ctx.db.isTransaction, false);
      runs += 1;
      running.occur();
      await held;
      if (note === 'conflict') throw conflict('Not now.');
      if (note === 'refuse-softly') return answer({}, { status: 409 });
      return answer({ note, run: runs }, { headers: { link: '</next>; rel="next"', 'x-ratelimit-limit': '5' } });
    },
  }),
  route({
    ...common,
    path: '/v1/names',
    id: 'create_name',
    async prepare(ctx, { body: { note } }) {
      assert.equal(ctx.db.isTransaction, false);
      prepared += 1;
      if (note === 'conflict') throw conflict('Not there.');
      return note.toUpperCase();
    },
    handler: async (ctx, { prepared: name }) => {
      assert.equal(ctx.db.isTransaction, true);
      return { name };
    },
  }),
];

before(async () => {
  database = await createTestDatabase({ poolMax: POOL });
  watching = database.db;
  ({ app } = await createPlatformApp(database.db, routes, { clock }));
  await sql`insert into workspaces (id, name, slug) values (${WORKSPACE}, 'one', 'one')`.execute(database.db);
});
beforeEach(async () => {
  [held, runs, prepared] = [undefined, 0, 0];
  await sql`truncate idempotency_claims, idempotency_keys`.execute(database.db);
});
after(async () => {
  await app.close();
  await database.close();
});

const ask = (key: string, note = 'x', url = '/v1/calls/1'): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'POST',
    url,
    payload: { note },
    headers: { authorization: 'Bearer good', 'idempotency-key': key },
  });
const claims = async (): Promise<{ key: string; seconds: number }[]> =>
  (
    await sql<{ key: string; seconds: number }>`
      select key, extract(epoch from leased_until - now())::float8 as seconds from idempotency_claims`.execute(watching)
  ).rows;
const ageClaims = () => sql`update idempotency_claims set leased_until = now() - interval '1 second'`.execute(watching);
const isReplay = (response: LightMyRequestResponse): boolean => response.headers['idempotent-replayed'] === 'true';

test('while keyed requests wait for another server no transaction is open, and the pool serves others', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const waiting = Array.from({ length: POOL * 3 }, (_, n) => ask(`key-${n}`));
  await until('all of them run', async () => (runs === POOL * 3 ? true : undefined));
  const { rows } = await sql`
    select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`.execute(
    watching,
  );
  assert.deepEqual(rows, []);
  gate.resolve();
  for (const response of await Promise.all(waiting)) assert.equal(response.statusCode, 200);
  assert.deepEqual(await claims(), []);
});

test('200 again with the same bytes and the headers that are part of the answer, and nothing is done twice', async () => {
  const first = await ask('a');
  const again = await ask('a');
  assert.deepEqual([again.statusCode, again.body, isReplay(first), isReplay(again)], [200, first.body, false, true]);
  assert.equal(again.headers['link'], '</next>; rel="next"');
  assert.equal(again.headers['x-ratelimit-limit'], undefined, 'it tells of the moment, not of the answer');
  assert.equal(runs, 1);
});

test('200 again over another path of the route, and a new answer for another id', async () => {
  await ask('a');
  assert.equal(isReplay(await ask('a', 'x', '/calls/1')), true);
  assert.equal(isReplay(await ask('a', 'x', '/calls/2')), false);
  assert.equal(runs, 2);
});

test('409 with another body, and nothing is done', async () => {
  await ask('a');
  const other = await ask('a', 'y');
  assert.deepEqual([other.statusCode, other.json().param, runs], [409, 'Idempotency-Key', 1]);
});

test('409 with Retry-After while the first request runs, and one effect of many at once', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const begun = running.next();
  const all = Array.from({ length: 20 }, () => ask('a'));
  await begun;
  const late = await ask('a');
  assert.deepEqual([late.statusCode, late.headers['retry-after']], [409, '1']);
  assert.match(late.json().message, /in progress/);
  gate.resolve();
  const statuses = (await Promise.all(all)).map(({ statusCode }) => statusCode);
  assert.deepEqual([...new Set(statuses)].sort(), [200, 409]);
  assert.equal(runs, 1);
});

test('a failed request and an answer that is not 2xx leave the key free', async () => {
  for (const note of ['conflict', 'refuse-softly']) {
    assert.equal((await ask(note, note)).statusCode, 409);
    assert.deepEqual(await claims(), []);
    const retry = await ask(note);
    assert.deepEqual([retry.statusCode, isReplay(retry)], [200, false]);
  }
});

test('the key of a process that died is free once its lease has run out, and not before', async () => {
  await sql`insert into idempotency_claims (workspace_id, route, key, claim, leased_until)
    values (${WORKSPACE}, 'POST /v1/calls/1', 'a', gen_random_uuid(), now() + interval '20 seconds')`.execute(watching);
  assert.equal((await ask('a')).statusCode, 409);
  assert.equal(runs, 0);
  await ageClaims();
  assert.equal((await ask('a')).statusCode, 200);
  assert.equal(runs, 1);
});

test('the lease is renewed while the work goes on', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const begun = running.next();
  const first = ask('a');
  await begun;
  await ageClaims();
  clock.advance(10_000);
  await until('the lease is long again', async () => ((await claims())[0]?.seconds ?? 0) > 20 || undefined);
  assert.equal((await ask('a')).statusCode, 409);
  gate.resolve();
  await first;
  assert.equal(isReplay(await ask('a')), true);
});

test('a request that lost its key does not replace the answer of the one that took it', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const begun = running.next();
  const slow = ask('a');
  await begun;
  await ageClaims();
  held = undefined;
  const taken = await ask('a');
  gate.resolve();
  assert.equal((await slow).statusCode, 200);
  assert.equal((await ask('a')).body, taken.body);
});

test('claims whose lease has run out are removed a page at a time, and no others', async () => {
  for (const [key, seconds] of [
    ['a', -1],
    ['b', -1],
    ['c', 20],
  ] as const)
    await sql`insert into idempotency_claims (workspace_id, route, key, claim, leased_until)
      values (${WORKSPACE}, 'POST /', ${key}, gen_random_uuid(), now() + make_interval(secs => ${seconds}))`.execute(
      watching,
    );
  assert.equal(await deleteLapsedClaims(database.db, 1), 1);
  assert.equal(await deleteLapsedClaims(database.db, 5), 1);
  assert.deepEqual(
    (await claims()).map(({ key }) => key),
    ['c'],
  );
});

test('a route prepares outside of the transaction, once, and a replay prepares nothing', async () => {
  const first = await ask('a', 'acme', '/v1/names');
  assert.deepEqual([first.statusCode, first.json()], [200, { name: 'ACME' }]);
  assert.equal(isReplay(await ask('a', 'acme', '/v1/names')), true);
  assert.equal(prepared, 1);
  assert.equal((await ask('b', 'conflict', '/v1/names')).statusCode, 409);
  assert.equal((await ask('b', 'fine', '/v1/names')).statusCode, 200);
});
