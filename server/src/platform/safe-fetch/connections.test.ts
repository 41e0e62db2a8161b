import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { until } from '../../../test/harness/until.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { answerEach, get, listen, NOT_PUBLIC, OK, openSafeFetch } from './test-kit.ts';

test('a connection is used again for the same host and port', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  const safeFetch = openSafeFetch(t);
  for (let count = 0; count < 50; count += 1) await get(safeFetch, `http://127.0.0.1:${peer.port}/${count}`);
  // A second one is opened when the next request is earlier than the first one is free again.
  const used = peer.connections;
  assert.ok(used <= 2, `${used} connections`);
  await get(safeFetch, `http://localhost:${peer.port}/`);
  assert.equal(peer.connections, used + 1);
});

test('a name whose answer changes reaches neither the old place nor a new one that is not public', async (t) => {
  const good = await listen(t, (socket) => answerEach(socket, OK));
  const bad = await listen(t, (socket) => answerEach(socket, OK), { host: '127.0.0.9', port: good.port });
  const clock = createTestClock();
  const answers = [['127.0.0.1'], ['127.0.0.9'], ['127.0.0.1', '127.0.0.9'], ['127.0.0.1']];
  let lookups = 0;
  const safeFetch = openSafeFetch(t, {
    allow: ['127.0.0.1/32'],
    lookup: async () => answers[lookups++] ?? [],
    clock,
  });
  const url = `http://rebind.example:${good.port}/`;
  const outcomes: string[] = [];
  for (let step = 0; step < 4; step += 1) {
    for (let times = 0; times < 3; times += 1) {
      const answer = await get(safeFetch, url);
      outcomes.push(answer.kind === 'blocked' ? answer.reason : answer.kind);
    }
    clock.advance(3_001);
  }
  const three = (outcome: string): string[] => [outcome, outcome, outcome];
  assert.deepEqual(outcomes, [...three('answered'), ...three(NOT_PUBLIC), ...three(NOT_PUBLIC), ...three('answered')]);
  assert.equal(lookups, 4);
  assert.equal(bad.connections, 0);
});

test('a name is looked up once for a request, and the connection goes to that answer', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  let lookups = 0;
  const safeFetch = openSafeFetch(t, {
    lookup: async () => {
      lookups += 1;
      return lookups === 1 ? ['127.0.0.1'] : ['10.0.0.1'];
    },
  });
  const answer = await get(safeFetch, `http://hooks.example:${peer.port}/a`);
  assert.equal(answer.kind, 'answered');
  assert.equal(lookups, 1);
  assert.match(peer.received(), new RegExp(`^GET /a HTTP/1\\.1\\r\\nhost: hooks\\.example:${peer.port}\\r\\n`, 'i'));
});

test('a name that moves is followed, although a connection to its old place is open', async (t) => {
  const before = await listen(t, (socket) => answerEach(socket, OK));
  const after = await listen(t, (socket) => answerEach(socket, OK), { host: '127.0.0.3', port: before.port });
  const clock = createTestClock();
  let place = '127.0.0.1';
  const safeFetch = openSafeFetch(t, {
    lookup: async () => [place],
    clock,
  });
  const url = `http://hooks.example:${before.port}/`;
  await get(safeFetch, `${url}first`);
  place = '127.0.0.3';
  clock.advance(3_001);
  await get(safeFetch, `${url}second`);
  assert.match(before.received(), /^GET \/first /);
  assert.doesNotMatch(before.received(), /second/);
  assert.match(after.received(), /^GET \/second /);
});

test('when the first address of a name is dead the next one is used', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK), { host: '127.0.0.3' });
  for (const addresses of [
    ['127.0.0.2', '127.0.0.3'],
    ['::1', '127.0.0.3'],
    ['127.0.0.2', '::1', '127.0.0.3'],
  ]) {
    const safeFetch = openSafeFetch(t, { allow: ['127.0.0.0/8', '::1/128'], lookup: async () => addresses });
    const answer = await get(safeFetch, `http://hooks.example:${peer.port}/`);
    assert.equal(answer.kind, 'answered', addresses.join());
  }
});

test('many requests at once share a bounded number of connections, and all are answered', async (t) => {
  const server = createServer((_request, response) => setImmediate(() => response.end('ok')));
  const peer = await listen(t, undefined, { server });
  const safeFetch = openSafeFetch(t);
  const answers = await Promise.all(
    Array.from({ length: 500 }, () => get(safeFetch, `http://127.0.0.1:${peer.port}/`)),
  );
  assert.equal(answers.filter(({ kind }) => kind === 'answered').length, 500);
  assert.ok(peer.connections <= 64, `${peer.connections} connections`);
});

test('a server that swallows all its connections delays nobody else of the same host', async (t) => {
  const peer = await listen(t, (socket, request) => {
    void request.then((data) => {
      if (String(data).includes('/good')) socket.write(OK);
    });
  });
  const safeFetch = openSafeFetch(t);
  const url = `http://127.0.0.1:${peer.port}`;
  const enough = new AbortController();
  const hanging = Array.from({ length: 100 }, () =>
    get(safeFetch, `${url}/hang`, { timeoutMs: 60_000, onBehalfOf: 'dead', signal: enough.signal }),
  );
  const answer = await get(safeFetch, `${url}/good`, { timeoutMs: 30_000, onBehalfOf: 'healthy' });
  assert.equal(answer.kind, 'answered');
  enough.abort();
  for (const { kind } of await Promise.all(hanging)) assert.equal(kind, 'failed');
});

test('requests that wait for a connection are given up in time and never sent', async (t) => {
  const peer = await listen(t);
  const safeFetch = openSafeFetch(t);
  const url = `http://127.0.0.1:${peer.port}/`;
  const first = Array.from({ length: 64 }, () => get(safeFetch, url, { timeoutMs: 600 }));
  const waiting = Array.from({ length: 100 }, () =>
    get(safeFetch, `${url}waiting`, { method: 'POST', body: 'x'.repeat(1_000), timeoutMs: 100 }),
  );
  for (const answer of await Promise.all(waiting)) {
    // On a busy machine the look-up of a name is the last thing that some of them did.
    const reason = answer.kind === 'failed' && answer.reason;
    assert.match(String(reason), /^timed out after 0\.1 s while (connecting|looking up the name)$/);
  }
  await Promise.all(first);
  assert.doesNotMatch(peer.received(), /waiting/);
  // There is room again.
  const enough = new AbortController();
  const last = get(safeFetch, `${url}last`, { timeoutMs: 60_000, signal: enough.signal });
  await until('the last request', async () => (peer.received().includes('/last') ? true : undefined));
  enough.abort();
  assert.equal((await last).kind, 'failed');
});

test('a connection that turns out to lead elsewhere carries nothing', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  // The kernel is asked for one address and says that it reached another; `remoteAddress` reads this.
  const peerName = { address: '10.0.0.1', family: 'IPv4', port: peer.port };
  t.mock.method(Socket.prototype as unknown as { _getpeername(): unknown }, '_getpeername', () => peerName);
  const answer = await get(openSafeFetch(t), `http://127.0.0.1:${peer.port}/`);
  assert.equal(answer.kind === 'blocked' && answer.reason, NOT_PUBLIC);
  assert.equal(peer.connections, 1);
  assert.equal(peer.received(), '');
});
