import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPlatformApp } from '../../../test/harness/platform-app.ts';
import { rateLimited } from '../errors/app-error.ts';
import { openApiDocument } from './openapi/openapi.ts';
import { answer, route } from './route.ts';

const FORM = 'application/x-www-form-urlencoded';
let database: TestDatabase;
let app: FastifyInstance;
let handled: unknown[] = [];
let isFull = false;

const wantsPage = ({ headers }: { headers: Record<string, unknown> }): boolean =>
  String(headers.accept).includes('text/html');

before(async () => {
  database = await createTestDatabase();
  const open = route({
    method: 'POST',
    path: '/open',
    id: 'post_open',
    tag: 'Sending',
    summary: 'For the tests.',
    access: 'public',
    cors: true,
    body: { form: Type.Object({ name: Type.String({ maxLength: 9 }) }), alsoJson: true, alsoMultipart: true },
    response: Type.Object({ success: Type.Boolean() }),
    page: {
      when: wantsPage,
      failure: async ({ status, request, error }) => ({
        body: `<p>${error.name} ${String(request.headers['x-test'])}</p>`,
        status: status === 400 ? 422 : undefined,
        headers: { 'x-own': '1' },
      }),
    },
    async admit() {
      if (isFull) throw rateLimited('no', { retryAfterSeconds: 7, resetAt: new Date(0) });
    },
    handler: async (_ctx, { body, request }) => {
      handled.push(body);
      return wantsPage(request)
        ? answer('<p>done</p>', { headers: { 'content-type': 'text/html; charset=utf-8' } })
        : { success: true };
    },
  });
  ({ app } = await createPlatformApp(database.db, [open]));
});
beforeEach(() => {
  handled = [];
  isFull = false;
});
after(async () => {
  await app.close();
  await database.close();
});

const post = (type: string, payload: string, headers: Record<string, string> = {}): Promise<LightMyRequestResponse> =>
  app.inject({ method: 'POST', url: '/open', payload, headers: { 'content-type': type, ...headers } });

test('200 for the same fields as JSON, as a form and as multipart', async () => {
  const multipart = '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nAda\r\n--x--';
  const answers = [
    await post('application/json', '{"name":"Ada"}'),
    await post(FORM, 'name=Ada'),
    await post('multipart/form-data; boundary=x', multipart),
  ];
  for (const response of answers) assert.deepEqual([response.statusCode, response.json()], [200, { success: true }]);
  assert.deepEqual(handled, [{ name: 'Ada' }, { name: 'Ada' }, { name: 'Ada' }]);
});

test('200 with a page for who asks for one, with the headers of pages', async () => {
  const response = await post(FORM, 'name=Ada', { accept: 'text/html,*/*;q=0.8' });
  assert.equal(response.body, '<p>done</p>');
  assert.match(String(response.headers['content-security-policy']), /form-action 'self'/);
  assert.equal(response.headers['x-robots-tag'], 'noindex');
});

test('failures are pages for who asks for pages, made with the request in hand, and envelopes for all others', async () => {
  const page = await post(FORM, 'name=0123456789', { accept: 'text/html', 'x-test': 'seen' });
  assert.deepEqual([page.statusCode, page.body, page.headers['x-own']], [422, '<p>validation_error seen</p>', '1']);
  const json = await post(FORM, 'name=0123456789');
  assert.deepEqual([json.statusCode, json.json<{ param: string }>().param], [400, 'name']);
  assert.match(String(json.headers['content-type']), /^application\/json/);
  assert.match(String(json.headers['content-security-policy']), /^default-src 'none'; frame-ancestors 'none'$/);
});

test('415 names what is taken, and nothing is handled', async () => {
  const response = await post('text/plain', 'name=Ada');
  assert.equal(response.statusCode, 415);
  assert.match(
    response.json<{ message: string }>().message,
    /application\/json or application\/x-www-form-urlencoded or multipart\/form-data/,
  );
  assert.deepEqual(handled, []);
});

test('429 before anything that was sent is looked at', async () => {
  isFull = true;
  const response = await post('application/json', '{}');
  assert.deepEqual([response.statusCode, response.headers['retry-after']], [429, '7']);
  assert.deepEqual(handled, []);
});

test('204 to the question of a browser, and every answer may be read by everybody’s pages, without credentials', async () => {
  const asked: InjectOptions = {
    method: 'OPTIONS',
    url: '/open',
    headers: { origin: 'https://a.test', 'access-control-request-method': 'POST' },
  };
  const preflight = await app.inject(asked);
  assert.equal(preflight.statusCode, 204);
  assert.equal(preflight.body, '');
  assert.partialDeepStrictEqual(preflight.headers, {
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-max-age': '86400',
  });
  assert.match(String(preflight.headers['access-control-allow-headers']), /Content-Type/);
  isFull = true;
  const answers = [
    preflight,
    await post('application/json', '{"name":"Ada"}'),
    await post('text/plain', 'x'),
    await post(FORM, '%ff='),
  ];
  for (const { headers } of answers) {
    assert.equal(headers['access-control-allow-origin'], '*');
    assert.equal(headers['access-control-allow-credentials'], undefined);
    assert.equal(headers['set-cookie'], undefined);
  }
});

test('405 for other methods, naming those there are', async () => {
  const response = await app.inject({ method: 'DELETE', url: '/open' });
  assert.deepEqual([response.statusCode, response.headers.allow], [405, 'POST, OPTIONS']);
});

test('the reference has an endpoint that is a page for some only', () => {
  const document: unknown = openApiDocument(app);
  assert.partialDeepStrictEqual(document, {
    paths: { '/open': { post: { requestBody: { content: { 'application/json': {}, [FORM]: {} } } } } },
  });
});
