import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPlatformApp } from '../../../../test/harness/platform-app.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { until } from '../../../../test/harness/until.ts';
import { needsTool } from '../../../../test/system-tools.ts';
import { route } from '../route.ts';

const MB = 1_048_576;
const clock = createTestClock({ held: true });

let database: TestDatabase;
let app: FastifyInstance;
let port: number;
before(async () => {
  database = await createTestDatabase({ migrated: false });
  const add = route({
    method: 'POST',
    path: '/bodies',
    id: 'add_body',
    tag: 'Bodies',
    summary: 'For the tests.',
    access: { scope: 'bodies:write' },
    response: Type.Unknown(),
    body: { json: Type.Unknown() },
    handler: async () => ({}),
  });
  ({ app } = await createPlatformApp(database.db, [add], { clock }));
  await app.listen({ host: '127.0.0.1', port: 0 });
  port = (app.server.address() as AddressInfo).port; // it listens on TCP
});
after(async () => {
  await app.close();
  await database.close();
});

/** A program that sends everything before it reads, as most simple clients do. */
const PROGRAM = `
import sys, urllib.request, urllib.error
url, token, size, times = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
for _ in range(times):
    headers = {"Authorization": "Bearer " + token, "Content-Type": "application/json"}
    try:
        print(urllib.request.urlopen(urllib.request.Request(url, b"a" * size, headers)).status)
    except urllib.error.HTTPError as error:
        print(error.code)
`;

async function python(path: string, token: string, size: number): Promise<string[]> {
  const child = spawn('/usr/bin/python3', ['-c', PROGRAM, `http://127.0.0.1:${port}${path}`, token, `${size}`, '5']);
  let printed = '';
  child.stdout.on('data', (text) => (printed += text));
  child.stderr.on('data', (text) => (printed += text));
  await once(child, 'close');
  return printed.trim().split('\n');
}

test('413, 401 and 404 can be read by Python’s urllib, which sends the whole body first', async (t) => {
  if (!needsTool(t, 'python')) return;
  assert.deepEqual(await python('/bodies', 'good', 8 * MB), Array(5).fill('413'));
  assert.deepEqual(await python('/bodies', 'bad', MB), Array(5).fill('401'));
  assert.deepEqual(await python('/nowhere', 'good', 8 * MB), Array(5).fill('404'));
});

/** A client that keeps its side open, and sends `bytes` of a body without end after it has the answer. */
async function sendOn(bytes: number): Promise<{ socket: Socket; sent(): number }> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let sent = 0;
  socket.on('error', () => undefined); // it is cut off
  socket.write(`POST /bodies HTTP/1.1\r\nhost: a\r\nauthorization: Bearer good\r\ncontent-length: ${MB ** 2}\r\n\r\n`);
  await once(socket, 'data');
  const piece = Buffer.alloc(MB / 4);
  const more = (): void => {
    while (!socket.destroyed && sent < bytes) {
      sent += piece.length;
      if (!socket.write(piece)) break;
    }
  };
  socket.on('drain', more);
  more();
  return { socket, sent: () => sent };
}

const connections = (): Promise<number> =>
  new Promise((resolve, reject) => {
    app.server.getConnections((error, count) => (error === null ? resolve(count) : reject(error)));
  });

test('a client that goes on sending after a refusal is cut off after 64 MB', async () => {
  const { socket, sent } = await sendOn(1_024 * MB);
  await new Promise((resolve) => socket.once('close', resolve));
  // Some of it was still on its way.
  assert.ok(sent() > 60 * MB && sent() < 90 * MB, `${sent() / MB} MB`);
});

test('a client that stays connected after a refusal is cut off after five seconds', async () => {
  const { socket } = await sendOn(MB);
  await clock.untilWaiting(5_000);
  clock.advance(4_999);
  assert.equal(await connections(), 1);
  clock.advance(1);
  await until('the connection is closed', async () => ((await connections()) === 0 ? true : undefined));
  socket.destroy();
});
