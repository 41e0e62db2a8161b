import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp } from '../../../test/harness/platform-app.ts';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { conflict, rateLimited, unacceptable } from '../errors/app-error.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { answerPage, listEnvelope, pageQuery, readPage } from './paging.ts';
import { answer, route } from './route.ts';

const ID = '01999999-aaaa-7000-8000-000000000001';
const JSON_BODY = { 'content-type': 'application/json' };
const GOOD = { authorization: 'Bearer good' };

/** How often a handler ran: a refused request must not reach one. */
let handled = 0;
let limitIsFull = false;
let database: TestDatabase;
let app: FastifyInstance;
let errors: string[];

const thing = Type.Object({ id: Type.String() });
const common = { tag: 'Things', summary: 'For the tests.', response: Type.Object({}) };
const routes = [
  route({
    ...common,
    method: 'GET',
    path: '/v1/things',
    aliases: ['/things'],
    id: 'list_things',
    access: { scope: 'things:read' },
    query: Type.Object({ ...pageQuery, status: Type.Optional(Type.Union([Type.Literal('on'), Type.Literal('off')])) }),
    response: listEnvelope(thing),
    handler: async (_ctx, { query, request }) => {
      const page = readPage(query);
      handled += 1;
      const rows = page.after === null && page.offset === 0 ? [{ id: ID }] : [];
      return answerPage(page, rows, { total: 1, url: request.url });
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/things/:id',
    id: 'get_thing',
    access: { scope: 'things:read' },
    params: Type.Object({ id: Type.String({ format: 'uuid' }) }),
    handler: async (ctx, { params }) => {
      handled += 1;
      return { id: params.id, ip: ctx.ip, workspaceId: ctx.workspaceId };
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/things',
    aliases: ['/things'],
    id: 'create_thing',
    access: { scope: 'things:write' },
    status: 201,
    body: {
      json: Type.Object({
        name: Type.String(),
        count: Type.Optional(Type.Integer()),
        metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
      }),
    },
    handler: async (ctx, { body }) => {
      handled += 1;
      if (body.name === 'taken') throw conflict('The name is taken.', 'name');
      if (body.name === 'bad') throw unacceptable('name', 'This name is not acceptable.');
      if (body.metadata !== undefined) {
        const { rows } = await sql<{ kept: unknown }>`select ${JSON.stringify(body.metadata)}::jsonb as kept`.execute(
          ctx.db,
        );
        return { metadata: rows[0]?.kept };
      }
      return answer({ name: body.name }, { headers: { 'x-existing-resource': 'false' } });
    },
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/send',
    id: 'send',
    access: { scope: 'emails:send', sendLimited: true },
    status: 202,
    body: { json: Type.Object({ to: Type.Array(Type.String()) }) },
    handler: async () => {
      handled += 1;
      return { success: true };
    },
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/breaks',
    id: 'break_things',
    access: 'public',
    query: Type.Object({ how: Type.String() }),
    handler: async (ctx, { query }) => {
      if (query.how === 'sql') await sql`select secret_column from secret_table`.execute(ctx.db);
      if (query.how === 'text') throw 'only a text'; // what a careless library may do
      throw new Error('the password is hunter2');
    },
  }),
  route({ ...common, method: 'GET', path: '/v1/me', id: 'get_me', access: 'user', handler: async () => ({}) }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/logo',
    id: 'get_logo',
    access: 'public',
    response: { file: 'image/png' },
    handler: async () => Buffer.from([0x89, 0x50, 0xff, 0x00]),
  }),
  route({
    ...common,
    method: 'DELETE',
    path: '/v1/things/:id',
    id: 'delete_thing',
    access: { scope: 'things:write' },
    handler: async () => ({ success: true }),
  }),
];

before(async () => {
  database = await createTestDatabase();
  ({ app, errors } = await createPlatformApp(database.db, routes, {
    env: { POSTHORN_TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8' },
    readSendLimits: async () => ({
      headers: { 'x-ratelimit-limit': '100', 'x-ratelimit-remaining': limitIsFull ? '0' : '100' },
      exceeded: () =>
        limitIsFull
          ? rateLimited('The hourly limit is reached.', { retryAfterSeconds: 60, resetAt: new Date(0) })
          : undefined,
    }),
  }));
});
after(async () => {
  await app.close();
  await database.close();
});

/** The size of the heap after a collection: RSS also counts what V8 keeps in reserve. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  assert.ok(typeof collect === 'function');
  collect();
  return process.memoryUsage().heapUsed;
}

/** Asks, and holds the answer to what every answer promises. */
async function ask(request: InjectOptions): Promise<LightMyRequestResponse> {
  const response = await app.inject(request);
  const id = response.headers['x-request-id'];
  assert.match(String(id), /^req_[A-Za-z0-9_-]{8,64}$/);
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
  assert.equal(response.headers['cache-control'], 'no-store');
  assert.equal(response.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  assert.equal(response.headers['x-powered-by'], undefined);
  if (response.statusCode >= 300 && response.body !== '') {
    assert.equal(response.headers['content-type'], 'application/json; charset=utf-8');
    const { statusCode, name, message, requestId, documentation } = response.json<Record<string, unknown>>();
    assert.equal(statusCode, response.statusCode);
    assert.equal(requestId, id);
    assert.equal(documentation, `http://localhost:3000/docs/errors#${String(name)}`);
    assert.doesNotMatch(`${String(message)}`, /node_modules|\.ts\b|select |hunter2/i);
  }
  return response;
}

const post = (payload: string | Buffer, headers: Record<string, string> = {}, url = '/v1/things') =>
  ask({ method: 'POST', url, payload, headers: { ...GOOD, ...JSON_BODY, ...headers } });

/** Refused, by name and field, and no handler saw it. */
async function refused(
  answering: Promise<LightMyRequestResponse>,
  status: number,
  name: string,
  param?: string,
): Promise<string> {
  const handledBefore = handled;
  const response = await answering;
  const body = response.json<{ name: string; param?: string; message: string }>();
  assert.equal(response.statusCode, status, response.body);
  assert.equal(body.name, name);
  assert.equal(body.param, param);
  assert.equal(handled, handledBefore, 'a handler ran');
  return body.message;
}

test('200, 201 and the headers of a handler', async () => {
  assert.deepEqual((await ask({ url: `/v1/things/${ID}`, headers: GOOD })).json(), {
    id: ID,
    ip: '127.0.0.1',
    workspaceId: '01999999-0000-7000-8000-000000000001',
  });
  const created = await post('{"name":"x"}');
  assert.equal(created.statusCode, 201);
  assert.equal(created.headers['x-existing-resource'], 'false');
  assert.equal(created.headers['content-type'], 'application/json; charset=utf-8');
});

test('200 under an alias', async () => {
  assert.equal((await ask({ url: '/things', headers: GOOD })).statusCode, 200);
  assert.equal((await post('{"name":"x"}', {}, '/things')).statusCode, 201);
});

test('200 with the bytes of a route that is not JSON', async () => {
  const response = await ask({ url: '/v1/logo' });
  assert.equal(response.headers['content-type'], 'image/png');
  assert.deepEqual([...response.rawPayload], [0x89, 0x50, 0xff, 0x00]);
});

test('200 without a body to HEAD where there is GET', async () => {
  const response = await ask({ method: 'HEAD', url: `/v1/things/${ID}`, headers: GOOD });
  assert.equal(response.statusCode, 200);
  assert.equal(response.body, '');
  assert.equal((await ask({ method: 'HEAD', url: `/v1/things/${ID}` })).statusCode, 401);
});

test('200 to DELETE with and without an empty JSON body', async () => {
  assert.equal((await ask({ method: 'DELETE', url: `/v1/things/${ID}`, headers: GOOD })).statusCode, 200);
  assert.equal(
    (await ask({ method: 'DELETE', url: `/v1/things/${ID}`, headers: { ...GOOD, ...JSON_BODY }, payload: '' }))
      .statusCode,
    200,
  );
});

test('the request id of the caller is kept when it has our form, on every kind of answer', async () => {
  const headers = { ...GOOD, 'x-request-id': 'req_from-the_caller1' };
  for (const url of [`/v1/things/${ID}`, '/nothing', '/v1/%zz', '/v1/breaks?how=text'])
    assert.equal((await ask({ url, headers })).headers['x-request-id'], 'req_from-the_caller1');
  for (const id of ['req_short', 'abc', `req_${'a'.repeat(65)}`, 'req_with space', 'req_<script>1', ''])
    assert.notEqual((await ask({ url: '/v1/logo', headers: { 'x-request-id': id } })).headers['x-request-id'], id);
});

test('unknown fields of a body are named and ignored', async () => {
  const response = await ask({
    method: 'POST',
    url: '/v1/things',
    payload: '{"name":"x","zebra":"y"}',
    headers: { ...GOOD, ...JSON_BODY },
  });
  assert.equal(response.statusCode, 201);
  assert.equal(response.headers['x-unknown-fields'], 'zebra');
});

test('401 without a key, before anything else about the request matters but its size', async () => {
  const none = { authorization: '' };
  await refused(ask({ url: `/v1/things/${ID}` }), 401, 'authentication_error');
  await refused(post('{', none), 401, 'authentication_error');
  await refused(ask({ url: '/v1/things?page=0' }), 401, 'authentication_error');
  await refused(ask({ url: '/v1/things/not-an-id' }), 401, 'authentication_error');
  assert.equal((await ask({ url: `/v1/things/${ID}` })).headers['www-authenticate'], 'Bearer');
});

test('401 on a user’s endpoint with an API key', async () => {
  await refused(ask({ url: '/v1/me', headers: GOOD }), 401, 'authentication_error');
});

test('403 without the scope, named, before the body is looked at', async () => {
  const message = await refused(post('{', { authorization: 'Bearer read' }), 403, 'permission_error');
  assert.equal(message, 'This key needs the scope "things:write".');
  await refused(post('{}', { authorization: 'Bearer read', 'idempotency-key': 'with space' }), 403, 'permission_error');
});

test('404 where there is nothing, whatever was sent there; for a slash too many it names the path meant', async () => {
  const { message } = (await app.inject({ method: 'POST', url: '/v1/things/', headers: GOOD })).json();
  assert.match(message, /Did you mean \/v1\/things\?$/);
  for (const url of [
    '/',
    '/v1',
    '/v1/thing',
    '/V1/things',
    '/v1/Things',
    '/v1/things/',
    '/v1//things',

    '/v1%2Fthings',
    '/v1/things;x=1',
    '/v1/things%00',
    '/v1/%zz',
    '/v1/%ff',
    '/v1/things%3Fpage=1',
    '/constructor',
    '/__proto__',
  ])
    await refused(ask({ url, headers: GOOD }), 404, 'not_found_error');
  await refused(post('{', {}, '/nothing'), 404, 'not_found_error');
  await refused(post('<a/>', { 'content-type': 'text/xml' }, '/nothing'), 404, 'not_found_error');
  await refused(ask({ method: 'PROPFIND', url: '/v1/things', headers: GOOD }), 404, 'not_found_error');
});

test('404 for an id that cannot be one', async () => {
  const ids = [
    '1',
    "'",
    '1%20OR%201=1',
    `${ID}'--`,
    ID.toUpperCase(),
    `%7B${ID}%7D`,
    '%20'.repeat(36),
    'a'.repeat(10_000),
    '%00',
    `${ID}%00`,
    '%ef%bf%bd',
    'undefined',
    'NaN',
    '%2e%2e%2f',
    'null',
    '%F0%9F%98%80',
  ];
  for (const id of ids) await refused(ask({ url: `/v1/things/${id}`, headers: GOOD }), 404, 'not_found_error');
});

test('405 with Allow, for every method that a path does not offer, and the body is not looked at', async () => {
  for (const method of ['PUT', 'PATCH', 'OPTIONS', 'DELETE', 'TRACE'] as const) {
    const response = await ask({ method: method as 'PUT', url: '/v1/things', headers: JSON_BODY, payload: '{' });
    assert.equal(response.statusCode, 405, method);
    assert.equal(response.json<{ name: string }>().name, 'request_error');
    assert.equal(response.headers['allow'], 'GET, HEAD, POST');
  }
});

test('a method override in a header is ignored', async () => {
  const response = await ask({ url: `/v1/things/${ID}`, headers: { ...GOOD, 'x-http-method-override': 'DELETE' } });
  assert.equal(response.json<{ id: string }>().id, ID);
});

test('413 by Content-Length, before the key is looked at', async () => {
  const payload = Buffer.alloc(1_048_577, 0x20);
  await refused(post(payload, { authorization: '' }), 413, 'request_error');
  await refused(post(payload), 413, 'request_error');
  assert.equal(
    (await post(Buffer.concat([Buffer.from('{"name":"x"}'), Buffer.alloc(1_048_576 - 12, 0x20)]))).statusCode,
    201,
  );
});

test('415 for what is not JSON in UTF-8, and for compressed bodies', async () => {
  for (const type of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json;charset=latin1',
    'application/json-patch+json',
    'nonsense',
  ])
    await refused(post('{"name":"x"}', { 'content-type': type }), 415, 'request_error');
  await refused(
    ask({ method: 'POST', url: '/v1/things', payload: Buffer.from('{}'), headers: GOOD }),
    415,
    'request_error',
  );
  for (const encoding of ['gzip', 'br', 'deflate', 'gzip, identity'])
    await refused(post('{"name":"x"}', { 'content-encoding': encoding }), 415, 'request_error');
});

test('the content type may be written in other ways', async () => {
  for (const type of [
    'application/json;charset=utf-8',
    'application/json; charset="UTF-8"',
    'Application/JSON',
    'application/json ; charset=utf8',
  ])
    assert.equal((await post('{"name":"x"}', { 'content-type': type })).statusCode, 201, type);
  assert.equal((await post('{"name":"x"}', { 'content-encoding': 'Identity' })).statusCode, 201);
});

const BAD_BODIES: [string, string | Buffer, string?][] = [
  ['an empty body', ''],
  ['null', 'null'],
  ['an array', '[]'],
  ['a text', '"x"'],
  ['a number', '1'],
  ['a boolean', 'true'],
  ['a byte order mark', '\ufeff{"name":"x"}'],
  ['UTF-16', Buffer.from('{"name":"x"}', 'utf16le')],
  ['invalid UTF-8', Buffer.from([...Buffer.from('{"name":"a'), 0xff, ...Buffer.from('b"}')])],
  ['a key twice', '{"name":"a","name":"b"}'],
  ['__proto__', '{"name":"a","__proto__":{"isAdmin":true}}'],
  ['__proto__ further in', '{"name":"a","metadata":{"__proto__":{"isAdmin":true}}}'],
  ['an infinite number', '{"name":"a","count":1e400}'],
  ['a number that would be rounded', '{"name":"a","count":9007199254740993}'],
  ['a fraction that would become whole', '{"name":"a","count":1.0000000000000001}'],
  ['a fraction', '{"name":"a","count":1.5}', 'count'],
  ['a text for a number', '{"name":"a","count":"1"}', 'count'],
  ['half of a surrogate pair', '{"name":"\\ud800"}', 'name'],
  ['NUL', '{"name":"a","metadata":{"x":"\\u0000"}}', 'metadata.x'],
  ['33 levels', `{"name":"a","metadata":${'{"a":'.repeat(32)}1${'}'.repeat(33)}`],
  ['no field that is needed', '{}', 'name'],
  ['an array for a text', '{"name":["x"]}', 'name'],
  ['an object for a text', '{"name":{"$ne":1}}', 'name'],
  ['null for a text', '{"name":null}', 'name'],
];
for (const [what, body, param] of BAD_BODIES) {
  test(`400 for ${what}`, async () => {
    await refused(post(body), 400, 'validation_error', param);
    assert.equal(Reflect.get({}, 'isAdmin'), undefined);
  });
}

test('metadata with operators, odd keys and escapes is data', async () => {
  const metadata = {
    $where: '1',
    'a.b': { $ne: null },
    '': '',
    constructor: { prototype: { isAdmin: true } },
    date: '2026-01-01',
    emoji: '😀',
  };
  const response = await post(JSON.stringify({ name: 'x', metadata }));
  assert.equal(response.statusCode, 201);
  assert.deepEqual(response.json<{ metadata: unknown }>().metadata, metadata);
  assert.equal(Reflect.get({}, 'isAdmin'), undefined);
});

test('400 for every bad query value, naming the field', async () => {
  const bad = [
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e9',
    'page=99999999999999999999',
    'page=NaN',
    'page=%201',
    'page=0x1',
    'page=%EF%BC%91',
    'page=',
    'page=1&page=2',
    'page[]=1',
    'page=%00',
    'limit=0',
    'limit=-1',
    'limit=x',
    'limit=',
    'cursor=',
    'cursor=x',
    `cursor=${'a'.repeat(513)}`,
    'cursor=a&cursor=b',
    'status=ON',
    'status=deleted',
    'status=on,off',
    'status=on&status=off',
    'status[]=on',
    'status[$ne]=on',
    'status=',
    'status=%00',
  ];
  for (const query of bad) {
    const param = /^\w+/.exec(query)?.[0];
    await refused(ask({ url: `/v1/things?${query}`, headers: GOOD }), 400, 'validation_error', param);
  }
});

test('200 with an empty list beyond the last page', async () => {
  const response = await ask({ url: '/v1/things?page=1000000', headers: GOOD });
  assert.deepEqual(response.json(), {
    data: [],
    page: 1_000_000,
    limit: 50,
    total: 1,
    total_pages: 1,
    has_more: false,
    next_cursor: null,
  });
});

test('409, 422 as the handler says', async () => {
  const taken = await post('{"name":"taken"}');
  assert.equal(taken.statusCode, 409);
  assert.equal(taken.json<{ param: string }>().param, 'name');
  assert.equal((await post('{"name":"bad"}')).statusCode, 422);
});

test('429 comes before validation and after 401 and 403; every answer shows the limits', async () => {
  const send = (payload: string, headers: Record<string, string> = {}) => post(payload, headers, '/v1/send');
  limitIsFull = true;
  try {
    for (const payload of ['{"to":[]}', '{}', '{']) {
      if (payload !== '{"to":[]}') await refused(send(payload), 429, 'rate_limit_error');
      const response = await send(payload);
      assert.equal(response.headers['x-ratelimit-remaining'], '0');
    }
    const response = await send('{}');
    assert.equal(response.headers['retry-after'], '60');
    assert.equal(response.json<{ retryAfter: number }>().retryAfter, 60);
    assert.equal(response.json<{ resetAt: string }>().resetAt, '1970-01-01T00:00:00.000Z');
    await refused(send('{}', { authorization: 'Bearer read' }), 403, 'permission_error');
    await refused(send('{}', { authorization: '' }), 401, 'authentication_error');
    await refused(send('{}', { 'idempotency-key': '' }), 400, 'validation_error', 'Idempotency-Key');
  } finally {
    limitIsFull = false;
  }
  for (const payload of ['{"to":[]}', '{}', '{'])
    assert.equal((await send(payload)).headers['x-ratelimit-remaining'], '100');
});

test('500 shows nothing of what went wrong, and logs it under the request id', async () => {
  for (const how of ['sql', 'text', 'error']) {
    errors.length = 0;
    const response = await ask({ url: `/v1/breaks?how=${how}` });
    assert.equal(response.statusCode, 500);
    assert.equal(response.json<{ name: string }>().name, 'internal_error');
    assert.doesNotMatch(response.body, /secret|hunter2|text/);
    assert.equal(errors.length, 1);
    assert.match(errors[0] ?? '', new RegExp(String(response.headers['x-request-id'])));
  }
});

test('a forwarded address is believed from a trusted proxy only, and only when it is one', async () => {
  const ipOf = async (forwarded: string, remoteAddress: string) =>
    (await ask({ url: `/v1/things/${ID}`, remoteAddress, headers: { ...GOOD, 'x-forwarded-for': forwarded } })).json<{
      ip: string;
    }>().ip;
  assert.equal(await ipOf('203.0.113.9', '127.0.0.1'), '203.0.113.9');
  assert.equal(await ipOf('203.0.113.9', '198.51.100.1'), '198.51.100.1');
  assert.equal(await ipOf('6.6.6.6, 203.0.113.9', '10.1.2.3'), '203.0.113.9');
  assert.equal(await ipOf('6.6.6.6, 203.0.113.9, 10.9.9.9', '10.1.2.3'), '203.0.113.9');
  assert.equal(await ipOf('2001:db8::1', '127.0.0.1'), '2001:db8::1');
  assert.equal(await ipOf('::ffff:203.0.113.9', '127.0.0.1'), '203.0.113.9');
  assert.equal(await ipOf('fe80::1%eth0', '127.0.0.1'), 'fe80::1');
  for (const garbage of [
    "'; drop table emails",
    'unknown',
    '1',
    '',
    ',',
    '203.0.113.9:80',
    '<script>',
    'a'.repeat(8_000),
  ])
    assert.equal(await ipOf(garbage, '127.0.0.1'), '127.0.0.1', garbage.slice(0, 30));
});

test('every public answer is described: the OpenAPI document has each route and alias once', async () => {
  const { paths } = openApiDocument(app);
  assert.deepEqual(Object.fromEntries(Object.entries(paths).map(([path, methods]) => [path, Object.keys(methods)])), {
    '/v1/things': ['get', 'post'],
    '/things': ['get', 'post'],
    '/v1/things/{id}': ['get', 'delete'],
    '/v1/send': ['post'],
    '/v1/breaks': ['get'],
    '/v1/me': ['get'],
    '/v1/logo': ['get'],
  });
});

test('thousands of hostile requests leave nothing behind, and the app serves the next one', async () => {
  const hostile: InjectOptions[] = [
    {
      method: 'POST',
      url: '/v1/things',
      headers: { ...GOOD, ...JSON_BODY },
      payload: `{"metadata":${'['.repeat(5_000)}`,
    },
    {
      method: 'POST',
      url: '/v1/things',
      headers: { ...GOOD, ...JSON_BODY },
      payload: `{"name":[${'1,'.repeat(2_000)}1]}`,
    },
    {
      method: 'POST',
      url: '/v1/things',
      headers: { ...GOOD, ...JSON_BODY },
      payload: `{${'"a":1,'.repeat(1_000)}"b":2}`,
    },
    {
      method: 'POST',
      url: `/v1/${'x'.repeat(1_000)}`,
      headers: { ...GOOD, 'content-type': 'text/xml' },
      payload: 'x'.repeat(10_000),
    },
    { url: `/v1/things/${'%00'.repeat(100)}?${'status[]=a&'.repeat(500)}`, headers: GOOD },
  ];
  const round = async (count: number): Promise<void> => {
    for (let sent = 0; sent < count; sent += 10)
      await Promise.all(Array.from({ length: 10 }, (_, index) => app.inject(hostile[index % hostile.length] ?? {})));
  };
  await round(500); // what is compiled and cached once does not count
  const beforeBytes = liveBytes();
  const requests = propertyRuns({ test: 400, prove: 3_000 });
  await round(requests);
  const grown = liveBytes() - beforeBytes;
  assert.ok(grown < 1e6 + requests * 400, `${Math.round(grown / 1e6)} MB`);
  assert.equal((await post('{"name":"x"}')).statusCode, 201);
});
