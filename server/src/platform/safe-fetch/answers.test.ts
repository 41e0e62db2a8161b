/** Attacks by servers on us, on real sockets. */
import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import type { SafeAnswer, SafeRequest } from './safe-fetch.ts';
import { answerEach, get, listen, OK, openSafeFetch, type Peer } from './test-kit.ts';

type Manners = (socket: Socket, request: Promise<unknown>) => void;

/** The result of one request to a server that behaves so. */
async function ask(
  t: TestContext,
  manners: Manners,
  request: Partial<SafeRequest> = {},
): Promise<{ answer: SafeAnswer; peer: Peer }> {
  const peer = await listen(t, manners);
  const answer = await get(openSafeFetch(t), `http://127.0.0.1:${peer.port}/`, request);
  return { answer, peer };
}

/** Writes until the other side has had enough. */
function pour(socket: Socket, chunk: string | Buffer): void {
  while (socket.write(chunk));
  socket.on('drain', () => {
    while (socket.write(chunk));
  });
}

function assertFailed(answer: SafeAnswer, reason: string): void {
  assert.equal(answer.kind, 'failed');
  assert.equal(answer.kind === 'failed' && answer.reason, reason);
}

async function closed(peer: Peer): Promise<void> {
  await Promise.all([...peer.open].map((socket) => new Promise((resolve) => socket.once('close', resolve))));
}

test('a redirect is an answer, and is not followed', async (t) => {
  const elsewhere = await listen(t, (socket) => answerEach(socket, OK));
  const safeFetch = openSafeFetch(t);
  for (const status of [301, 302, 303, 307, 308]) {
    for (const location of [`http://127.0.0.1:${elsewhere.port}/`, 'file:///etc/passwd', '/', 'http://10.0.0.1']) {
      const redirect = `HTTP/1.1 ${status} Moved\r\nlocation: ${location}\r\ncontent-length: 0\r\n\r\n`;
      const peer = await listen(t, (socket) => answerEach(socket, redirect));
      const answer = await get(safeFetch, `http://127.0.0.1:${peer.port}/`);
      assert.equal(answer.kind === 'answered' && answer.status, status);
      assert.equal(answer.kind === 'answered' && answer.headers['location'], location);
    }
  }
  assert.equal(elsewhere.connections, 0);
});

describe('time is up', () => {
  const timeoutMs = 10_000;
  const late = (stage: string): string => `timed out after 10 s while ${stage}`;

  /** A request by a clock that stands still, and the reason why it failed when time was up at `reached`, not before. */
  async function overAt(
    t: TestContext,
    reached: Promise<unknown>,
    url: string,
    options: Parameters<typeof openSafeFetch>[1] = {},
  ): Promise<SafeAnswer> {
    const clock = createTestClock({ held: true });
    let isOver = false;
    const answer = get(openSafeFetch(t, { clock, ...options }), url, { timeoutMs }).finally(() => (isOver = true));
    await clock.untilWaiting(timeoutMs);
    await reached;
    clock.advance(timeoutMs - 1);
    await new Promise(setImmediate);
    assert.equal(isOver, false, 'a millisecond before');
    clock.advance(1);
    return answer;
  }

  /** The same of a server that behaves so; `reached` is called where time is to be up. */
  async function overWhile(
    t: TestContext,
    manners: (socket: Socket, request: Promise<unknown>, reached: () => void) => void,
    scheme = 'http',
  ): Promise<{ answer: SafeAnswer; peer: Peer }> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const peer = await listen(t, (socket, request) => manners(socket, request, resolve));
    return { answer: await overAt(t, promise, `${scheme}://127.0.0.1:${peer.port}/`), peer };
  }

  test('while the name is looked up', async (t) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const lookup = (): Promise<never> => {
      resolve();
      return new Promise(() => undefined);
    };
    assertFailed(await overAt(t, promise, 'https://slow.example/', { lookup }), late('looking up the name'));
  });

  test('while TLS is negotiated', async (t) => {
    const silent = (_socket: Socket, hello: Promise<unknown>, reached: () => void): void => void hello.then(reached);
    const { answer, peer } = await overWhile(t, silent, 'https');
    assertFailed(answer, late('connecting'));
    assert.equal(peer.connections, 1);
  });

  test('while nothing is answered', async (t) => {
    const { answer, peer } = await overWhile(t, (_socket, request, reached) => void request.then(reached));
    assertFailed(answer, late('waiting for the answer'));
    await closed(peer);
  });

  test('while announcements of an answer keep coming', async (t) => {
    const { answer, peer } = await overWhile(t, (socket, request, reached) => {
      void request.then(() => pour(socket, 'HTTP/1.1 102 Processing\r\nx: y\r\n\r\n'.repeat(100)));
      socket.once('drain', reached); // some of them were read
    });
    assertFailed(answer, late('waiting for the answer'));
    await closed(peer);
  });

  test('while headers come one byte at a time', async (t) => {
    const { answer, peer } = await overWhile(t, (socket, _request, reached) =>
      trickle(socket, 'HTTP/1.1 200 OK\r\nx: ', reached),
    );
    assertFailed(answer, late('waiting for the answer'));
    await closed(peer);
  });

  test('while the body comes one byte at a time', async (t) => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n';
    const { answer, peer } = await overWhile(t, (socket, _request, reached) => trickle(socket, head, reached));
    assertFailed(answer, late('reading the answer'));
    await closed(peer);
  });

  /** Begins an answer and goes on with a byte every millisecond; it is reached after twenty of them. */
  function trickle(socket: Socket, begin: string, reached: () => void): void {
    socket.once('data', () => {
      socket.write(begin);
      let bytes = 0;
      const timer = setInterval(() => {
        socket.write('a');
        bytes += 1;
        if (bytes === 20) reached();
      }, 1);
      socket.on('close', () => clearInterval(timer));
    });
  }
});

describe('an answer is read to its cap and no further', () => {
  test('an endless body', async (t) => {
    const endless: Manners = (socket, request) =>
      void request.then(() => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        pour(socket, Buffer.alloc(65_536, 'a'));
      });
    const { answer, peer } = await ask(t, endless, { bodyBytesMax: 100_000 });
    assert.ok(answer.kind === 'answered');
    assert.deepEqual([answer.body.length, answer.truncated], [100_000, true]);
    await closed(peer);
  });

  test('an endless chunked body, with chunks of a byte', async (t) => {
    const endless: Manners = (socket, request) =>
      void request.then(() => {
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        pour(socket, '1\r\na\r\n'.repeat(1_000));
      });
    const { answer, peer } = await ask(t, endless, { bodyBytesMax: 5_000 });
    assert.ok(answer.kind === 'answered');
    assert.deepEqual([answer.body.length, answer.truncated], [5_000, true]);
    await closed(peer);
  });

  test('a body exactly at the cap is whole', async (t) => {
    const { answer } = await ask(t, (socket) => answerEach(socket, OK), { bodyBytesMax: 2 });
    assert.ok(answer.kind === 'answered');
    assert.deepEqual([answer.body.toString(), answer.truncated], ['ok', false]);
  });

  test('a cap of nothing reads nothing', async (t) => {
    const { answer } = await ask(t, (socket) => answerEach(socket, OK), { bodyBytesMax: 0 });
    assert.ok(answer.kind === 'answered');
    assert.deepEqual([answer.status, answer.body.length, answer.truncated], [200, 0, true]);
  });

  test('a compressed body stays compressed', async (t) => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const { answer, peer } = await ask(
      t,
      (socket, request) =>
        void request.then(() => {
          socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
          socket.write(bomb);
        }),
      { bodyBytesMax: 20_000 },
    );
    assert.ok(answer.kind === 'answered');
    assert.deepEqual([answer.body, answer.truncated], [bomb, false]);
    assert.match(peer.received(), /accept-encoding: identity\r\n/i);
  });

  test('as many headers as fit', async (t) => {
    const many: Manners = (socket) => answerEach(socket, `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(100_000)}\r\n`);
    const { answer, peer } = await ask(t, many);
    assertFailed(answer, 'answer headers are too large');
    await closed(peer);
  });

  test('memory stays where it is', async (t) => {
    const endless: Manners = (socket, request) =>
      void request.then(() => {
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10000000000\r\n\r\n');
        pour(socket, Buffer.alloc(1_000_000));
      });
    const peer = await listen(t, endless);
    const safeFetch = openSafeFetch(t);
    const url = `http://127.0.0.1:${peer.port}/`;
    await get(safeFetch, url);
    const before = process.memoryUsage();
    for (let round = 0; round < 20; round += 1) {
      await Promise.all(Array.from({ length: 10 }, () => get(safeFetch, url, { bodyBytesMax: 65_536 })));
    }
    const grownBytes = process.memoryUsage().rss - before.rss;
    assert.ok(grownBytes < 150_000_000, `grew by ${grownBytes} bytes`);
  });
});

describe('an invalid answer fails with a reason', () => {
  const cases: Record<string, [manners: Manners, reason: string]> = {
    'HTTP/0.9': [(socket) => socket.end('<html>hello</html>'), 'the answer is not valid HTTP'],
    'another protocol': [(socket) => answerEach(socket, '220 mail.example ESMTP\r\n'), 'the answer is not valid HTTP'],
    'a status that is none': [
      (socket) => answerEach(socket, 'HTTP/1.1 abc OK\r\n\r\n'),
      'the answer is not valid HTTP',
    ],
    'a header that hides another': [
      (socket) => answerEach(socket, 'HTTP/1.1 200 OK\r\na b\r\n: c\r\n\r\n'),
      'the answer is not valid HTTP',
    ],
    'a broken chunk': [
      (socket) => answerEach(socket, 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nzz\r\na\r\n'),
      'the answer is not valid HTTP',
    ],
    'two lengths': [
      (socket) => answerEach(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab'),
      'the answer is not as long as it says',
    ],
    'closed at once': [(socket) => socket.destroy(), 'connection closed without an answer'],
    'closed after the request': [
      (socket, request) => void request.then(() => socket.end()),
      'connection closed without an answer',
    ],
    'closed within the headers': [
      (socket, request) => void request.then(() => socket.end('HTTP/1.1 200 OK\r\nx: ')),
      'connection closed without an answer',
    ],
    'closed within the body': [
      (socket, request) => void request.then(() => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc')),
      'connection closed before the answer was complete',
    ],
    reset: [(socket, request) => void request.then(() => socket.resetAndDestroy()), 'connection reset'],
    'another protocol by upgrade': [
      (socket) =>
        answerEach(socket, 'HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n'),
      'connection closed without an answer',
    ],
  };
  for (const [what, [manners, reason]] of Object.entries(cases)) {
    test(what, async (t) => {
      const { answer, peer } = await ask(t, manners);
      assertFailed(answer, reason);
      await closed(peer);
    });
  }

  test('nobody listens', async (t) => {
    const peer = await listen(t);
    const safeFetch = openSafeFetch(t, { allow: ['127.0.0.2/32'] });
    assertFailed(await get(safeFetch, `http://127.0.0.2:${peer.port}/`), 'connection refused');
  });
});

describe('the caller may abort', () => {
  test('before it began', async (t) => {
    const { answer, peer } = await ask(t, () => undefined, { signal: AbortSignal.abort() });
    assertFailed(answer, 'aborted');
    assert.equal(peer.received(), '');
  });

  test('while the answer is waited for', async (t) => {
    const controller = new AbortController();
    const aborting: Manners = (_socket, request) => void request.then(() => controller.abort());
    const { answer, peer } = await ask(t, aborting, { signal: controller.signal });
    assertFailed(answer, 'aborted');
    await closed(peer);
  });

  test('everybody, when the program stops', async (t) => {
    const safeFetch = openSafeFetch(t);
    const peer = await listen(t, (_socket, request) => void request.then(() => safeFetch.close()));
    const url = `http://127.0.0.1:${peer.port}/`;
    assertFailed(await get(safeFetch, url), 'aborted');
    assertFailed(await get(safeFetch, url), 'aborted');
    assert.equal(peer.connections, 1);
  });
});
