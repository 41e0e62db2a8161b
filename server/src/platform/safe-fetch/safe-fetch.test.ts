import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { standStill } from '../../../test/harness/stand-still.ts';
import { systemClock } from '../clock.ts';
import { createSafeFetch } from './safe-fetch.ts';
import { answerEach, get, listen, OK, openSafeFetch } from './test-kit.ts';

test('a request reaches an address that the operator allows, and its answer comes back', async (t) => {
  const server = createServer((request, response) => {
    response.setHeader('x-host', request.headers.host ?? '');
    request.pipe(response.writeHead(201));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const safeFetch = createSafeFetch({ clock: systemClock, allow: ['127.0.0.1/32'], development: null });
  t.after(() => safeFetch.close());

  const url = await safeFetch.checkUrl(`http://127.0.0.1:${port}/a?b`, 'url');
  for (const host of ['127.0.0.1', 'localhost']) {
    const answer = await safeFetch.request(url.replace('127.0.0.1', host), {
      method: 'POST',
      body: 'hello',
      timeoutMs: 2_000,
      bodyBytesMax: 100,
    });
    assert.equal(answer.kind, 'answered');
    assert.ok(answer.kind === 'answered');
    assert.equal(answer.status, 201);
    assert.equal(answer.headers['x-host'], `${host}:${port}`);
    assert.equal(answer.body.toString(), 'hello');
    assert.equal(answer.truncated, false);
  }
});

test('an address that is not public is refused when it is written and when it is called', async (t) => {
  const safeFetch = createSafeFetch({ clock: systemClock, allow: [], development: null });
  t.after(() => safeFetch.close());
  await assert.rejects(safeFetch.checkUrl('https://127.0.0.1/', 'url'), { name: 'validation_error' });
  const answer = await safeFetch.request('https://127.0.0.1/', { method: 'GET', timeoutMs: 1_000, bodyBytesMax: 1 });
  assert.ok(answer.kind === 'blocked');
  assert.equal(answer.reason, 'target address is not public');
});

test('a process that stood still until the time was over sends nothing any more', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  const stallAtLookup = async (): Promise<string[]> => {
    standStill(300);
    return ['127.0.0.1'];
  };
  const safeFetch = openSafeFetch(t, { lookup: stallAtLookup });
  const late = await get(safeFetch, `http://receiver.test:${peer.port}/`, { timeoutMs: 200 });
  assert.equal(late.kind, 'failed');
  // Bytes that had been sent would be there before the next request, which is in time.
  await get(safeFetch, `http://127.0.0.1:${peer.port}/next`);
  assert.match(peer.received(), /^GET \/next /);
  assert.equal(peer.connections, 1);
});

test('a process that stood still right before it writes to a kept connection sends nothing any more', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  const safeFetch = openSafeFetch(t);
  const url = `http://127.0.0.1:${peer.port}`;
  await get(safeFetch, `${url}/first`);
  await new Promise((resolve) => setImmediate(resolve)); // until its connection is free
  const late = get(safeFetch, `${url}/late`, { timeoutMs: 200 });
  // The request is with the dispatcher by then, which writes to a kept connection at the end of the turn.
  setImmediate(() => standStill(300));
  assert.equal((await late).kind, 'failed');
  await get(safeFetch, `${url}/next`);
  assert.deepEqual(peer.received().match(/GET \/\w+/g), ['GET /first', 'GET /next']);
});
