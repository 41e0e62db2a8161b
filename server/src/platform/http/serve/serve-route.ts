import type { FastifyReply, FastifyRequest } from 'fastify';
import { inTurnOf } from '../../db/connections/fair-turns.ts';
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

/** The party of those whose credential is being looked up, and the one of all who need none. */
const UNKNOWN = 'unknown';
const PUBLIC = 'public';

/** A stranger is no party of its own: whoever has many addresses would have as many turns. */
const partyOf = ({ actor }: FastifyRequest): string => actor.workspaceId ?? actor.id ?? PUBLIC;

/**
 * Everything that happens around a handler, in the order of docs/api-design.md. Each step is a file beside this one.
 */
export function serveRoute(route: Route, ports: AppPorts, read?: ReadRecord): ServedRoute {
  const readAddress = addressReader(route);
  const ready = handlerPreparer(route, readAddress);
  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const ctx = makeCtx(request, ports);
    await route.admit?.(ctx, request);
    const key = keyOf(route, request);
    const received = await receiveStream(route, readAddress, ctx, request, ports);
    const sent = await runOnce(ctx, request, reply, { route, key, received, ready, read, ports });
    await showLimitsOfAnswer(route, sent, ctx, request, reply, ports);
    return writeAnswer(route, sent, request, reply);
  };
  return {
    route,
    authorize: (request) => inTurnOf(UNKNOWN, () => authorize(route, request, ports)),
    handle: (request, reply) => inTurnOf(partyOf(request), () => handle(request, reply)),
    async explain(error, request, reply) {
      const refused = await refusalOfGate(route, error, request, ports);
      const explained = await explainByLimits(route, error, request, reply, ports); // sets the headers of the limits
      return refused ?? explained;
    },
  };
}
