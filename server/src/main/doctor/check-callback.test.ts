import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { systemClock } from '#platform/clock.ts';
import { createSafeFetch, type SafeAnswer } from '#platform/safe-fetch/safe-fetch.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { CALLBACK } from './about-callback.ts';
import { type CallbackDeps, checkCallback } from './check-callback.ts';
import type { Finding } from './finding.ts';

const HEALTH = JSON.stringify({ status: 'ok', database: 'ok', version: '0.1.0' });
const met = new Set<string>();

/** The public address leads here, although it looks public to who judges it. */
async function look(t: TestContext, deps: Partial<CallbackDeps>): Promise<Finding> {
  const allow = ['0.0.0.0/0', '::/0'];
  const fetch = createSafeFetch({ clock: systemClock, allow, development: null, lookup: async () => ['127.0.0.1'] });
  undoAfter(t, () => fetch.close());
  const lookup = async (): Promise<string[]> => ['93.184.215.14'];
  const found = await checkCallback({ publicUrl: 'https://mail.example.com', port: 1, lookup, fetch, ...deps });
  if (found.cause !== null) {
    const cause = found.cause;
    const kind = Object.entries(CALLBACK.troubles).find(([, known]) =>
      cause.startsWith(known.cause.split('<')[0] ?? ''),
    );
    met.add(kind?.[0] ?? assert.fail(cause));
  }
  return found;
}

async function serve(t: TestContext, listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undoAfter(t, () => server.close());
  return (server.address() as AddressInfo).port;
}

const posthorn: RequestListener = (request, response) =>
  response.end(request.url === '/health' ? HEALTH : assert.fail(request.url));

test('an address that means this machine', async (t) => {
  for (const publicUrl of ['http://localhost:3000', 'https://127.0.0.1', 'http://[::1]:3000', 'https://a.localhost']) {
    const { status, cause } = await look(t, { publicUrl });
    assert.equal(status, 'error', publicUrl);
    assert.match(cause ?? '', /means this machine/);
  }
});

test('a host whose address is not public, or that has none', async (t) => {
  const inner = await look(t, { lookup: async () => ['93.184.215.14', '10.0.0.5'] });
  assert.deepEqual([inner.status, inner.message], ['error', 'mail.example.com leads to 10.0.0.5.']);
  assert.equal((await look(t, { publicUrl: 'https://192.168.1.2' })).status, 'error');
  const none = await look(t, { lookup: async () => Promise.reject(new Error('ENOTFOUND')) });
  assert.match(none.cause ?? '', /has no address/);
});

test('a public address that answers', async (t) => {
  const head = { kind: 'answered', status: 200, statusText: 'OK', headers: {} } as const;
  const answer: SafeAnswer = { ...head, body: Buffer.from(HEALTH), truncated: false, tookMs: 1 };
  const asked: string[] = [];
  const fetch = {
    request: async (url: string): Promise<SafeAnswer> => {
      asked.push(url);
      return answer;
    },
  };
  assert.equal((await look(t, { fetch, publicUrl: 'https://mail.example.com/base' })).status, 'ok');
  assert.deepEqual(asked, ['https://mail.example.com/base/health']);
});

test('a public address that is not encrypted', async (t) => {
  const port = await serve(t, posthorn);
  const { status, cause } = await look(t, { publicUrl: `http://mail.example.com:${port}` });
  assert.deepEqual([status, cause?.startsWith('POSTHORN_PUBLIC_URL is not https')], ['warning', true]);
});

test('a public address at which somebody else answers', async (t) => {
  for (const body of ['<html>Welcome to nginx</html>', '{"status":"ok"}', '[]', 'null']) {
    const port = await serve(t, (_request, response) => response.end(body));
    const { status, cause } = await look(t, { publicUrl: `http://mail.example.com:${port}` });
    assert.equal(status, 'error', body);
    assert.match(cause ?? '', /not Posthorn/);
  }
});

test('a public address that does not answer, while we run and while we do not', async (t) => {
  const port = await serve(t, posthorn);
  const runs = await look(t, { publicUrl: 'http://mail.example.com:1', port });
  assert.equal(runs.status, 'warning');
  assert.match(
    runs.cause ?? '',
    /^Posthorn runs, and its public address does not answer this machine: connection refused\./,
  );
  assert.match(runs.fix ?? '', /^Open http:\/\/mail\.example\.com:1\/health from another network/);
  const down = await look(t, { publicUrl: 'http://mail.example.com:1' });
  assert.match(down.cause ?? '', /does not run here/);
});

test('every trouble of the callback was found here', () => {
  assert.deepEqual([...met].toSorted(), Object.keys(CALLBACK.troubles).toSorted());
});
