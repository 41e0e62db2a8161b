import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Received } from '../body/streamed-body.ts';
import { inTransaction } from '../../db/database.ts';
import type { Ctx } from '../context.ts';
import { answerOutside } from '../idempotency/answer-outside.ts';
import { answerOnce, idempotencyKeyOf } from '../idempotency/idempotency.ts';
import { findReplay, fingerprintOf, type KeyedRequest, type SentAnswer } from '../idempotency/kept-answer.ts';
import { moveKeyToHeader } from '../idempotency/key-in-body.ts';
import type { AppPorts } from '../ports.ts';
import { checkIfMatch } from '../record-version.ts';
import { comparedRecord, isRepeatable, type Route } from '../route.ts';
import type { Outgoing, ReadyHandler, ReadyRequest } from './run-handler.ts';

/** The Idempotency-Key of a request, on the routes that take one. */
export function keyOf(route: Route, request: FastifyRequest): string | undefined {
  if (!isRepeatable(route)) return undefined;
  moveKeyToHeader(route, request);
  return idempotencyKeyOf(request.headers['idempotency-key']);
}

export type ReadRecord = (ctx: Ctx, params: Record<string, string>) => Promise<unknown>;

interface Once {
  route: Route;
  key: string | undefined;
  received: Received | undefined;
  ready: ReadyHandler;
  /** Reads the record of this path, as its GET does. */
  read: ReadRecord | undefined;
  ports: AppPorts;
}

/**
 * Runs the handler, at most once per Idempotency-Key. A streamed body that no handler has taken is discarded: the
 * handler failed, or the answer is a repetition.
 */
export async function runOnce(ctx: Ctx, request: FastifyRequest, reply: FastifyReply, once: Once): Promise<Outgoing> {
  const { key, received, ready } = once;
  let taken = false;
  const readyHandler = async (within: Ctx): Promise<ReadyRequest> => {
    const good = await ready(within, request, reply, received);
    return {
      ...good,
      run: (inside) => {
        taken = true;
        return good.run(inside);
      },
    };
  };
  try {
    if (key !== undefined && ctx.workspaceId !== '')
      return await runKeyed(ctx, request, { ...once, key, readyHandler });
    const handler = await readyHandler(ctx);
    const sent = await runIfMatched(ctx, request, once, handler);
    await handler.after(ctx);
    return sent;
  } catch (error) {
    taken = false;
    throw error;
  } finally {
    if (!taken) await received?.discard();
  }
}

/**
 * With If-Match the record is locked, read and compared in the transaction of the change, so that of two changes with
 * the same ETag exactly one is made. A handler that runs in no transaction compares in one of its own.
 */
async function runIfMatched(ctx: Ctx, request: FastifyRequest, once: Once, handler: ReadyRequest): Promise<Outgoing> {
  const { route } = once;
  const isCompared = request.headers['if-match'] !== undefined && comparedRecord(route) !== undefined;
  if (!isCompared || route.outsideTransaction === true) return handler.run(ctx);
  return inTransaction(ctx.db, async (tx) => {
    const within = { ...ctx, db: tx };
    await compareRecord(within, request, once, handler);
    return handler.run(within);
  });
}

/** 409 when an If-Match of the request names another version of the record, which is locked from here on. */
async function compareRecord(
  within: Ctx,
  request: FastifyRequest,
  { route, read }: Once,
  { params }: ReadyRequest,
): Promise<void> {
  const header = request.headers['if-match'];
  const record = comparedRecord(route);
  if (header === undefined || record === undefined || read === undefined) return;
  await record.version.lock(within, params);
  checkIfMatch(header, record.version, Object(await read(within, params)));
}

type KeyedOnce = Once & { key: string; readyHandler(within: Ctx): Promise<ReadyRequest> };

async function runKeyed(ctx: Ctx, request: FastifyRequest, once: KeyedOnce): Promise<SentAnswer> {
  const { route, received, ports, readyHandler } = once;
  const keyed: KeyedRequest = {
    db: ports.db,
    secrets: ports.secrets,
    workspaceId: ctx.workspaceId,
    route: routeCalled(route, request),
    key: once.key,
    body: received === undefined ? askedFor(ctx, route, request) : [request.url, received.fingerprint],
  };
  if (route.outsideTransaction === true) {
    const work = async (): Promise<SentAnswer> => {
      const handler = await readyHandler(ctx);
      const sent = keepable(await handler.run(ctx));
      await handler.after(ctx);
      return sent;
    };
    return answerOutside({ ...keyed, clock: ports.clock, log: ports.log, work });
  }
  let handler: ReadyRequest | undefined;
  if (route.prepare !== undefined) {
    // A repetition prepares nothing: its answer is kept, whatever another server says today.
    const replay = await findReplay(ports.db, keyed, fingerprintOf(keyed.body));
    if (replay !== undefined) return replay;
    handler = await readyHandler(ctx);
  }
  const work = async (tx: Ctx['db']): Promise<SentAnswer> => {
    const within = { ...ctx, db: tx };
    handler = handler ?? (await readyHandler(within));
    await compareRecord(within, request, once, handler);
    return keepable(await handler.run(within));
  };
  const sent = await answerOnce({ ...keyed, work });
  if (sent.headers['idempotent-replayed'] === undefined) await handler?.after(ctx);
  return sent;
}

/** A repetition must ask for all of it. Options may stand in the query: a dry run is not what it tries. */
function askedFor({ actor }: Ctx, { answersSecret }: Route, { body = null, query }: FastifyRequest): unknown {
  const options = Object(query) as Record<string, unknown>; // Fastify parses each query
  if (answersSecret === true) return [body, options, actor.type, actor.id];
  return Object.keys(options).length === 0 ? body : [body, options];
}

/** Method and path, the same whichever path of the route was called: an alias is no other request. */
function routeCalled(route: Route, request: FastifyRequest): string {
  const params = request.params as Record<string, string>; // Fastify decodes path parameters to strings
  const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  return `${route.method} ${path}`;
}

function keepable({ body, ...rest }: Outgoing): SentAnswer {
  if (body instanceof Readable) throw new Error('an answer that is a stream cannot be kept for an Idempotency-Key');
  return { ...rest, body };
}
