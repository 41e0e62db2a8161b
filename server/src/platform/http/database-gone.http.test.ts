import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { type BreakableProxy, startBreakableProxy } from '../../../test/harness/breakable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp, WORKSPACE } from '../../../test/harness/platform-app.ts';
import { type Database, openDatabase } from '../db/database.ts';
import { createLog } from '../log.ts';
import { route } from './route.ts';

let database: TestDatabase;
let proxy: BreakableProxy;
let distant: Database;
let app: FastifyInstance;
/** True: the database goes away between the work of a request and the reading of its limits. */
let goneAfterWork = false;

before(async () => {
  database = await createTestDatabase();
  await sql`create table effects (note text)`.execute(database.db);
  await sql`insert into workspaces (id, name, slug) values (${WORKSPACE}, 'one', 'one')`.execute(database.db);
  proxy = await startBreakableProxy(database.url);
  distant = openDatabase({
    url: proxy.url,
    poolMax: 4,
    applicationName: 'distant',
    log: createLog({ level: 'silent' }),
  });
  const create = route({
    method: 'POST',
    path: '/v1/effects',
    id: 'create_effect',
    tag: 'Effects',
    summary: 'For the tests.',
    access: { scope: 'effects:write', sendLimited: true },
    status: 201,
    body: { json: Type.Object({ note: Type.String() }) },
    response: Type.Object({}),
    handler: async (ctx, { body }) => {
      await sql`insert into effects (note) values (${body.note})`.execute(ctx.db);
      return { success: true };
    },
  });
  ({ app } = await createPlatformApp(distant.db, [create], {
    // As the real one: it asks the database that is gone, too.
    readSendLimits: async (ctx) => {
      if (goneAfterWork) await proxy.breakDown();
      await sql`select 1`.execute(ctx.db);
      return { headers: {}, exceeded: () => undefined };
    },
  }));
});
after(async () => {
  await app.close();
  await distant.close();
  await proxy.close();
  await database.close();
});

const ask = (note: string, key?: string): Promise<LightMyRequestResponse> =>
  app.inject({
    method: 'POST',
    url: '/v1/effects',
    payload: { note },
    headers: { authorization: 'Bearer good', ...(key === undefined ? {} : { 'idempotency-key': key }) },
  });

const kept = async (): Promise<unknown[]> => (await sql`select note from effects`.execute(database.db)).rows;

test('503 with Retry-After within 2 s while the database is gone, nothing is accepted, and it works again at once', async () => {
  assert.equal((await ask('before')).statusCode, 201);
  await proxy.breakDown();
  const begun = performance.now();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, index) => ask('lost', index % 2 === 0 ? `key-${index}` : undefined)),
  );
  assert.ok(performance.now() - begun < 2_000, `${performance.now() - begun} ms`);
  for (const response of answers) {
    assert.equal(response.statusCode, 503);
    assert.equal(response.json<{ name: string }>().name, 'service_unavailable_error');
    assert.equal(response.headers['retry-after'], '1');
    assert.doesNotMatch(response.body, /ECONN|127\.0\.0\.1|terminated/);
  }
  await proxy.mend();
  assert.equal((await ask('after', 'key-0')).statusCode, 201);
  assert.equal((await ask('after', 'key-1')).statusCode, 201);
  assert.deepEqual(await kept(), [{ note: 'before' }, { note: 'after' }, { note: 'after' }]);
});

test('201 for what was done, though the database is gone before the limits can be read', async () => {
  const before = await kept();
  goneAfterWork = true;
  const statuses = [];
  for (const key of [undefined, 'done-1']) {
    statuses.push((await ask('done', key)).statusCode);
    await proxy.mend();
  }
  goneAfterWork = false;
  assert.deepEqual(statuses, [201, 201]);
  assert.deepEqual(await kept(), [...before, { note: 'done' }, { note: 'done' }]);
});

test('400 stays 400 while the database is gone', async () => {
  await proxy.breakDown();
  const response = await app.inject({
    method: 'POST',
    url: '/v1/effects',
    payload: {},
    headers: { authorization: 'Bearer good' },
  });
  assert.equal(response.statusCode, 400);
  await proxy.mend();
});

test('503 within 2.5 s, however many ask, when a new connection is swallowed by the network', async () => {
  await proxy.breakDown(); // so that no old connection is used
  await proxy.mend();
  await ask('wake').catch(() => undefined);
  const before = await kept();
  await proxy.breakDown();
  await proxy.mend();
  proxy.swallow(true);
  const begun = performance.now();
  const answers = await Promise.all(Array.from({ length: 6 }, () => ask('swallowed')));
  proxy.swallow(false);
  // 4 s, if those without a place in the pool waited their time after the others.
  assert.ok(performance.now() - begun < 2_500, `${performance.now() - begun} ms`);
  for (const response of answers) assert.equal(response.statusCode, 503);
  assert.deepEqual(await kept(), before);
});
