import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp } from '../../../../test/harness/platform-app.ts';
import { route } from '../route.ts';

const GZIP = { 'accept-encoding': 'gzip, deflate, br' };
const PIECE = 'ä0123456789';

let database: TestDatabase;
let app: FastifyInstance;

before(async () => {
  database = await createTestDatabase();
  const common = { tag: 'Things', summary: 'For the tests.', access: 'public' as const, response: Type.Unknown() };
  const long = async () => ({ text: PIECE.repeat(1_000) });
  const routes = [
    route({ ...common, method: 'GET', path: '/short', id: 'get_short', handler: async () => ({ text: PIECE }) }),
    route({ ...common, method: 'GET', path: '/json', id: 'get_json', handler: long }),
    route({ ...common, method: 'POST', path: '/json', id: 'post_json', handler: long }),
  ];
  ({ app } = await createPlatformApp(database.db, routes, {
    // Asked before the routes: answers of other kinds than JSON.
    answerPage: (request, reply) => {
      const { pathname } = new URL(request.url, 'http://a');
      if (pathname === '/page') return reply.header('vary', 'Accept').type('text/html').send(PIECE.repeat(1_000));
      if (pathname === '/document') return reply.type('text/html').send('a'.repeat(1_048_577));
      if (pathname === '/picture') return reply.type('image/png').send(Buffer.alloc(9_000));
      if (pathname === '/stream') return reply.type('text/csv').send(Readable.from([PIECE.repeat(1_000)]));
      return undefined;
    },
  }));
});
after(async () => {
  await app.close();
  await database.close();
});

const get = (url: string, headers: Record<string, string> = GZIP, method: 'GET' | 'HEAD' | 'POST' = 'GET') =>
  app.inject({ method, url, headers });

test('a long answer of text is compressed where the caller takes gzip, and is the same', async () => {
  const plain = await get('/json', {});
  assert.deepEqual([plain.headers['content-encoding'], plain.headers['vary']], [undefined, 'Accept-Encoding']);
  assert.deepEqual(plain.json(), { text: PIECE.repeat(1_000) });
  const answer = await get('/json');
  assert.deepEqual([answer.headers['content-encoding'], answer.headers['vary']], ['gzip', 'Accept-Encoding']);
  assert.equal(Number(answer.headers['content-length']), answer.rawPayload.length);
  assert.ok(answer.rawPayload.length < 200);
  assert.equal(gunzipSync(answer.rawPayload).toString(), plain.body);

  const page = await get('/page');
  assert.deepEqual([page.headers['content-encoding'], page.headers['vary']], ['gzip', 'Accept, Accept-Encoding']);
  assert.equal(gunzipSync(page.rawPayload).toString(), PIECE.repeat(1_000));
});

test('a caller that refuses gzip, or does not name it, gets the answer as it is', async () => {
  for (const accepted of ['', 'br', 'gzip;q=0', 'identity, GZIP; q=0.00', 'x-gzipped']) {
    const { headers, body } = await get('/page', { 'accept-encoding': accepted });
    assert.equal(headers['content-encoding'], undefined, accepted);
    assert.equal(body, PIECE.repeat(1_000));
  }
});

test('HEAD has the headers of GET', async () => {
  for (const headers of [GZIP, {}]) {
    const [read, head] = [await get('/json', headers), await get('/json', headers, 'HEAD')];
    const shown = ({ headers: { 'content-encoding': coding, 'content-length': length, vary } }: typeof read) => ({
      coding,
      length: Number(length),
      vary,
    });
    assert.deepEqual(shown(head), shown(read));
    assert.equal(head.rawPayload.length, 0);
  }
});

test('short answers, very long ones, pictures, streams, and answers to a write stay as they are', async () => {
  for (const [url, method] of [
    ['/short', 'GET'],
    ['/picture', 'GET'],
    ['/stream', 'GET'],
    ['/document', 'GET'],
    ['/json', 'POST'],
  ] as const) {
    const { statusCode, headers } = await get(url, GZIP, method);
    assert.deepEqual([statusCode, headers['content-encoding']], [200, undefined], `${method} ${url}`);
  }
});
