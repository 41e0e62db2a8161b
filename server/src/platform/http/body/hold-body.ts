import { Transform } from 'node:stream';
import type { FastifyReply, FastifyRequest, RequestPayload } from 'fastify';
import { busy } from '../../errors/app-error.ts';
import { type BodyBudget, type HeldBody, SMALL_BYTES_MAX } from './body-budget.ts';

declare module 'fastify' {
  interface FastifyRequest {
    heldBody?: HeldBody;
    /** True while its handler works with the body, whether or not the caller is still there. */
    isHandled?: boolean;
  }
}

const FULL = 'Too many bytes of request bodies are being received at this moment. Try again shortly.';

/**
 * Takes the bytes of a large body from the budget before any of them is read: 503 when there is no room. Bytes of a
 * small one count as they come, or else a few bytes on each of many connections would stop all others. They are given
 * back when the request is answered, or has ended otherwise, and its handler has let go of them.
 */
export function holdBody(budget: BodyBudget, request: FastifyRequest, reply: FastifyReply): void {
  const length = Number(request.headers['content-length'] ?? 0);
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  if (length === 0 && !isChunked) return;
  const held = budget.take(request.actor.workspaceId ?? request.ip, length > SMALL_BYTES_MAX ? length : 0);
  if (held === undefined) throw busy(FULL);
  request.heldBody = held;
  reply.raw.once('close', () => {
    if (request.isHandled !== true) held.release();
  });
}

/** Runs the handler of a request; its body counts until then, also when its caller has gone away. */
export async function whileHandled<T>(request: FastifyRequest, reply: FastifyReply, run: () => Promise<T>): Promise<T> {
  request.isHandled = true;
  try {
    return await run();
  } finally {
    request.isHandled = false;
    if (reply.raw.closed || reply.raw.destroyed) request.heldBody?.release();
  }
}

/** Counts a small body, and one whose length was not told, as it comes. */
export function countAsItComes(request: FastifyRequest, payload: RequestPayload): RequestPayload {
  const { heldBody } = request;
  const length = Number(request.headers['content-length'] ?? 0);
  if (heldBody === undefined || length > SMALL_BYTES_MAX) return payload;
  // Most small bodies come in one piece with their headers, and are counted without a stream of their own.
  if (length > 0 && request.raw.readableLength === length) {
    if (heldBody.grow(length)) return payload;
    throw busy(FULL);
  }
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (heldBody.grow(chunk.length)) done(null, chunk);
      else done(busy(FULL));
    },
  });
  counted.on('error', () => undefined); // whoever reads it listens too; after its answer nobody reads it
  payload.once('error', (error) => counted.destroy(error));
  payload.once('close', () => (request.raw.complete ? undefined : counted.destroy(new Error('the caller went away'))));
  return payload.pipe(counted);
}
