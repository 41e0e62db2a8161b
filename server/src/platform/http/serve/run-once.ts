import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Received } from '../body/streamed-body.ts';
import type { Ctx } from '../context.ts';
import { answerOnce, idempotencyKeyOf, type SentAnswer } from '../idempotency/idempotency.ts';
import { moveKeyToHeader } from '../idempotency/key-in-body.ts';
import type { AppPorts } from '../ports.ts';
import { isRepeatable, type Route } from '../route.ts';
import type { Outgoing, RunHandler } from './run-handler.ts';

/** The Idempotency-Key of a request, on the routes that take one. */
export function keyOf(route: Route, request: FastifyRequest): string | undefined {
  if (!isRepeatable(route)) return undefined;
  moveKeyToHeader(route, request);
  return idempotencyKeyOf(request.headers['idempotency-key']);
}

interface Once {
  key: string | undefined;
  received: Received | undefined;
  run: RunHandler;
  ports: AppPorts;
}

/**
 * Runs the handler, at most once per Idempotency-Key. A streamed body that no handler has taken is discarded: the
 * handler failed, or the answer is a repetition.
 */
export async function runOnce(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, once: Once): Promise<Outgoing> {
  const { key, received, run } = once;
  let taken = false;
  const runHandler = (within: Ctx): Promise<Outgoing> => {
    taken = true;
    return run(within, request, reply, received);
  };
  try {
    return key === undefined || ctx.workspaceId === ''
      ? await runHandler(ctx)
      : await runInTransaction(ctx, request, { ...once, key, runHandler });
  } catch (error) {
    taken = false;
    throw error;
  } finally {
    if (!taken) await received?.discard();
  }
}

async function runInTransaction(
  ctx: Ctx,
  request: FastifyRequest,
  { key, received, ports, runHandler }: Once & { key: string; runHandler: (within: Ctx) => Promise<Outgoing> },
): Promise<Outgoing> {
  const path = request.url.split('?', 1)[0] ?? '';
  return answerOnce({
    db: ports.db,
    secrets: ports.secrets,
    workspaceId: ctx.workspaceId,
    route: `${request.method} ${path}`,
    key,
    // The options of a streamed file stand in the query.
    body: received === undefined ? (request.body ?? null) : [request.url, received.fingerprint],
    async work(tx) {
      return keepable(await runHandler({ ...ctx, db: tx }));
    },
  });
}

function keepable({ body, ...rest }: Outgoing): SentAnswer {
  if (body instanceof Readable) throw new Error('an answer that is a stream cannot be kept for an Idempotency-Key');
  return { ...rest, body };
}
