import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp } from '../../../test/harness/platform-app.ts';
import { notFound } from '../errors/app-error.ts';
import type { Ctx } from './context.ts';
import { recordVersion } from './record-version.ts';
import { route } from './route.ts';

interface Thing {
  id: string;
  name: string;
  details: object;
  opens: number;
}

let database: TestDatabase;
let app: FastifyInstance;

const ThingBody = Type.Object({ name: Type.String(), details: Type.Optional(Type.Object({})) });
const find = async (ctx: Ctx, id: string): Promise<Thing> => {
  const { rows } = await sql<Thing>`select id, name, details, opens from things where id = ${id}`.execute(ctx.db);
  return rows[0] ?? Promise.reject(notFound('thing', id));
};
const version = recordVersion(ThingBody, (ctx, { id }) =>
  sql`select 1 from things where id = ${id} for update`.execute(ctx.db),
);
const plain = {
  path: '/v1/things/:id',
  tag: 'Things',
  summary: 'For the tests.',
  access: { scope: 'things:write' },
  params: Type.Object({ id: Type.String() }),
  response: Type.Unknown(),
} as const;
const common = { ...plain, version };
const change = async (ctx: Ctx, id: string, { name, details }: Static<typeof ThingBody>): Promise<Thing> => {
  await sql`update things set name = ${name} where id = ${id}`.execute(ctx.db);
  if (details === undefined) return find(ctx, id);
  await sql`update things set details = ${JSON.stringify(details)}::jsonb where id = ${id}`.execute(ctx.db);
  // As verbs do that answer what they were given: jsonb has another order of keys.
  return { ...(await find(ctx, id)), details };
};
const routes = [
  route({ ...common, method: 'GET', id: 'get_thing', handler: (ctx, { params }) => find(ctx, params.id) }),
  route({
    ...common,
    method: 'PATCH',
    id: 'update_thing',
    body: { json: ThingBody },
    handler: (ctx, { params, body }) => change(ctx, params.id, body),
  }),
  route({
    ...common,
    method: 'DELETE',
    id: 'delete_thing',
    handler: async (ctx, { params }) => {
      await sql`delete from things where id = ${params.id}`.execute(ctx.db);
      return { success: true };
    },
  }),
  route({
    ...plain,
    method: 'POST',
    path: '/v1/things/:id/rename',
    id: 'rename_thing',
    changes: { path: common.path, version },
    body: { json: ThingBody },
    handler: async (ctx, { params, body }) => {
      await change(ctx, params.id, body);
      return { success: true };
    },
  }),
];

before(async () => {
  database = await createTestDatabase();
  ({ app } = await createPlatformApp(database.db, routes));
  await sql`create table things (id text primary key, name text, details jsonb, opens int not null default 0)`.execute(
    database.db,
  );
});
beforeEach(async () => {
  await sql`truncate things`.execute(database.db);
  await sql`insert into things (id, name) values ('a', 'old')`.execute(database.db);
});
after(async () => {
  await app.close();
  await database.close();
});

const ask = async (
  method: 'GET' | 'PATCH' | 'DELETE',
  headers: Record<string, string> = {},
  name = 'new',
  id = 'a',
  more: object = {},
) => {
  const answer = await app.inject({
    method,
    url: `/v1/things/${id}`,
    headers: { authorization: 'Bearer good', ...headers },
    ...(method === 'PATCH' ? { payload: { name, ...more } } : {}),
  });
  return { status: answer.statusCode, etag: String(answer.headers['etag']), text: answer.payload };
};
const nameNow = async (): Promise<string | undefined> =>
  (await sql<Thing>`select name from things`.execute(database.db)).rows[0]?.name;

test('200 with a strong ETag, the same from GET and PATCH, and another one after a change', async () => {
  const first = await ask('GET');
  assert.match(first.etag, /^"[\w-]{16}\.[\w-]{16}"$/);
  assert.equal((await ask('GET')).etag, first.etag);
  const changed = await ask('PATCH', { 'if-match': first.etag });
  assert.notEqual(changed.etag, first.etag);
  assert.equal((await ask('GET')).etag, changed.etag);
});

test('409 for a change of an old version, by PATCH and DELETE, and nothing is changed', async () => {
  const { etag } = await ask('GET');
  await ask('PATCH');
  for (const old of [etag, `W/${(await ask('GET')).etag}`, '"other"', '""']) {
    for (const method of ['PATCH', 'DELETE'] as const) {
      const refused = await ask(method, { 'if-match': old }, 'lost');
      assert.equal(refused.status, 409, old);
      assert.match(refused.text, /"name":"conflict_error".*"param":"If-Match"/);
    }
  }
  assert.equal(await nameNow(), 'new');
});

test('200 for the current version, for one of several, for any, and without the header', async () => {
  for (const header of [(await ask('GET')).etag, '*'])
    assert.equal((await ask('PATCH', { 'if-match': header }, 'old')).status, 200);
  assert.equal((await ask('PATCH', { 'if-match': `"x", ${(await ask('GET')).etag}` })).status, 200);
  assert.equal((await ask('PATCH', {}, 'again')).status, 200);
  assert.equal((await ask('DELETE', { 'if-match': (await ask('GET')).etag })).status, 200);
  assert.equal(await nameNow(), undefined);
});

test('400 for an If-Match that is no ETag, and 404 for a record that is not there', async () => {
  assert.equal((await ask('PATCH', { 'if-match': 'abc' })).status, 400);
  assert.equal((await ask('PATCH', { 'if-match': '*' }, 'new', 'b')).status, 404);
  assert.equal(await nameNow(), 'old');
});

test('a counter that changes makes no If-Match old, and every If-None-Match', async () => {
  const before = await ask('GET');
  assert.deepEqual(await ask('GET', { 'if-none-match': before.etag }), { status: 304, etag: before.etag, text: '' });
  await sql`update things set opens = opens + 1`.execute(database.db);
  assert.equal((await ask('GET', { 'if-none-match': before.etag })).status, 200);
  assert.equal((await ask('PATCH', { 'if-match': before.etag })).status, 200);
});

test('200 with the ETag of a change whose object comes back from the database in another order', async () => {
  const details = { zeta: { b: 1, a: [{ y: 1, x: 2 }] }, alpha: 2 };
  const { etag } = await ask('PATCH', {}, 'new', 'a', { details });
  assert.equal((await ask('PATCH', { 'if-match': etag }, 'newer')).status, 200);
  const other = { ...details, alpha: 3 };
  const later = await ask('PATCH', {}, 'newer', 'a', { details: other });
  assert.equal((await ask('PATCH', { 'if-match': etag }, 'lost')).status, 409);
  assert.equal((await ask('PATCH', { 'if-match': later.etag }, 'last')).status, 200);
  assert.equal(await nameNow(), 'last');
});

test('of 20 changes with the same ETag exactly one is made', async () => {
  const { etag } = await ask('GET');
  const names = Array.from({ length: 20 }, (_, n) => `name ${n}`);
  const answers = await Promise.all(names.map((name) => ask('PATCH', { 'if-match': etag }, name)));
  const made = answers.flatMap(({ status }, n) => (status === 200 ? [names[n]] : []));
  assert.equal(made.length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 19);
  assert.equal(await nameNow(), made[0]);
});

test('a change that waits for one without If-Match is compared with what that one made', async () => {
  const { etag } = await ask('GET');
  const { promise: locked, resolve: isLocked } = Promise.withResolvers<void>();
  const { promise: gate, resolve: go } = Promise.withResolvers<void>();
  const other = database.db.transaction().execute(async (tx) => {
    await sql`update things set name = 'by another' where id = 'a'`.execute(tx);
    isLocked();
    await gate;
  });
  await locked;
  const waiting = ask('PATCH', { 'if-match': etag }, 'lost');
  go();
  await other;
  const { status } = await waiting;
  assert.deepEqual([status, await nameNow()], [409, 'by another']);
});

describe('a verb of a record', () => {
  const rename = async (headers: Record<string, string>) => {
    const answer = await app.inject({
      method: 'POST',
      url: '/v1/things/a/rename',
      headers: { authorization: 'Bearer good', ...headers },
      payload: { name: 'new' },
    });
    return { status: answer.statusCode, etag: answer.headers['etag'], param: answer.json().param };
  };

  for (const [name, key] of Object.entries({ without: {}, with: { 'idempotency-key': 'once' } })) {
    test(`409 for an old version ${name} an Idempotency-Key, and nothing is changed; 200 for the one of now, without an ETag`, async () => {
      const { etag } = await ask('GET');
      await ask('PATCH', {}, 'meanwhile');
      assert.deepEqual(await rename({ ...key, 'if-match': etag }), {
        status: 409,
        etag: undefined,
        param: 'If-Match',
      });
      assert.equal(await nameNow(), 'meanwhile');
      const { etag: now } = await ask('GET');
      assert.deepEqual(await rename({ ...key, 'if-match': now }), { status: 200, etag: undefined, param: undefined });
      assert.equal(await nameNow(), 'new');
    });
  }

  test('a route that works outside of a transaction, or changes what no GET reads, is not registered', async () => {
    const verb = {
      ...plain,
      method: 'POST',
      path: '/v1/things/:id/verb',
      id: 'verb_thing',
      handler: async () => ({}),
    } as const;
    const late = route({ ...verb, outsideTransaction: true, changes: { path: common.path, version } });
    const unread = route({ ...verb, changes: { path: '/v1/others/:id', version } });
    for (const broken of [late, unread])
      await assert.rejects(createPlatformApp(database.db, [...routes, broken]), /cannot compare what it changes/);
  });
});
