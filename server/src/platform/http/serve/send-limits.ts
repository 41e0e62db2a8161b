import type { FastifyReply, FastifyRequest } from 'fastify';
import { sqlStateOf } from '../../db/database-errors.ts';
import { AppError, rateLimited } from '../../errors/app-error.ts';
import { type Ctx, publicActor } from '../context.ts';
import type { AppPorts, SendLimits } from '../ports.ts';
import { isSendLimited, type Route } from '../route.ts';
import { makeCtx } from './make-ctx.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set once the answer of a send-limited route has its limit headers. */
    limitsShown?: boolean;
  }
}

/** Adds the limit headers to a good answer. The work is done: failing to read the limits must not make it look refused. */
export async function showLimitsOfAnswer(
  route: Route,
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: AppPorts,
): Promise<void> {
  if (isSendLimited(route.access)) await showLimits(ctx, request, reply, ports).catch(() => undefined);
}

/** On a send-limited route: a full tier is 429 whatever else was wrong, and every error carries the limit headers. */
export async function explainByLimits(
  route: Route,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: AppPorts,
): Promise<unknown> {
  if (!isSendLimited(route.access) || (request.actor ?? publicActor).apiKey === null) return error;
  const ctx = makeCtx(request, ports);
  const refused = sqlStateOf(error) === 'PH429';
  if (!refused && !(error instanceof AppError)) return error;
  const comesFirst =
    request.authorized !== true || (error instanceof AppError && error.extras.param === 'Idempotency-Key');
  const limits = await showLimits(ctx, request, reply, ports);
  const exceeded = limits?.exceeded();
  if (exceeded !== undefined && (refused || !comesFirst)) return exceeded;
  // The window ended between the refusal and the reading: there is room again.
  const soon = { retryAfterSeconds: 1, resetAt: new Date(ctx.clock.now().getTime() + 1_000) };
  return refused ? rateLimited('The limit of this key was reached just now. Try again.', soon) : error;
}

async function showLimits(
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: AppPorts,
): Promise<SendLimits | undefined> {
  if (request.limitsShown === true || ctx.actor.apiKey === null) return undefined;
  request.limitsShown = true;
  const limits = await ports.readSendLimits(ctx);
  if (limits !== undefined) reply.headers(limits.headers);
  return limits;
}
