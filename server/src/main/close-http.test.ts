import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { type FastifyInstance, fastify } from 'fastify';
import { systemClock } from '#platform/clock.ts';
import { standStill } from '../../test/harness/stand-still.ts';
import { undoAfter } from '../../test/harness/undo.ts';
import { until } from '../../test/harness/until.ts';
import { closeHttpGently } from './close-http.ts';

interface Served {
  app: FastifyInstance;
  close(): Promise<void>;
  /** A connection that is kept, and what came over it. */
  connected(): Promise<{ socket: Socket; received(): string }>;
}

/** Set to close as the application is, around a route that answers when it is let; `onEnd`: just before it closes. */
async function serve(t: TestContext, answers: () => Promise<unknown>, onEnd = () => {}): Promise<Served> {
  const app = fastify({ return503OnClosing: false, forceCloseConnections: 'idle' });
  app.addHook('preClose', async () => onEnd());
  const close = closeHttpGently(app, systemClock);
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

test('a request that came in time is answered, also when the process stood still until its time was over', async (t) => {
  const stand = Promise.withResolvers<void>();
  const { close, connected } = await serve(t, async () => 'here', stand.resolve);
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
