import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createServer, DEFAULT_MIN_VERSION, type TlsOptions, TLSSocket } from 'node:tls';
import { selfSignedCertificate } from '../../../test/harness/self-signed-certificate.ts';
import type { SafeFetchOptions } from './safe-fetch.ts';
import { answerEach, get, listen, OK, openSafeFetch, type Peer } from './test-kit.ts';

const good = selfSignedCertificate();

/** The result of a request to a TLS server, and the server. */
async function ask(
  t: TestContext,
  server: TlsOptions,
  options: Partial<SafeFetchOptions> = {},
  host = 'localhost',
): Promise<{ outcome: string | number; peer: Peer; names: (string | false | null)[] }> {
  const names: (string | false | null)[] = [];
  const tls = createServer({ ...good, ...server });
  tls.on('secureConnection', (socket) => names.push(socket.servername));
  tls.on('tlsClientError', () => undefined);
  const peer = await listen(t, (socket) => answerEach(socket, OK), { server: tls });
  const safeFetch = openSafeFetch(t, { ca: good.cert, ...options });
  const answer = await get(safeFetch, `https://${host}:${peer.port}/`);
  return { outcome: answer.kind === 'answered' ? answer.status : answer.reason, peer, names };
}

/** Nothing of the request may have been seen. */
function assertUnsent({ outcome, peer }: { outcome: string | number; peer: Peer }, reason: string): void {
  assert.equal(outcome, reason);
  assert.equal(peer.received(), '');
}

test('a good certificate is believed, and the server is told the name', async (t) => {
  const { outcome, names } = await ask(t, {});
  assert.deepEqual([outcome, names], [200, ['localhost']]);
  assert.equal((await ask(t, {}, {}, '127.0.0.1')).outcome, 200);
});

test('a self-signed certificate is not', async (t) => {
  const other = selfSignedCertificate({ commonName: 'other.example' });
  assertUnsent(await ask(t, other), 'TLS certificate is self-signed');
});

test('an expired certificate, and one of the future, are not', async (t) => {
  const now = performance.timeOrigin + performance.now();
  const days = (count: number): { cert: string; key: string } =>
    selfSignedCertificate({ around: new Date(now + count * 86_400_000) });
  const [expired, early] = [days(-10), days(10)];
  assertUnsent(await ask(t, expired, { ca: expired.cert }), 'TLS certificate has expired');
  assertUnsent(await ask(t, early, { ca: early.cert }), 'TLS certificate is not valid yet');
});

test('a certificate for another host is not', async (t) => {
  const lookup = async (): Promise<string[]> => ['127.0.0.1'];
  const result = await ask(t, {}, { lookup }, 'hooks.example');
  assertUnsent(result, 'TLS certificate is not for this host name');
});

test('TLS 1.0 and 1.1 are refused', async (t) => {
  assert.equal(DEFAULT_MIN_VERSION, 'TLSv1.2');
  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    const old = { minVersion: version, maxVersion: version, ciphers: 'ALL@SECLEVEL=0' };
    assertUnsent(await ask(t, old), 'TLS 1.2 or newer is required');
  }
  const newer = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' } as const;
  assert.equal((await ask(t, newer)).outcome, 200);
});

test('a server that does not speak TLS', async (t) => {
  const peer = await listen(t, (socket) => answerEach(socket, OK));
  const answer = await get(openSafeFetch(t), `https://127.0.0.1:${peer.port}/`);
  assert.equal(answer.kind === 'failed' && answer.reason, 'the port does not speak TLS');
});

test('HTTP/2 is not offered', async (t) => {
  const { outcome, peer } = await ask(t, { ALPNProtocols: ['h2', 'http/1.1'] });
  assert.equal(outcome, 200);
  assert.match(peer.received(), /^GET \/ HTTP\/1\.1\r\n/);
});

test('a request that was given up before its connection stood is never sent', async (t) => {
  const held: Socket[] = [];
  const peer = await listen(t, (socket) => void held.push(socket.pause()));
  const safeFetch = openSafeFetch(t, { ca: good.cert });
  const answer = await get(safeFetch, `https://localhost:${peer.port}/`, { timeoutMs: 1_000 });
  assert.equal(answer.kind === 'failed' && answer.reason, 'timed out after 1 s while connecting');
  const [socket] = held;
  assert.ok(socket);
  socket.removeAllListeners('data');
  // Up to 1.2 the server is the first to finish, so it cannot miss it.
  const late = new TLSSocket(socket, { isServer: true, ...good, maxVersion: 'TLSv1.2' });
  let received = '';
  late.on('data', (chunk) => (received += chunk.toString()));
  late.on('error', () => undefined);
  let isFinished = false;
  late.on('secure', () => (isFinished = true));
  await once(late, 'close');
  assert.ok(isFinished, 'the handshake was not finished');
  assert.equal(received, '');
});
