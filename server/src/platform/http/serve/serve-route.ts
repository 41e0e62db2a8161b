import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AppPorts } from '../ports.ts';
import type { Route } from '../route.ts';
import { authorize } from './authorize.ts';
import { makeCtx } from './make-ctx.ts';
import { addressReader } from './read-address.ts';
import { receiveStream } from './receive-stream.ts';
import { handlerPreparer } from './run-handler.ts';
import { keyOf, type ReadRecord, runOnce } from './run-once.ts';
import { explainByLimits, showLimitsOfAnswer } from './send-limits.ts';
import { refusalOfGate } from './sending-gate.ts';
import { writeAnswer } from './write-answer.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    served?: ServedRoute;
  }
}

/** A route with everything around its handler. */
export interface ServedRoute {
  readonly route: Route;
  /** 401 and 403, before the body is read. */
  authorize(request: FastifyRequest): Promise<void>;
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** The error that a failure of this route is answered with; adds headers that its errors carry too. */
  explain(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

/**
 * Everything that happens around a handler, in the order of docs/api-design.md. Each step is a file beside this one.
 */
export function serveRoute(route: Route, ports: AppPorts, read?: ReadRecord): ServedRoute {
  const readAddress = addressReader(route);
  const ready = handlerPreparer(route, readAddress);
  return {
    route,
    authorize: (request) => authorize(route, request, ports),
    async handle(request, reply) {
      const ctx = makeCtx(request, ports);
      await route.admit?.(ctx, request);
      const key = keyOf(route, request);
      const received = await receiveStream(route, readAddress, ctx, request, ports);
      const sent = await runOnce(ctx, request, reply, { route, key, received, ready, read, ports });
      await showLimitsOfAnswer(route, sent, ctx, request, reply, ports);
      return writeAnswer(route, sent, request, reply);
    },
    async explain(error, request, reply) {
      const refused = await refusalOfGate(route, error, request, ports);
      const explained = await explainByLimits(route, error, request, reply, ports); // sets the headers of the limits
      return refused ?? explained;
    },
  };
}
