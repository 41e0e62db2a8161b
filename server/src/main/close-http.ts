import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Clock, endsWithin } from '#platform/clock.ts';

// Callers that use a kept connection within this time are served and told to close it, instead of meeting a reset.
const KEPT_CONNECTIONS_MS = 300;
// A connection over which no whole head of a request has come by then belongs to a caller who sends too slowly.
const SILENT_MS = 2_000;
// An upload or an export that has begun has this long to end (docs/operations.md).
const REQUESTS_MS = 10_000;

// Under a flood of connections the end would not come.
const LOOKS_MAX = 100;

export interface CloseHttpOptions {
  clock: Clock;
  /** All that the process waits for is over by then: requests are waited for no longer. */
  stopSeconds: number;
}

/**
 * Prepares the listener, before it listens, for an end that cuts nobody off, and returns how to end it. Node closes
 * idle connections in the moment it stops listening, and a request that is on its way over one of them fails; so
 * here listening stops first. Then requests that have begun are answered, and connections without one are closed.
 */
export function closeHttpGently(app: FastifyInstance, { clock, stopSeconds }: CloseHttpOptions): () => Promise<void> {
  const unanswered = new Set<ServerResponse>();
  const allAnswered = Promise.withResolvers<void>();
  let keepsConnections = true;
  const tellWhenAnswered = (): void => {
    if (!keepsConnections && unanswered.size === 0) allAnswered.resolve();
  };
  app.server.on('request', (_request, response: ServerResponse) => {
    unanswered.add(response);
    response.once('close', () => {
      unanswered.delete(response);
      tellWhenAnswered();
    });
  });
  let connections = 0;
  app.server.on('connection', () => (connections += 1));
  /** Node takes one connection of a listener each time it looks for events, and begins to look after the first time. */
  const takeWaiting = async (): Promise<void> => {
    for (let looks = 0; looks < LOOKS_MAX; looks += 1) {
      const before = connections;
      await new Promise((resolve) => setImmediate(resolve));
      if (looks > 0 && connections === before) return;
    }
  };
  let allGone: Promise<void> | undefined;
  const stopListening = (): Promise<void> =>
    new Promise((resolve) => {
      // The method of the superclass: that of an HTTP server closes idle connections, too.
      Server.prototype.close.call(app.server, () => resolve());
    });
  app.addHook('preClose', async () => {
    if (allGone === undefined) return;
    // Fastify tells those that ask from now on. A client that asked before and has no answer yet would keep the
    // connection, and ask again over it just when it is closed.
    for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
    await endsWithin(clock, KEPT_CONNECTIONS_MS, allGone);
    // A process that stood still hears of its timers before it hears of requests that came in time: those are read now.
    await new Promise((resolve) => setImmediate(resolve));
    keepsConnections = false;
    tellWhenAnswered();
  });
  return async () => {
    // The system resets the connections that wait for a listener that stops. So they are taken first; and listening
    // stops before anybody is told to close a connection, because whoever is told makes a new one.
    await takeWaiting();
    allGone = stopListening();
    const requestsMs = Math.min(REQUESTS_MS, stopSeconds * 1_000);
    const silentMs = Math.min(SILENT_MS, requestsMs);
    const closed = app.close();
    if (!(await endsWithin(clock, silentMs, closed))) {
      await endsWithin(clock, requestsMs - silentMs, Promise.race([closed, allAnswered.promise]));
      app.server.closeAllConnections();
    }
    await closed;
  };
}
