/**
 * The HTTP layer on a real socket, spoken to byte by byte: what an HTTP client library would never send. Of its time
 * limits, those of one server are short, for what ends by them, and those of the other long, so that nothing there ends
 * by them, however slow the machine is; their real values are in the table that the app takes them from. How long a
 * connection is kept stands in each answer.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { answer, route } from '#platform/http/route.ts';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { createPlatformApp } from '../harness/platform-app.ts';
import { undoAfter } from '../harness/undo.ts';
import { until } from '../harness/until.ts';

const common = { tag: 'Things', summary: 'For the tests.', response: Type.Object({}) };
let handled = 0;
const routes = [
  route({
    ...common,
    method: 'GET',
    path: '/v1/health',
    id: 'get_health',
    access: 'public',
    handler: async () => ({ ok: true }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/things/:id',
    id: 'get_thing',
    access: 'public',
    handler: async (_ctx, { request }) => ({ url: request.url }),
  }),
  route({
    ...common,
    method: 'GET',
    path: '/v1/large',
    id: 'get_large',
    access: 'public',
    response: { file: 'text/plain' },
    handler: async () => answer('x'.repeat(20_000_000)),
  }),
  route({
    ...common,
    method: 'POST',
    path: '/v1/things',
    id: 'create_thing',
    access: { scope: 'things:write' },
    status: 201,
    body: { json: Type.Object({ name: Type.String() }) },
    handler: async (_ctx, { body }) => {
      handled += 1;
      return { name: body.name };
    },
  }),
];

const SHORT = { headersMs: 400, requestMs: 800, keepAliveMs: 300, silenceMs: 1_500, checkMs: 50 };
const LONG = { headersMs: 60_000, requestMs: 60_000, keepAliveMs: 60_000, silenceMs: 60_000, checkMs: 50 };
/** Less than any of the long limits: what takes so long was not ended at once. */
const AT_ONCE_MS = 30_000;

interface Listening {
  app: FastifyInstance;
  errors: string[];
  port: number;
}
let database: TestDatabase;
let hasty: Listening;
let patient: Listening;

async function listening(
  timeouts: Partial<typeof SHORT>,
  idleBounds?: { connections: number; step: number },
): Promise<Listening> {
  const more = idleBounds === undefined ? {} : { idleBounds };
  const { app, errors } = await createPlatformApp(database.db, routes, { timeouts, ...more });
  await app.listen({ port: 0, host: '127.0.0.1' });
  const address = app.server.address();
  return { app, errors, port: typeof address === 'object' && address !== null ? address.port : assert.fail('no port') };
}

before(async () => {
  database = await createTestDatabase();
  hasty = await listening(SHORT);
  patient = await listening(LONG);
});
after(async () => {
  await hasty.app.close();
  await patient.app.close();
  await database.close();
});

async function open(to = patient): Promise<{ socket: Socket; text: () => string; closed: Promise<unknown> }> {
  const socket = connect({ port: to.port, host: '127.0.0.1' });
  const parts: Buffer[] = [];
  socket.on('data', (part: Buffer) => void parts.push(part));
  socket.on('error', () => undefined); // a reset is one of the ways to be closed
  const closed = closing(socket);
  await once(socket, 'connect');
  return { socket, closed, text: () => Buffer.concat(parts).toString('latin1') };
}

/** Not `once`, which a reset would make fail. */
const closing = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));

/** Sends, and returns all that comes back until the server closes. */
const say = (...parts: (string | Buffer)[]): Promise<string> => sayTo(patient, ...parts);

async function sayTo(to: Listening, ...parts: (string | Buffer)[]): Promise<string> {
  const { socket, text, closed } = await open(to);
  for (const part of parts) socket.write(part);
  await closed;
  return text();
}

/** The one answer of a connection: its envelope and headers hold what every answer promises. */
function assertRefused(text: string, status: number): void {
  assert.match(text, new RegExp(`^HTTP/1\\.1 ${status} `), text.slice(0, 200));
  const [head = '', body = ''] = text.split('\r\n\r\n', 2);
  const id = /^x-request-id: (req_[A-Za-z0-9_-]{8,64})$/im.exec(head)?.[1];
  assert.ok(id, head);
  assert.match(head, /^content-type: application\/json; charset=utf-8$/im);
  const envelope: Record<string, unknown> = JSON.parse(body);
  assert.equal(envelope['statusCode'], status);
  assert.equal(envelope['requestId'], id);
  assert.equal(envelope['documentation'], `http://localhost:3000/docs/errors#${String(envelope['name'])}`);
}

const atOnce = async (work: Promise<unknown>): Promise<void> => {
  const begun = performance.now();
  await work;
  assert.ok(performance.now() - begun < AT_ONCE_MS, `took ${Math.round(performance.now() - begun)} ms`);
};

const POST = 'POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\nContent-Type: application/json\r\n';
const CLOSE = 'Connection: close\r\n\r\n';

const HEALTHY = `GET /v1/health HTTP/1.1\r\nHost: x\r\n${CLOSE}`;

async function assertServes(to = patient): Promise<void> {
  assert.match(await sayTo(to, HEALTHY), /^HTTP\/1\.1 200 /);
}

const BROKEN: [string, string, number][] = [
  [
    'Content-Length beside Transfer-Encoding',
    `${POST}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
  ],
  ['two different lengths', `${POST}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef`, 400],
  ['a length that is no number', `${POST}Content-Length: abc\r\n\r\n`, 400],
  ['a negative length', `${POST}Content-Length: -1\r\n\r\n`, 400],
  ['a chunk of 2^68 bytes', `${POST}Transfer-Encoding: chunked\r\n\r\n100000000000000000\r\nx`, 400],
  ['a transfer coding we do not know', `${POST}Transfer-Encoding: gzip\r\n\r\n`, 400],
  ['a chunk extension of 1 MB', `${POST}Transfer-Encoding: chunked\r\n\r\n5;${'x'.repeat(1_000_000)}\r\n`, 413],
  ['a header of 17 KB', `GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`, 431],
  [
    'headers of 20 KB together',
    `GET /v1/health HTTP/1.1\r\nHost: x\r\n${Array.from({ length: 20 }, (_, index) => `X-${index}: ${'x'.repeat(1_000)}\r\n`).join('')}\r\n`,
    431,
  ],
  ['100,000 headers', `GET /v1/health HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(100_000)}\r\n`, 431],
  ['a path of 17 KB', `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431],
  ['a header name with a space', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nBad Name: x\r\n\r\n', 400],
  ['NUL in a header', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n', 400],
  ['a folded header', 'GET /v1/health HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n', 400],
  ['a method nobody knows', 'NONSENSE /v1/health HTTP/1.1\r\nHost: x\r\n\r\n', 400],
  ['HTTP/3.7', 'GET /v1/health HTTP/3.7\r\nHost: x\r\n\r\n', 400],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
  ['noise', '\x00\x01\x02\x03\xff\xfe\r\n\r\n', 400],
];
for (const [what, bytes, status] of BROKEN) {
  test(`${status} and closed at once for ${what}`, async () => {
    const before = handled;
    await atOnce(say(bytes).then((text) => assertRefused(text, status)));
    assert.equal(handled, before);
    await assertServes();
  });
}

test('408 and closed for a chunk of 2^64 - 1 bytes that do not come', async () => {
  const before = handled;
  assertRefused(await sayTo(hasty, `${POST}Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFF\r\nx`), 408);
  assert.equal(handled, before);
  await assertServes(hasty);
});

test('431 for more than 256 headers, however short', async () => {
  for (const count of [257, 2_000]) {
    const headers = Array.from({ length: count }, (_, index) => `a${index % 10}:\r\n`).join('');
    assertRefused(await say(`GET /v1/health HTTP/1.1\r\nHost: x\r\n${headers}${CLOSE}`), 431);
  }
});

test('400 without Host in HTTP/1.1, and 200 without it in what came before', async () => {
  assertRefused(await say(`GET /v1/health HTTP/1.1\r\n${CLOSE}`), 400);
  assert.match(await say('GET /v1/health HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /);
  assert.match(await say('GET /v1/health\r\n\r\n'), /^HTTP\/1\.1 200 /, 'and in HTTP/0.9');
});

test('417 for an expectation we do not know', async () => {
  assertRefused(await say('GET /v1/health HTTP/1.1\r\nHost: x\r\nExpect: the-spanish-inquisition\r\n\r\n'), 417);
});

test('401 when Authorization is given twice', async () => {
  assertRefused(await say(`${POST}Authorization: Bearer good\r\nContent-Length: 2\r\n${CLOSE}{}`), 401);
});

test('400 when Idempotency-Key is given twice', async () => {
  const text = await say(
    `${POST}Idempotency-Key: a\r\nIdempotency-Key: b\r\nContent-Length: 12\r\n${CLOSE}{"name":"x"}`,
  );
  assertRefused(text, 400);
});

test('404 for dots and encoded slashes in a path: never another route', async () => {
  for (const path of [
    '/v1/./things/1',
    '/v1/x/../health',
    '/v1/things/%2e%2e/health',
    '/v1%2fhealth',
    '//v1/health',
    '/v1/health/',
    'health',
    '*',
  ])
    assert.doesNotMatch(await say(`GET ${path} HTTP/1.1\r\nHost: x\r\n${CLOSE}`), /^HTTP\/1\.1 2/, path);
  assert.match(await say(`GET /v1/things/%2e%2e HTTP/1.1\r\nHost: x\r\n${CLOSE}`), /"url":"\/v1\/things\/%2e%2e"/);
});

test('405 or closed for TRACE and CONNECT', async () => {
  assertRefused(await say(`TRACE /v1/health HTTP/1.1\r\nHost: x\r\n${CLOSE}`), 405);
  assert.equal(await say('CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n'), '');
});

test('413 for a chunked body that grows beyond the limit', async () => {
  const chunk = `10000\r\n${' '.repeat(65_536)}\r\n`;
  assertRefused(
    await say(`${POST}Transfer-Encoding: chunked\r\n\r\n`, ...Array.from({ length: 17 }, () => chunk)),
    413,
  );
});

test('a body in chunks of one byte is read', async () => {
  const chunks = '{"name":"x"}'
    .split('')
    .map((letter) => `1\r\n${letter}\r\n`)
    .join('');
  assert.match(await say(`${POST}Transfer-Encoding: chunked\r\n${CLOSE}${chunks}0\r\n\r\n`), /^HTTP\/1\.1 201 /);
});

test('100 requests sent without waiting are answered in order', async () => {
  const requests = Array.from({ length: 99 }, (_, index) => `GET /v1/things/${index} HTTP/1.1\r\nHost: x\r\n\r\n`);
  const text = await say(requests.join(''), `GET /v1/things/99 HTTP/1.1\r\nHost: x\r\n${CLOSE}`);
  const seen = [...text.matchAll(/"url":"\/v1\/things\/(\d+)"/g)].map((match) => Number(match[1]));
  assert.deepEqual(
    seen,
    Array.from({ length: 100 }, (_, index) => index),
  );
});

test('a good request before a broken one is answered first, and nothing is written into its answer', async () => {
  const before = handled;
  const text = await say(`${POST}Content-Length: 12\r\n\r\n{"name":"x"}garbage\r\n\r\n`);
  assert.match(text, /^HTTP\/1\.1 201 .*\{"name":"x"\}HTTP\/1\.1 400 /s);
  assert.equal(handled, before + 1);
  const large = await say('GET /v1/large HTTP/1.1\r\nHost: x\r\n\r\n', 'garbage\r\n\r\n');
  assert.match(large, /^HTTP\/1\.1 200 /);
  const body = large.slice(large.indexOf('\r\n\r\n') + 4);
  assert.equal(body.lastIndexOf('x', 20_000_000), 19_999_999);
  assert.match(body.slice(20_000_000), /^HTTP\/1\.1 400 /);
});

test('Expect: 100-continue is told to go on, and closed when nothing follows', async () => {
  const text = await sayTo(hasty, `${POST}Expect: 100-continue\r\nContent-Length: 12\r\n\r\n`);
  assert.match(text, /^HTTP\/1\.1 100 Continue\r\n\r\n/);
  assertRefused(text.replace('HTTP/1.1 100 Continue\r\n\r\n', ''), 408);
});

test('where there are many connections, those without a request are closed, and no other', async (t) => {
  const bounded = await listening(LONG, { connections: 10, step: 5 });
  undoAfter(t, () => bounded.app.close());
  const idle = await Promise.all(Array.from({ length: 8 }, () => open(bounded)));
  for (const { socket } of idle) socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n');
  await until('eight answers', async () =>
    idle.every(({ text }) => text().startsWith('HTTP/1.1 200 ')) ? true : undefined,
  );
  const busy = await open(bounded);
  busy.socket.write(`${POST}Content-Length: 12\r\n\r\n{"name"`);
  assert.ok(idle.every(({ socket }) => !socket.destroyed && socket.readable));
  const tenth = await open(bounded);
  await atOnce(Promise.all(idle.map(({ closed }) => closed)));
  busy.socket.write(':"x"}');
  await until('the answer to a slow body', async () => (busy.text().startsWith('HTTP/1.1 201 ') ? true : undefined));
  tenth.socket.write(HEALTHY);
  await tenth.closed;
  assert.match(tenth.text(), /^HTTP\/1\.1 200 /);
  busy.socket.destroy();
});

test('slow headers, slow bodies, silent sockets and slow readers are closed while a healthy client is served', async () => {
  const drip = (head: string, letter: string) => async (): Promise<string> => {
    const { socket, text, closed } = await open(hasty);
    socket.write(head);
    const timer = setInterval(() => socket.write(letter), 50);
    await closed;
    clearInterval(timer);
    return text();
  };
  const slowHeaders = drip('GET /v1/health HTTP/1.1\r\nHost: x\r\nX: ', 'x');
  const slowBody = drip(`${POST}Content-Length: 100000\r\n\r\n`, ' ');
  const idleAfterOne = async (): Promise<string> => sayTo(hasty, 'GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n');
  const silent = async (): Promise<string> => sayTo(hasty);
  const slowReader = async (): Promise<string> => {
    const held = heldByServer();
    const { socket, closed } = await open(hasty);
    socket.pause();
    socket.write('GET /v1/large HTTP/1.1\r\nHost: x\r\n\r\n');
    // The paused side does not see the close: what counts is that the server no longer holds the connection.
    await (await held(socket)).closed;
    socket.destroy();
    await closed;
    return 'closed';
  };

  await assertServes(hasty); // the first request of a route compiles its schemas
  const attacks = Promise.all(
    Array.from({ length: 20 }, () => [slowHeaders(), slowBody(), idleAfterOne(), silent()])
      .flat()
      .concat(slowReader()),
  );
  let over = false;
  void attacks.finally(() => {
    over = true;
  });
  const times: number[] = [];
  while (!over) {
    const asked = performance.now();
    const isServed = (await sayTo(hasty, HEALTHY)).startsWith('HTTP/1.1 200 ');
    times.push(isServed ? performance.now() - asked : Infinity);
  }
  const answers = await attacks;
  for (let index = 0; index < 80; index += 4) {
    assertRefused(answers[index] ?? '', 408);
    assertRefused(answers[index + 1] ?? '', 408);
    assert.match(answers[index + 2] ?? '', /^HTTP\/1\.1 200 /);
    assertRefused(answers[index + 3] ?? '', 408);
  }
  // A client that had to wait for one of them to be closed would wait as long as the shortest limit. That of all
  // requests, a busy machine may hold some up for as long, and then the server closes them too; not half of them.
  const median = times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
  assert.ok(median < SHORT.keepAliveMs / 2, `half of ${times.length} took more than ${median} ms`);
});

test('a connection is kept for longer than proxies keep theirs: nobody asks over one that is just being closed', async (t) => {
  const usual = await listening({});
  undoAfter(t, async () => usual.app.close());
  const { socket, text } = await open(usual);
  socket.write('GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n');
  const seconds = await until('an answer', async () => /^keep-alive: timeout=(\d+)/im.exec(text())?.[1]);
  // Caddy keeps them for 120 seconds, nginx and the load balancers of AWS for 60.
  assert.ok(Number(seconds) > 120, `${seconds} s`);
  socket.destroy();
});

/** The server's end of a connection that is made from now on, and when it is closed. */
function heldByServer(): (client: Socket) => Promise<{ closed: Promise<unknown> }> {
  const ends = new Map<number | undefined, { closed: Promise<unknown> }>();
  const onConnection = (socket: Socket): void => {
    ends.set(socket.remotePort, { closed: closing(socket) });
  };
  hasty.app.server.on('connection', onConnection);
  return async ({ localPort }) => {
    const end = await until("the server's end", async () => ends.get(localPort));
    hasty.app.server.off('connection', onConnection);
    return end;
  };
}

test('a caller who goes away in the middle of a body is no failure of ours', async () => {
  const { errors } = patient;
  errors.length = 0;
  const { socket, closed } = await open();
  socket.write(`${POST}Content-Length: 100\r\n\r\n{"name":`);
  await assertServes();
  socket.resetAndDestroy();
  await closed;
  await assertServes();
  assert.deepEqual(errors, []);
});

test('closing finishes what is in hand and frees every socket', async () => {
  const other = await listening(SHORT);
  const idle = connect({ port: other.port, host: '127.0.0.1' });
  idle.on('error', () => undefined);
  await once(idle, 'connect');
  await atOnce(other.app.close());
  idle.destroy();
});
