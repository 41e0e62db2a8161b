import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../errors/app-error.ts';
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

/**
 * Adds the limit headers to a good answer, unless the handler has: it knows the limits from what it has just taken. The
 * work is done: failing to read the limits must not make it look refused.
 */
export async function showLimitsOfAnswer(
  route: Route,
  sent: { readonly headers: Readonly<Record<string, string>> },
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: AppPorts,
): Promise<void> {
  if (sent.headers['x-ratelimit-limit'] !== undefined) return;
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
  if (!(error instanceof AppError)) return error;
  const comesFirst = request.authorized !== true || error.extras.param === 'Idempotency-Key';
  const limits = await showLimits(makeCtx(request, ports), request, reply, ports);
  return (comesFirst ? undefined : limits?.exceeded()) ?? error;
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
