import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { FastifyInstance, LightMyRequestResponse } from 'fastify';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp } from '../../../test/harness/platform-app.ts';
import { conflict, forbidden, notFound, rateLimited, unacceptable, unauthenticated } from '../errors/app-error.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { type PageRights, pageHeaders } from './page.ts';
import { route } from './route.ts';

const FORM = 'application/x-www-form-urlencoded';
const FAILURES: Readonly<Record<string, () => Error>> = {
  auth: () => unauthenticated('no'),
  forbidden: () => forbidden('no'),
  missing: () => notFound('thing', 'x'),
  conflict: () => conflict('no'),
  refused: () => unacceptable('name', 'no'),
  limited: () => rateLimited('no', { retryAfterSeconds: 7, resetAt: new Date(0) }),
  broken: () => new Error('the insides'),
};

let database: TestDatabase;
let app: FastifyInstance;
let handled: unknown[] = [];

const page = {
  failure: ({ error, status, fields }: { error: Error; status: number; fields: object }) =>
    `<p>${status} ${error.name} ${Object.keys(fields).join()}</p>`,
};
const common = { tag: 'Pages', summary: 'For the tests.', access: 'public' as const };
const body = Type.Object({ name: Type.String({ maxLength: 9 }), note: Type.Optional(Type.String()) });

before(async () => {
  database = await createTestDatabase();
  const routes = [
    route({
      ...common,
      method: 'POST',
      path: '/page',
      id: 'post_page',
      page,
      body: { form: body, bytesMax: 100 },
      handler: async (_ctx, input) => {
        const failure = FAILURES[input.body.name];
        if (failure !== undefined) throw failure();
        handled.push(input.body);
        return '<p>done</p>';
      },
    }),
    route({
      ...common,
      method: 'POST',
      path: '/json',
      id: 'post_json',
      response: Type.Unknown(),
      body: { json: body },
      handler: async (_ctx, input) => {
        handled.push(input.body);
        return { success: true };
      },
    }),
  ];
  ({ app } = await createPlatformApp(database.db, routes));
});
after(async () => {
  await app.close();
  await database.close();
});

async function post(url: string, payload: string, type = FORM): Promise<LightMyRequestResponse> {
  handled = [];
  return app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });
}

function assertIsPage(answer: LightMyRequestResponse): void {
  assert.equal(answer.headers['content-type'], 'text/html; charset=utf-8');
  assert.equal(
    answer.headers['content-security-policy'],
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  );
  assert.equal(answer.headers['cache-control'], 'no-store');
  assert.equal(answer.headers['referrer-policy'], 'no-referrer');
  assert.equal(answer.headers['x-robots-tag'], 'noindex');
  assert.equal(answer.headers['x-content-type-options'], 'nosniff');
  assert.equal(answer.headers['www-authenticate'], undefined);
}

test('200 for a form on a route that takes one, however its type is written', async () => {
  for (const type of [FORM, `${FORM}; charset=utf-8`, `${FORM};charset="UTF-8"`, FORM.toUpperCase()]) {
    const answer = await post('/page', 'name=Ada&note=', type);
    assert.equal(answer.statusCode, 200, type);
    assert.equal(answer.body, '<p>done</p>');
    assert.deepEqual(handled, [{ name: 'Ada' }], 'a field left empty is not given');
    assertIsPage(answer);
  }
});

test('415 for a form on a route that takes JSON, and for JSON on a route that takes a form, and nothing is done', async () => {
  const toJson = await post('/json', 'name=Ada');
  assert.equal(toJson.statusCode, 415);
  assert.equal(toJson.json<{ name: string }>().name, 'request_error');
  assert.deepEqual(handled, []);
  for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', `${FORM}; charset=latin1`]) {
    const toForm = await post('/page', type === 'application/json' ? '{"name":"Ada"}' : 'name=Ada', type);
    assert.equal(toForm.statusCode, 415, type);
    assertIsPage(toForm);
    assert.deepEqual(handled, []);
  }
  assert.equal((await post('/json', '{"name":"Ada"}', 'application/json')).statusCode, 200);
});

test('400 as a page for a form that its schema or the parser refuses, and nothing is done', async () => {
  for (const payload of ['', 'name=', 'name=longer+than+nine', 'name=a&name=b', 'name=%ff', 'name[]=a']) {
    const answer = await post('/page', payload);
    assert.equal(answer.statusCode, 400, payload);
    assertIsPage(answer);
    assert.deepEqual(handled, [], payload);
  }
});

test('413 as a page for a form that is too large', async () => {
  const answer = await post('/page', `name=${'x'.repeat(96)}`);
  assert.equal(answer.statusCode, 413);
  assertIsPage(answer);
});

test('400 as a page for what a person can do the same about; 429 with Retry-After and 500 stay themselves', async () => {
  for (const [name, status, shown] of [
    ['auth', 400, '401 authentication_error'],
    ['forbidden', 400, '403 permission_error'],
    ['missing', 400, '404 not_found_error'],
    ['conflict', 400, '409 conflict_error'],
    ['refused', 400, '422 validation_error'],
    ['limited', 429, '429 rate_limit_error'],
    ['broken', 500, '500 internal_error'],
  ] as const) {
    const answer = await post('/page', `name=${name}`);
    assert.equal(answer.statusCode, status, name);
    assert.match(answer.body, new RegExp(shown));
    assert.doesNotMatch(answer.body, /insides/);
    assert.equal(answer.headers['retry-after'], name === 'limited' ? '7' : undefined);
    assertIsPage(answer);
  }
});

test('a page is not in the OpenAPI document', () => {
  assert.deepEqual(Object.keys(openApiDocument(app).paths), ['/json']);
});

test('a page gets no more rights than it asks for', () => {
  const policy = (rights: PageRights): string => pageHeaders(rights)['content-security-policy'] ?? '';
  const tail = "form-action 'self'; base-uri 'none'; frame-ancestors";
  assert.equal(policy({}), `default-src 'none'; style-src 'unsafe-inline'; ${tail} 'none'`);
  // printf 'a{}' | openssl dgst -sha256 -binary | base64
  const hash = 'X1RutGBrXCt9KkSaXMK7tHftWiRscFHOhxsS8tv8hBk=';
  assert.equal(policy({ style: 'a{}' }), `default-src 'none'; style-src 'sha256-${hash}'; ${tail} 'none'`);
  assert.match(policy({ imagesFrom: [] }), /style-src 'unsafe-inline'; form-action/);
  assert.match(policy({ imagesFrom: ['https://a.example'] }), /; img-src https:\/\/a\.example; /);
  assert.match(policy({ framedBy: 'anyone' }), /frame-ancestors \*$/);
  assert.match(policy({ script: 'a{}' }), new RegExp(`; script-src 'sha256-${hash.replace('+', '.')}'; form-action`));
  assert.equal(pageHeaders({ indexed: true })['x-robots-tag'], 'all');
});
