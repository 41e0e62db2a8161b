import type { ServerResponse } from 'node:http';
import { Server } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { type Clock, endsWithin } from '#platform/clock.ts';

// Callers that use a kept connection within this time are served and told to close it, instead of meeting a reset.
const KEPT_CONNECTIONS_MS = 300;
// A request that has not ended by then belongs to a caller who sends or reads too slowly to be waited for.
const REQUESTS_MS = 2_000;

/**
 * Prepares the listener, before it listens, for an end that cuts nobody off, and returns how to end it. Node closes
 * idle connections in the moment it stops listening, and a request that is on its way over one of them fails; so
 * here listening stops first.
 */
export function closeHttpGently(app: FastifyInstance, clock: Clock): () => Promise<void> {
  const unanswered = new Set<ServerResponse>();
  app.server.on('request', (_request, response: ServerResponse) => {
    unanswered.add(response);
    response.once('close', () => unanswered.delete(response));
  });
  app.addHook('preClose', async () => {
    const allGone = new Promise<void>((resolve) => {
      // The method of the superclass: that of an HTTP server closes idle connections, too.
      Server.prototype.close.call(app.server, () => resolve());
    });
    // Fastify tells those that ask from now on. A client that asked before and has no answer yet would keep the
    // connection, and ask again over it just when it is closed.
    for (const response of unanswered) if (!response.headersSent) response.setHeader('connection', 'close');
    await endsWithin(clock, KEPT_CONNECTIONS_MS, allGone);
    // A process that stood still hears of its timers before it hears of requests that came in time: those are read now.
    await new Promise((resolve) => setImmediate(resolve));
  });
  return async () => {
    const late = clock.timer(REQUESTS_MS, () => app.server.closeAllConnections());
    await app.close();
    late.cancel();
  };
}
