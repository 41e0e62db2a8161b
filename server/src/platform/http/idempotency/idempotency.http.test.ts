import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp, OTHER_WORKSPACE, WORKSPACE } from '../../../../test/harness/platform-app.ts';
import { onCommit } from '../../db/database.ts';
import { conflict } from '../../errors/app-error.ts';
import { Moment } from '../../moments.ts';
import { answer, route } from '../route.ts';
import { deleteExpiredAnswers } from './queries.ts';

let database: TestDatabase;
let app: FastifyInstance;
let announced: string[] = [];
let deadlocksToCome = 0;
/** While set, the handler of POST /v1/effects waits for it. */
let held: Promise<void> | undefined;
const handlerRuns = new Moment();

const body = { json: Type.Object({ note: Type.String(), more: Type.Optional(Type.Unknown()) }) };
const common = {
  tag: 'Effects',
  summary: 'For the tests.',
  access: { scope: 'effects:write' },
  response: Type.Object({}),
  body,
};

const createEffect = (path: string, method: 'POST' | 'PATCH' = 'POST') =>
  route({
    ...common,
    method,
    path,
    id: `create_effect_at_${path}`,
    status: 201,
    handler: async (ctx, input) => {
      const { note } = input.body;
      await sql`insert into effects (workspace, note) values (${ctx.workspaceId}, ${note})`.execute(ctx.db);
      onCommit(ctx.db, () => void announced.push(note));
      handlerRuns.occur();
      await held;
      if (note === 'conflict') throw conflict('Not now.');
      if (note === 'break') throw new Error('broken');
      if (note === 'refuse softly') return answer({ refused: true }, { status: 409 });
      if (deadlocksToCome > 0) {
        deadlocksToCome -= 1;
        throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
      }
      // Text that a careless second pass would change: escapes, key order, trailing zeros, random.
      return answer({ z: 'é😀\u2028', a: Math.random(), note }, { headers: { 'x-existing-resource': 'false' } });
    },
  });

const routes = [
  createEffect('/v1/effects'),
  createEffect('/v1/other-effects'),
  createEffect('/v1/effects/:id/reschedule', 'PATCH'),
  createEffect('/v1/effects/:id', 'PATCH'),
  route({
    ...common,
    method: 'POST',
    path: '/v1/bytes',
    id: 'create_bytes',
    response: { file: 'image/png' },
    handler: async () => Buffer.from([0xff, 0x00, 0x89, Math.floor(Math.random() * 256)]),
  }),
];

before(async () => {
  database = await createTestDatabase({ poolMax: 20 });
  ({ app } = await createPlatformApp(database.db, routes));
  await sql`create table effects (workspace text, note text)`.execute(database.db);
  for (const [id, slug] of [
    [WORKSPACE, 'one'],
    [OTHER_WORKSPACE, 'two'],
  ])
    await sql`insert into workspaces (id, name, slug) values (${id}, ${slug}, ${slug})`.execute(database.db);
});
beforeEach(async () => {
  announced = [];
  held = undefined;
  await sql`truncate effects, idempotency_keys`.execute(database.db);
});
after(async () => {
  await app.close();
  await database.close();
});

interface Asked {
  key?: string;
  payload?: string;
  url?: string;
  token?: string;
  method?: 'POST' | 'PATCH';
}

const ask = ({
  key,
  payload = '{"note":"x"}',
  url = '/v1/effects',
  token = 'good',
  method = 'POST',
}: Asked = {}): Promise<LightMyRequestResponse> =>
  app.inject({
    method,
    url,
    payload,
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });

async function effects(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from effects`.execute(database.db);
  return rows[0]?.count ?? -1;
}

/** The second answer is the first again, and nothing was done for it. */
function assertReplay(first: LightMyRequestResponse, second: LightMyRequestResponse): void {
  assert.equal(second.statusCode, first.statusCode);
  assert.deepEqual(second.rawPayload, first.rawPayload);
  assert.equal(second.headers['content-type'], first.headers['content-type']);
  assert.equal(second.headers['idempotent-replayed'], 'true');
  assert.equal(first.headers['idempotent-replayed'], undefined);
  assert.notEqual(second.headers['x-request-id'], first.headers['x-request-id']);
}

test('201 again, byte for byte, with a new request id, and nothing is done twice', async () => {
  const first = await ask({ key: 'a' });
  assert.equal(first.statusCode, 201);
  assertReplay(first, await ask({ key: 'a' }));
  assertReplay(first, await ask({ key: 'a' }));
  assert.equal(await effects(), 1);
  assert.deepEqual(announced, ['x']);
});

test('201 again for the same body with other whitespace, key order or escapes', async () => {
  const first = await ask({ key: 'a', payload: '{"note":"é","more":{"a":1,"b":[1,2.50]}}' });
  assertReplay(first, await ask({ key: 'a', payload: ' { "more" : {"b":[1,2.5],"a":1.0},\n"note":"\\u00e9"} ' }));
  assert.equal(await effects(), 1);
});

test('201 again with the bytes of an answer that is not text', async () => {
  const first = await ask({ key: 'a', url: '/v1/bytes' });
  assert.equal(first.headers['content-type'], 'image/png');
  assertReplay(first, await ask({ key: 'a', url: '/v1/bytes' }));
});

test('409 with another body, and nothing is done', async () => {
  await ask({ key: 'a' });
  for (const payload of ['{"note":"y"}', '{"note":"x","more":null}', '{"note":"x","more":[]}']) {
    const response = await ask({ key: 'a', payload });
    assert.equal(response.statusCode, 409);
    assert.equal(response.json<{ name: string }>().name, 'conflict_error');
    assert.equal(response.json<{ param: string }>().param, 'Idempotency-Key');
  }
  assert.equal(await effects(), 1);
});

test('409 with Retry-After while the first request still runs, at once and not after it', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  const running = handlerRuns.next();
  const first = ask({ key: 'a' });
  await running;
  const second = await ask({ key: 'a' });
  assert.equal(second.statusCode, 409);
  assert.equal(second.headers['retry-after'], '1');
  assert.match(second.json<{ message: string }>().message, /in progress/);
  gate.resolve();
  assertReplay(await first, await ask({ key: 'a' }));
  assert.equal(await effects(), 1);
});

test('50 at once with one key have one effect; the others are replays or 409 in progress', async () => {
  for (let round = 0; round < 5; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => ask({ key: `round ${round}`.replace(' ', '-') })),
    );
    const done = answers.filter((response) => response.statusCode === 201);
    const waiting = answers.filter((response) => response.statusCode === 409);
    assert.equal(done.length + waiting.length, 50);
    assert.equal(done.filter((response) => response.headers['idempotent-replayed'] === undefined).length, 1);
    assert.equal(new Set(done.map((response) => response.body)).size, 1);
    assert.equal(await effects(), round + 1);
  }
});

test('once it is done, any number of replays at once are replays: none is told to wait for another', async () => {
  const first = await ask({ key: 'done' });
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask({ key: 'done' })));
  for (const response of answers) {
    assert.equal(response.statusCode, 201);
    assert.equal(response.headers['idempotent-replayed'], 'true');
    assert.equal(response.body, first.body);
  }
  assert.equal(await effects(), 1);
});

test('a failed request leaves its key free and nothing behind', async () => {
  for (const [note, status] of [
    ['conflict', 409],
    ['break', 500],
  ] as const) {
    const payload = JSON.stringify({ note });
    assert.equal((await ask({ key: note, payload })).statusCode, status);
    assert.equal(await effects(), 0);
    assert.deepEqual(announced, []);
    const retry = await ask({ key: note });
    assert.equal(retry.statusCode, 201);
    assert.equal(retry.headers['idempotent-replayed'], undefined);
    await sql`truncate effects`.execute(database.db);
    announced = [];
  }
});

test('a request refused before its handler leaves its key free', async () => {
  for (const payload of ['{', '{}', '[]', '{"note":1}'])
    assert.equal((await ask({ key: 'a', payload })).statusCode, 400);
  assert.equal((await ask({ key: 'a', token: 'read' })).statusCode, 403);
  assert.equal((await ask({ key: 'a' })).statusCode, 201);
});

test('an answer that is not 2xx is not kept', async () => {
  assert.equal((await ask({ key: 'a', payload: '{"note":"refuse softly"}' })).statusCode, 409);
  assert.equal((await ask({ key: 'a' })).statusCode, 201);
});

test('a key means another request on another route, method, path or in another workspace', async () => {
  const answers = [
    await ask({ key: 'a' }),
    await ask({ key: 'a', url: '/v1/other-effects' }),
    await ask({ key: 'a', token: 'other' }),
    await ask({ key: 'a', method: 'PATCH', url: '/v1/effects/1/reschedule' }),
    await ask({ key: 'a', method: 'PATCH', url: '/v1/effects/2/reschedule' }),
    await ask({ key: 'A' }),
  ];
  for (const response of answers) assert.equal(response.headers['idempotent-replayed'], undefined);
  assert.equal(await effects(), 6);
  assertReplay(answers[3] ?? assert.fail(), await ask({ key: 'a', method: 'PATCH', url: '/v1/effects/1/reschedule' }));
});

test('409 for a key with other options in the query: nothing is done', async () => {
  await ask({ key: 'a' });
  const { statusCode } = await ask({ key: 'a', url: '/v1/effects?x=1' });
  assert.deepEqual([statusCode, await effects()], [409, 1]);
});

test('another PATCH does what it says each time', async () => {
  for (let sent = 0; sent < 2; sent += 1) await ask({ key: 'a', method: 'PATCH', url: '/v1/effects/1' });
  assert.equal(await effects(), 2);
});

test('without a key every request is a new one', async () => {
  await ask();
  await ask();
  assert.equal(await effects(), 2);
  assert.deepEqual(announced, ['x', 'x']);
});

test('an answer is kept for 24 hours', async () => {
  const first = await ask({ key: 'a' });
  const age = (interval: string) =>
    sql`update idempotency_keys set created_at = now() - ${interval}::interval`.execute(database.db);
  await age('23 hours 59 minutes');
  assertReplay(first, await ask({ key: 'a', payload: '{"note":"x"}' }));
  await age('24 hours 1 minute');
  const later = await ask({ key: 'a', payload: '{"note":"y"}' });
  assert.equal(later.statusCode, 201);
  assertReplay(later, await ask({ key: 'a', payload: '{"note":"y"}' }));
});

test('expired answers are removed a page at a time, and no others', async () => {
  for (const key of ['a', 'b', 'c']) await ask({ key });
  await sql`update idempotency_keys set created_at = now() - interval '25 hours' where key <> 'c'`.execute(database.db);
  assert.equal(await deleteExpiredAnswers(database.db, 1), 1);
  assert.equal(await deleteExpiredAnswers(database.db, 10), 1);
  assert.equal(await deleteExpiredAnswers(database.db, 10), 0);
  assert.equal((await ask({ key: 'c' })).headers['idempotent-replayed'], 'true');
});

test('400 for a key of another form, naming it, and nothing is done', async () => {
  for (const key of ['', 'a'.repeat(257), 'a b', 'clé', 'a\tb']) {
    const response = await ask({ key });
    assert.equal(response.statusCode, 400, key);
    assert.equal(response.json<{ param: string }>().param, 'Idempotency-Key');
  }
  const twice = await app.inject({
    method: 'POST',
    url: '/v1/effects',
    payload: '{"note":"x"}',
    headers: { authorization: 'Bearer good', 'content-type': 'application/json', 'idempotency-key': ['a', 'b'] },
  });
  assert.equal(twice.statusCode, 400);
  assert.equal(await effects(), 0);
  for (const key of ['a'.repeat(256), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '0'])
    assert.equal((await ask({ key })).statusCode, 201);
});

test('the stored answer of a replay is encrypted in the database', async () => {
  await ask({ key: 'a', payload: '{"note":"a secret shown once"}' });
  const { rows } = await sql<{
    response: Buffer;
    row: string;
  }>`select response, k::text as row from idempotency_keys k`.execute(database.db);
  assert.equal(rows.length, 1);
  assert.equal(rows[0]?.response.includes('secret'), false);
  assert.doesNotMatch(rows[0]?.row ?? '', /secret|616263/);
});

test('a transaction that lost to another runs again, and what waits for the commit happens once', async () => {
  deadlocksToCome = 2;
  assert.equal((await ask({ key: 'a' })).statusCode, 201);
  assert.equal(await effects(), 1);
  assert.deepEqual(announced, ['x']);
});

test('an action after commit does not run when the commit fails', async () => {
  await sql`create function refuse_commit() returns trigger language plpgsql as $$ begin raise exception 'no'; end $$`.execute(
    database.db,
  );
  await sql`create constraint trigger refuse after insert on effects deferrable initially deferred for each row execute function refuse_commit()`.execute(
    database.db,
  );
  try {
    assert.equal((await ask({ key: 'a' })).statusCode, 500);
    assert.equal(await effects(), 0);
    assert.deepEqual(announced, []);
  } finally {
    await sql`drop trigger refuse on effects`.execute(database.db);
  }
  assert.equal((await ask({ key: 'a' })).statusCode, 201);
});
