import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sqlStateOf } from '../db/database-errors.ts';
import { AppError, forbidden, invalid, notFound, unauthenticated } from '../errors/app-error.ts';
import { type Actor, type Ctx, publicActor } from './context.ts';
import { answerOnce, idempotencyKeyOf, type SentAnswer } from './idempotency/idempotency.ts';
import type { AppPorts, SendLimits } from './ports.ts';
import { Answer, type Route } from './route.ts';
import { unknownFields } from './unknown-fields.ts';
import { type Check, compileCheck, faultsAsError } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
    /** Set once the answer of a send-limited route has its limit headers. */
    limitsShown?: boolean;
  }
}

export interface ServedRoute {
  /** 401 and 403, before the body is read. */
  authorize(request: FastifyRequest): Promise<void>;
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
}

const empty = Type.Object({});

/** Everything that happens around a handler, in the order of contract B0.8. */
export function serveRoute(route: Route, ports: AppPorts): ServedRoute {
  const checkParams = compileCheck(route.params ?? empty);
  const checkQuery = compileCheck(route.query ?? empty);
  const checkBody: Check | undefined = route.body === undefined ? undefined : compileCheck(route.body);

  const run = async (ctx: Ctx, request: FastifyRequest, reply: FastifyReply): Promise<SentAnswer> => {
    const params = readParams(checkParams, request);
    const query = readQuery(checkQuery, request);
    const faults = checkBody?.(request.body) ?? [];
    if (faults.length > 0) throw faultsAsError(faults, 'body');
    const input = { params, query, body: request.body, request, reply };
    // The schemas above have just accepted these values, which is what the handler's types say.
    const result = await route.handler(ctx, input as Parameters<Route['handler']>[1]);
    const answered = result instanceof Answer ? result : new Answer(result);
    const unknown = route.body === undefined ? [] : unknownFields(route.body, request.body);
    const headers =
      unknown.length === 0 ? answered.headers : { ...answered.headers, 'x-unknown-fields': unknown.join(',') };
    return { status: answered.status ?? route.status ?? 200, body: toBytes(answered.body), headers };
  };

  return {
    async authorize(request) {
      request.actor = route.access === 'public' ? publicActor : await ports.authenticate(request);
      checkAccess(route, request.actor);
    },
    async handle(request, reply) {
      const committed: (() => void)[] = [];
      const ctx = makeCtx(request, ports);
      const key = isRepeatable(route) ? idempotencyKeyOf(request.headers['idempotency-key']) : undefined;
      let sent: SentAnswer;
      try {
        if (key !== undefined && ctx.workspaceId !== '') {
          const path = request.url.split('?', 1)[0] ?? '';
          sent = await answerOnce({
            db: ports.db,
            secrets: ports.secrets,
            workspaceId: ctx.workspaceId,
            route: `${request.method} ${path}`,
            key,
            body: request.body ?? null,
            work: (tx) => run({ ...ctx, db: tx, afterCommit: (effect) => void committed.push(effect) }, request, reply),
          });
          for (const effect of committed) effect();
        } else {
          sent = await run(ctx, request, reply);
        }
      } catch (error) {
        throw route.sendLimited === true ? await limitedError(error, ctx, request, reply, ports) : error;
      }
      if (route.sendLimited === true) await showLimits(ctx, request, reply, ports);
      return reply
        .code(sent.status)
        .headers({ ...sent.headers })
        .type(route.produces ?? 'application/json; charset=utf-8')
        .send(sent.body);
    },
  };
}

/** Idempotency-Key counts on every POST of a workspace, and on PATCH routes that say so by their name. */
const isRepeatable = (route: Route): boolean =>
  (route.method === 'POST' || (route.method === 'PATCH' && route.path.endsWith('/reschedule'))) &&
  route.access !== 'public';

function checkAccess(route: Route, actor: Actor): void {
  if (route.access === 'public') return;
  if (route.access === 'user') {
    if (actor.type !== 'user') throw unauthenticated('This endpoint takes a dashboard token, not an API key.');
    return;
  }
  if (actor.workspaceId === null) {
    throw new AppError('validation_error', 'Name the workspace in the header X-Workspace-ID.', {
      param: 'X-Workspace-ID',
    });
  }
  if (actor.may(route.access.scope)) return;
  throw forbidden(
    actor.type === 'api_key'
      ? `This key needs the scope "${route.access.scope}".`
      : `Your role "${actor.role ?? 'none'}" does not allow this; it needs "${route.access.scope}".`,
  );
}

function makeCtx(request: FastifyRequest, ports: AppPorts): Ctx {
  return {
    workspaceId: request.actor.workspaceId ?? '',
    actor: request.actor,
    db: ports.db,
    clock: ports.clock,
    log: ports.log.child({ requestId: request.id }),
    requestId: request.id,
    ip: request.ip,
    settings: ports.settings,
    secrets: ports.secrets,
    afterCommit: (effect) => effect(),
  };
}

/** A path that cannot name a record names none: 404, exactly as for an id that never existed. */
function readParams(check: Check, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>; // Fastify decodes path parameters to strings
  const [fault] = check(params);
  if (fault !== undefined) throw notFound('record', params[fault.param] ?? '');
  return params;
}

function readQuery(check: Check, request: FastifyRequest): unknown {
  const query = request.query as Record<string, unknown>; // strings, or arrays of them when a name is repeated
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && (value.includes('\u0000') || !value.isWellFormed() || value.includes('\ufffd'))) {
      throw invalid(name, `${name} has characters that are not allowed`);
    }
  }
  const faults = check(query);
  if (faults.length > 0) throw faultsAsError(faults, 'query');
  return query;
}

/** On a send-limited route: a full tier is 429 whatever else was wrong, and every error carries the limit headers. */
async function limitedError(
  error: unknown,
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  ports: AppPorts,
): Promise<unknown> {
  const refused = sqlStateOf(error) === 'PH429';
  if (!refused && !(error instanceof AppError)) return error;
  const isReplayTrouble = error instanceof AppError && error.extras.param === 'Idempotency-Key';
  const limits = await showLimits(ctx, request, reply, ports);
  const exceeded = limits?.exceeded();
  return exceeded !== undefined && (refused || !isReplayTrouble) ? exceeded : error;
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

const toBytes = (body: unknown): string | Buffer =>
  Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
