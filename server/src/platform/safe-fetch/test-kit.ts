import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import type { TestContext } from 'node:test';
import { Server as TlsServer } from 'node:tls';
import { undoAfter } from '../../../test/harness/undo.ts';
import { systemClock } from '../clock.ts';
import {
  createSafeFetch,
  type SafeAnswer,
  type SafeFetch,
  type SafeFetchOptions,
  type SafeRequest,
} from './safe-fetch.ts';

export const NOT_PUBLIC = 'target address is not public';

/** Loopback is allowed unless the test says otherwise, and no name has an address. */
export function openSafeFetch(t: TestContext, options: Partial<SafeFetchOptions> = {}): SafeFetch {
  const safeFetch = createSafeFetch({
    clock: systemClock,
    allow: ['127.0.0.0/8'],
    development: null,
    lookup: async (name) => assert.fail(`${name} was looked up`),
    ...options,
  });
  undoAfter(t, () => safeFetch.close());
  return safeFetch;
}

export const get = (safeFetch: SafeFetch, url: string, request: Partial<SafeRequest> = {}): Promise<SafeAnswer> =>
  safeFetch.request(url, { method: 'GET', timeoutMs: 5_000, bodyBytesMax: 1_000, ...request });

export interface Peer {
  port: number;
  /** How many connections were accepted so far, and which are open. */
  connections: number;
  open: Set<Socket>;
  /** The bytes received on any of them. */
  received(): string;
}

/** A server on bare sockets, which can say what no HTTP server would. */
export async function listen(
  t: TestContext,
  onConnection: (socket: Socket, request: Promise<unknown>) => void = () => undefined,
  { server = createServer(), host = '127.0.0.1', port = 0 }: { server?: Server; host?: string; port?: number } = {},
): Promise<Peer> {
  let received = '';
  const peer: Peer = { port: 0, connections: 0, open: new Set(), received: () => received };
  server.on(server instanceof TlsServer ? 'secureConnection' : 'connection', (socket: Socket) => {
    peer.connections += 1;
    peer.open.add(socket);
    socket.on('data', (chunk) => (received += chunk.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => peer.open.delete(socket));
    onConnection(
      socket,
      once(socket, 'data').catch(() => undefined),
    );
  });
  server.listen(port, host);
  await once(server, 'listening');
  undoAfter(t, () => {
    for (const socket of peer.open) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(address !== null && typeof address === 'object');
  peer.port = address.port;
  return peer;
}

/** Answers every request on a connection, however many there are. */
export function answerEach(socket: Socket, answer: string): void {
  socket.on('data', () => socket.write(answer, 'latin1'));
}

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** Listens on one port of every address this machine has; says who knocked. */
export async function listenEverywhere(t: TestContext): Promise<{ port: number; knocks: string[] }> {
  const addresses = Object.values(networkInterfaces())
    .flatMap((list) => list ?? [])
    .map(({ address, scopeid }) => (scopeid ? `${address}%${scopeid}` : address))
    .filter((address) => !address.includes('%'));
  const knocks: string[] = [];
  const { port } = await listen(t, (socket) => void knocks.push(socket.localAddress ?? '?'));
  for (const host of new Set([...addresses, '127.0.0.2'])) {
    if (host !== '127.0.0.1') await listen(t, (socket) => void knocks.push(socket.localAddress ?? '?'), { host, port });
  }
  return { port, knocks };
}
