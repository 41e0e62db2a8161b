import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, test } from 'node:test';
import { askEarly, fetchOrTake } from './early.ts';

const HERE = 'http://dashboard.example.com';
let answered = 0;
let status = 200;
let pageMs = 0;
let mocks: { mock: { restore(): void } }[] = [];
const fetched: string[] = [];

beforeEach(() => {
  answered = 0;
  status = 200;
  pageMs = 500;
  fetched.length = 0;
  mocks = [
    mock.method(performance, 'now', () => pageMs),
    mock.method(globalThis, 'fetch', async (asked: string | Request) => {
      fetched.push(typeof asked === 'string' ? asked : `${asked.method} ${asked.url}`);
      answered += 1;
      return new Response(String(answered), { status });
    }),
  ];
});
// Of these alone: other files of tests are in the same process.
afterEach(() => {
  for (const one of mocks) one.mock.restore();
});

const read = async (path: string, init: RequestInit = {}): Promise<string> =>
  (await fetchOrTake(new Request(`${HERE}${path}`, init))).text();

test('an answer that was asked for early is given once, to the same question', async () => {
  void askEarly('/v1/overview', 'w1');
  void askEarly('/workspaces?limit=100');
  assert.equal(await read('/v1/overview', { headers: { 'X-Workspace-ID': 'w1' } }), '1');
  assert.equal(await read('/workspaces?limit=100'), '2');
  assert.deepEqual(fetched, ['/v1/overview', '/workspaces?limit=100']);
  assert.equal(await read('/workspaces?limit=100'), '3');
  assert.equal(fetched.length, 3);
});

test('an early answer that the server was too busy for is given once, and the repeat asks the server', async () => {
  status = 503;
  const early = askEarly('/v1/overview');
  assert.equal((await fetchOrTake(new Request(`${HERE}/v1/overview`))).status, 503);
  assert.equal((await early).status, 503);
  status = 200;
  assert.equal(await read('/v1/overview'), '2');
});

test('a POST that only reads, such as the check of a draft, leaves the early answers', async () => {
  void askEarly('/v1/overview');
  assert.equal(await read('/v1/newsletters/1/issues/2/check', { method: 'POST' }), '2');
  assert.equal(await read('/v1/overview'), '1');
});

test('an early answer is not given to another workspace, to another question, or after a write', async () => {
  void askEarly('/v1/overview', 'w1');
  assert.equal(await read('/v1/overview', { headers: { 'X-Workspace-ID': 'w2' } }), '2');
  assert.equal(await read('/v1/overview?x=1', { headers: { 'X-Workspace-ID': 'w1' } }), '3');
  assert.equal(await read('/auth/sessions', { method: 'POST' }), '4');
  assert.equal(await read('/v1/overview', { headers: { 'X-Workspace-ID': 'w1' } }), '5');
});

test('an early answer is not given to a page that comes ten seconds after it was opened', async () => {
  void askEarly('/v1/overview', 'w1');
  pageMs = 10_001;
  assert.equal(await read('/v1/overview', { headers: { 'X-Workspace-ID': 'w1' } }), '2');
});
