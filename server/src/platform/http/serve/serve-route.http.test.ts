import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../../test/harness/platform-app.ts';
import { answer, route } from '../route.ts';

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
    handler: async () => answer({}, { headers: { 'x-unknown-fields': 'items[0].colour' } }),
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

test('200 names the unknown fields that the handler found before those of the address', async () => {
  assert.equal((await post('/own?shape=round')).headers['x-unknown-fields'], 'items[0].colour,shape');
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
