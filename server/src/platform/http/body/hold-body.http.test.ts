import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp } from '../../../../test/harness/platform-app.ts';
import { until } from '../../../../test/harness/until.ts';
import { Moment } from '../../moments.ts';
import { route } from '../route.ts';

const MB = 1_048_576;
/** Two such bodies of one caller fit, of a budget of 8 MB. */
const LARGE = 2 * MB;
const REQUEST_MS = 400;

let database: TestDatabase;
interface Listening {
  app: FastifyInstance;
  errors: string[];
  port: number;
}
let patient: Listening;
/** Gives a request little time. */
let hasty: Listening;
/** While set, the handler waits for it. */
let held: Promise<void> | undefined;
const handled = new Moment();
const open: ClientRequest[] = [];

before(async () => {
  database = await createTestDatabase({ migrated: false });
  const echo = route({
    method: 'POST',
    path: '/bodies',
    id: 'add_body',
    tag: 'Bodies',
    summary: 'For the tests.',
    access: { scope: 'bodies:write' },
    response: Type.Unknown(),
    body: { json: Type.Object({ text: Type.String() }), bytesMax: 3 * MB },
    handler: async (_ctx, { body }) => {
      handled.occur();
      await held;
      return { characters: body.text.length };
    },
  });
  const listening = async (timeouts: Parameters<typeof createPlatformApp>[2]): Promise<Listening> => {
    const more = { env: { POSTHORN_BODY_BUDGET_MB: '8' }, ...timeouts };
    const { app, errors } = await createPlatformApp(database.db, [echo], more);
    await app.listen({ host: '127.0.0.1', port: 0 });
    return { app, errors, port: (app.server.address() as AddressInfo).port }; // it listens on TCP
  };
  patient = await listening({});
  hasty = await listening({ timeouts: { requestMs: REQUEST_MS, headersMs: REQUEST_MS, checkMs: 20 } });
});
afterEach(async () => {
  held = undefined;
  for (const request of open.splice(0)) request.destroy();
  await until('all is given back', async () => ((await post(jsonOf(LARGE))).status === 200 ? true : undefined));
});
after(async () => {
  await patient.app.close();
  await hasty.app.close();
  await database.close();
});

const jsonOf = (bytes: number): string => JSON.stringify({ text: 'a'.repeat(bytes - 11) });

interface Begun {
  request: ClientRequest;
  answered: Promise<{ status: number; name: string | undefined; retryAfter: string | undefined }>;
}

/** Sends the headers, and nothing of the body yet. */
function begin(headers: Record<string, string | number>, token = 'good', { port } = patient): Begun {
  const type = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const request = httpRequest({ port, path: '/bodies', method: 'POST', headers: { ...type, ...headers } });
  open.push(request);
  request.on('error', () => undefined); // the server may close before everything is sent
  request.flushHeaders();
  const answered = once(request, 'response').then(async ([response]: IncomingMessage[]) => {
    const parts: Buffer[] = [];
    for await (const part of response ?? []) parts.push(part as Buffer); // no encoding is set
    const { name } = JSON.parse(Buffer.concat(parts).toString()) as { name?: string };
    return { status: response?.statusCode ?? 0, name, retryAfter: response?.headers['retry-after'] };
  });
  answered.catch(() => undefined); // a request that is destroyed has no answer
  return { request, answered };
}

function post(text: string, token?: string): Begun['answered'] {
  const { request, answered } = begin({ 'content-length': Buffer.byteLength(text) }, token);
  request.end(text);
  return answered;
}

/** Bodies that are announced and come slowly. One more says whether they are counted yet. */
async function fill(): Promise<void> {
  for (let n = 0; n < 2; n += 1) begin({ 'content-length': LARGE });
  await until('there is no room', async () => ((await post(jsonOf(LARGE))).status === 503 ? true : undefined));
}

test('503 with Retry-After before a body beyond the budget is read; small bodies and other callers have room', async () => {
  await fill();
  const { answered } = begin({ 'content-length': LARGE });
  assert.deepEqual(await answered, { status: 503, name: 'service_unavailable_error', retryAfter: '1' });
  assert.equal((await post(jsonOf(1_000))).status, 200);
  assert.equal((await post(jsonOf(LARGE), 'other')).status, 200);
  assert.deepEqual(patient.errors, [], 'it is no failure of ours');
});

test('small bodies that are announced and do not come take no room', async () => {
  for (let n = 0; n < 20; n += 1) begin({ 'content-length': MB }).request.write('{"text":');
  for (let n = 0; n < 5; n += 1) {
    assert.equal((await post(jsonOf(MB))).status, 200);
    assert.equal((await post(jsonOf(LARGE))).status, 200);
  }
});

test('small bodies count as they come: 503 for more of one caller, while another has room', async () => {
  for (let n = 0; n < 8; n += 1) begin({ 'content-length': MB }).request.write(jsonOf(MB).slice(0, -1));
  await until('there is no room', async () => ((await post(jsonOf(MB))).status === 503 ? true : undefined));
  assert.equal((await post(jsonOf(MB), 'other')).status, 200);
  assert.equal((await post(jsonOf(LARGE), 'other')).status, 200);
  assert.deepEqual(patient.errors, []);
});

test('503 for a body without a length as soon as it grows beyond the budget', async () => {
  await fill();
  const { request, answered } = begin({ 'transfer-encoding': 'chunked' });
  request.write(jsonOf(LARGE));
  assert.equal((await answered).status, 503);
});

test('200 for a body without a length that has room', async () => {
  const { request, answered } = begin({ 'transfer-encoding': 'chunked' });
  const text = jsonOf(LARGE);
  request.write(text.slice(0, MB));
  request.end(text.slice(MB));
  assert.equal((await answered).status, 200);
});

test('a body counts while its handler works with it, also when its caller has gone away', async () => {
  const gate = Promise.withResolvers<void>();
  held = gate.promise;
  for (let n = 0; n < 2; n += 1) {
    const begun = handled.next();
    const { request } = begin({ 'content-length': LARGE });
    request.end(jsonOf(LARGE));
    await begun;
    request.destroy();
  }
  assert.equal((await post(jsonOf(LARGE))).status, 503);
  gate.resolve();
});

test('bodies that do not arrive in time are given up, and their bytes given back', async () => {
  const slow = Array.from({ length: 2 }, () => begin({ 'content-length': LARGE }, 'good', hasty));
  for (const { request } of slow) request.write('{');
  for (const { answered } of slow) assert.equal((await answered).status, 408);
  const text = jsonOf(LARGE);
  const next = begin({ 'content-length': LARGE }, 'good', hasty);
  next.request.end(text);
  assert.equal((await next.answered).status, 200);
});
