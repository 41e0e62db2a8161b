import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../../test/harness/platform-app.ts';
import { route } from '../route.ts';

let database: TestDatabase;
let app: FastifyInstance;
let errors: string[];
const about = { tag: 'Things', summary: 'For the tests.', access: { scope: 'things:write' }, response: Type.Unknown() };

const routes = [
  route({
    ...about,
    method: 'POST',
    path: '/bytes',
    id: 'add_bytes',
    body: { bytes: ['text/csv'] },
    handler: async (_ctx, { body }) => ({ bytes: Buffer.isBuffer(body) ? body.length : null }),
  }),
  route({
    ...about,
    method: 'POST',
    path: '/own',
    id: 'add_own',
    query: Type.Object({ dryRun: Type.Optional(Type.String()) }),
    body: { json: Type.Object({ name: Type.String() }), optional: true },
    handler: async (_ctx, { query, body }) => ({ query, body }),
  }),
  route({
    ...about,
    method: 'POST',
    path: '/stream',
    id: 'add_stream',
    response: { file: 'text/plain' },
    handler: async () => Readable.from(['a', 'b'], { objectMode: false }),
  }),
  route({
    ...about,
    method: 'POST',
    path: '/limited',
    id: 'add_limited',
    access: { scope: 'things:write', sendLimited: true },
    handler: async () => ({ done: true }),
  }),
];

const slow = route({
  ...about,
  method: 'GET',
  path: '/slow',
  id: 'get_slow',
  handler: async ({ db, workspaceId }) => {
    await sql`select pg_sleep(0.01)`.execute(db);
    return { workspaceId };
  },
});

before(async () => {
  database = await createTestDatabase();
  await sql`insert into workspaces (id, name, slug) values (${WORKSPACE}, 'W', 'w')`.execute(database.db);
  const readSendLimits = async (): Promise<never> => Promise.reject(new Error('the limits cannot be read'));
  ({ app, errors } = await createPlatformApp(database.db, routes, { readSendLimits }));
});
after(async () => {
  await app.close();
  await database.close();
});
beforeEach(() => {
  errors.length = 0;
});

const post = (url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url, headers: { authorization: 'Bearer good', ...headers } });

test('200 with no bytes at all for a body that is not there', async () => {
  assert.deepEqual((await post('/bytes')).json(), { bytes: 0 });
});

const answerTo = async (url: string, body?: object) => {
  const authorization = 'Bearer good';
  const reply = await app.inject({ method: 'POST', url, headers: { authorization }, ...(body && { payload: body }) });
  const { statusCode, message, param, ...rest } = reply.json<Record<string, unknown>>();
  return statusCode === undefined ? rest : [statusCode, param, message];
};

test('200 for a parameter in either spelling', async () => {
  assert.deepEqual(await answerTo('/own?dry_run=true'), { query: { dryRun: 'true' }, body: null });
  assert.deepEqual(await answerTo('/own?dry_run=true&dryRun=true'), { query: { dryRun: 'true' }, body: null });
});

test('400 for a parameter that the route does not take, in two spellings, or that belongs into the body', async () => {
  const table: [string, string, string][] = [
    ['shape=round', 'shape', 'shape is unknown: this takes only dryRun'],
    ['dry_rnu=true', 'dry_rnu', 'dry_rnu is unknown: did you mean dryRun?'],
    ['dry_run=true&dryRun=false', 'dryRun', 'dryRun was given in two spellings with different values; give it once'],
    ['name=x', 'name', 'name is a field of the body: put it there'],
  ];
  for (const [query, ...told] of table) assert.deepEqual(await answerTo(`/own?${query}`), [400, ...told]);
});

test('400 for a parameter of the query that stands in the body', async () => {
  const message = 'dry_run is a parameter of the query: put ?dryRun=… at the end of the URL';
  assert.deepEqual(await answerTo('/own', { name: 'x', dry_run: true }), [400, 'dry_run', message]);
});

test('400 in one sentence for a required field that was mistyped', async () => {
  assert.deepEqual(await answerTo('/own', { nmae: 'x' }), [400, 'nmae', 'nmae is unknown: did you mean name?']);
});

test('400 names ignored fields in the header too', async () => {
  const headers = { authorization: 'Bearer good' };
  const reply = await app.inject({ method: 'POST', url: '/own', headers, payload: { zebra: 1 } });
  assert.deepEqual([reply.statusCode, reply.headers['x-unknown-fields']], [400, 'zebra']);
});

test('400 for a body of more than a thousand fields, before a step reads each of them', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`k${index}`, 1]));
  assert.deepEqual(await answerTo('/own', many), [400, 'k1000', 'The body has more than 1,000 fields.']);
});

test('500 for an answer that is a stream and would have to be kept; without an Idempotency-Key it is sent', async () => {
  assert.deepEqual([(await post('/stream')).body, errors.length], ['ab', 0]);
  for (let times = 1; times <= 2; times += 1) {
    assert.equal((await post('/stream', { 'idempotency-key': 'one' })).statusCode, 500);
    assert.equal(errors.length, times, 'it is tried again, not replayed');
  }
  assert.match(errors.join(), /cannot be kept for an Idempotency-Key/);
});

test('200 for what was done, although the limits of the key cannot be read', async () => {
  const done = await post('/limited');
  assert.deepEqual([done.statusCode, done.json()], [200, { done: true }]);
});

test('a request of one workspace does not wait behind all requests of another for a connection', async () => {
  const { db, close } = openDatabase({
    url: database.url,
    poolMax: 2,
    applicationName: 'few',
    log: createLog({ level: 'silent' }),
  });
  const few = await createPlatformApp(db, [slow]);
  try {
    const answered: string[] = [];
    const ask = async (key: string): Promise<void> => {
      const answer = await few.app.inject({ url: '/slow', headers: { authorization: `Bearer ${key}` } });
      assert.equal(answer.statusCode, 200, answer.body);
      answered.push(key);
    };
    const flood = Array.from({ length: 40 }, () => ask('good'));
    await ask('other');
    // Each of the two connections may have served two before, and the machine may be slow to say so.
    assert.ok(answered.length <= 8, `${answered.length} were answered first`);
    await Promise.all(flood);
  } finally {
    await few.app.close();
    await close();
  }
});
