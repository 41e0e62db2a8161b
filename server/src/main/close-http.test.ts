import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { type Clock, systemClock } from '#platform/clock.ts';
import { standStill } from '../../test/harness/stand-still.ts';
import { createTestClock, type TestClock } from '../../test/harness/test-clock.ts';
import { undoAfter } from '../../test/harness/undo.ts';
import { until } from '../../test/harness/until.ts';
import { closeHttpGently } from './close-http.ts';

interface Served {
  app: FastifyInstance;
  close(): Promise<void>;
  /** A connection that is kept, and what came over it. */
  connected(): Promise<{ socket: Socket; received(): string }>;
}

interface ServeOptions {
  /** Just before it closes. */
  onEnd?: () => void;
  clock?: Clock;
  stopSeconds?: number;
}

/** Set to close as the application is, around a route that answers when it is let. */
async function serve(
  t: TestContext,
  answers: () => Promise<unknown>,
  { onEnd = () => {}, clock = systemClock, stopSeconds = 25 }: ServeOptions = {},
): Promise<Served> {
  const app = fastify({ return503OnClosing: false, forceCloseConnections: 'idle' });
  app.addHook('preClose', async () => onEnd());
  const close = closeHttpGently(app, { clock, stopSeconds });
  app.get('/', async () => answers());
  await app.listen({ host: '127.0.0.1', port: 0 });
  undoAfter(t, close);
  const { port } = app.server.address() as AddressInfo; // it listens on a port
  return {
    app,
    close,
    async connected() {
      const socket = connect({ host: '127.0.0.1', port, noDelay: true });
      socket.on('error', () => undefined); // told by what was received
      undoAfter(t, () => socket.destroy());
      await once(socket, 'connect');
      let text = '';
      socket.setEncoding('latin1').on('data', (piece: string) => (text += piece));
      return { socket, received: () => text };
    },
  };
}

const ASK = 'GET / HTTP/1.1\r\nhost: posthorn\r\n\r\n';
const answersIn = (text: string): number => text.split('HTTP/1.1 200').length - 1;
const untilTrue = (what: string, isTrue: () => boolean): Promise<true> =>
  until(what, async () => (isTrue() ? true : undefined));

test('a request that came before the end and is answered after it is told to close the connection', async (t) => {
  const asked = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<string>();
  const { app, close, connected } = await serve(t, () => {
    asked.resolve();
    return gate.promise;
  });
  const { socket, received } = await connected();
  socket.write(ASK);
  await asked.promise;
  const closed = close();
  await untilTrue('the end', () => !app.server.listening);
  gate.resolve('here');
  await closed;
  await untilTrue('the answer', () => received().includes('here'));
  assert.match(received(), /^HTTP\/1\.1 200 /);
  assert.match(received(), /^connection: close\r$/im);
});

test('connections that the system has made, and nobody has taken by the end, are taken and served', async (t) => {
  const { app, close } = await serve(t, async () => 'here');
  const { port } = app.server.address() as AddressInfo; // it listens on a port
  const answers = Array.from({ length: 8 }, async () => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    socket.on('error', () => undefined); // told by what was received
    undoAfter(t, () => socket.destroy());
    socket.write(ASK);
    return answersIn(
      (
        await socket
          .setEncoding('latin1')
          .toArray()
          .catch(() => [])
      ).join(''),
    );
  });
  await new Promise((resolve) => process.nextTick(resolve)); // they are asked for, and nothing was looked at
  await close();
  assert.deepEqual(await Promise.all(answers), [1, 1, 1, 1, 1, 1, 1, 1]);
});

test('a request that came in time is answered, also when the process stood still until its time was over', async (t) => {
  const stand = Promise.withResolvers<void>();
  const { close, connected } = await serve(t, async () => 'here', { onEnd: stand.resolve });
  const { socket, received } = await connected();
  socket.write(ASK);
  await untilTrue('the first answer', () => answersIn(received()) === 1);
  const stood = stand.promise.then(async () => {
    await new Promise((resolve) => setImmediate(resolve)); // listening has stopped, and nothing was looked at since
    socket.write(ASK);
    // Longer than connections are kept: when this is over, their time is, and the request is there.
    standStill(400);
  });
  await Promise.all([close(), stood]);
  await untilTrue('the second answer', () => answersIn(received()) === 2 || socket.closed);
  assert.equal(answersIn(received()), 2, 'it was cut off');
});

/** A route that has begun to answer and ends its answer when it is let, in a process that has begun to end. */
async function serveExport(t: TestContext, stopSeconds: number) {
  const clock = createTestClock({ held: true });
  const rest = new PassThrough();
  const served = await serve(t, async () => rest, { clock, stopSeconds });
  undoAfter(t, () => rest.destroy());
  const { socket, received } = await served.connected();
  socket.write(ASK);
  rest.write('first');
  await untilTrue('the beginning of the answer', () => received().includes('first'));
  const closed = served.close();
  await letPass(clock, 300, 300);
  return { ...served, clock, rest, socket, received, closed };
}

/** Lets `ms` pass once something waits for `waitedMs`. */
async function letPass(clock: TestClock, waitedMs: number, ms: number): Promise<void> {
  await clock.untilWaiting(waitedMs);
  clock.advance(ms);
}

test('an answer that has begun before the end is ended up to ten seconds later, and its connection is closed then', async (t) => {
  const { clock, rest, socket, received, closed } = await serveExport(t, 25);
  await letPass(clock, 2_000, 1_700);
  await letPass(clock, 8_000, 7_999);
  assert.equal(socket.closed, false);
  rest.end('last');
  await closed;
  await untilTrue('the end of the connection', () => socket.closed);
  assert.match(received(), /first[^]*last\r\n0\r\n\r\n$/);
});

test('an answer that takes longer than ten seconds, or than the process may take to stop, is cut off', async (t) => {
  for (const [stopSeconds, leftMs] of [
    [25, 8_000],
    [3, 1_000],
  ] as const) {
    const { clock, socket, received, closed } = await serveExport(t, stopSeconds);
    await letPass(clock, 2_000, 1_700);
    await letPass(clock, leftMs, leftMs);
    await closed;
    await untilTrue('the end of the connection', () => socket.closed);
    assert.doesNotMatch(received(), /last/);
  }
});

test('nobody is connected from the first moment of the end, and a connection without a request lasts two seconds', async (t) => {
  const clock = createTestClock({ held: true });
  const { app, close, connected } = await serve(t, async () => 'here', { clock });
  const { socket } = await connected();
  socket.write('GET / HT');
  const { port } = app.server.address() as AddressInfo; // it listens on a port
  const closed = close();
  await clock.untilWaiting(300);
  const [refused] = await once(connect({ host: '127.0.0.1', port }), 'error');
  assert.equal(refused.code, 'ECONNREFUSED');
  clock.advance(300);
  await letPass(clock, 2_000, 1_699);
  assert.equal(socket.closed, false);
  clock.advance(1);
  await closed;
  await untilTrue('the end of the connection', () => socket.closed);
});
