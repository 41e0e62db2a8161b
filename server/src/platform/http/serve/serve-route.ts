import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { sqlStateOf } from '../../db/database-errors.ts';
import { AppError, forbidden, invalid, notFound, rateLimited, unauthenticated } from '../../errors/app-error.ts';
import { type Actor, type Ctx, publicActor } from '../context.ts';
import { answerOnce, idempotencyKeyOf, type SentAnswer } from '../idempotency/idempotency.ts';
import { PAGE_HEADERS, type PageOptions, pageFor } from '../page.ts';
import type { AppPorts, SendLimits } from '../ports.ts';
import { Answer, type FormTypes, type Route } from '../route.ts';
import { dropRest, type Received, STREAM_BOUNDS, STREAM_BYTES_MAX, streamedBody } from '../body/streamed-body.ts';
import { unknownFields } from '../unknown-fields.ts';
import { type Check, compileCheck, faultsAsError } from '../validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor;
    /** Set once the caller may call this route: from here on a full tier of a key's limit is 429. */
    authorized?: boolean;
    /** Set once the answer of a send-limited route has its limit headers. */
    limitsShown?: boolean;
  }
  interface FastifyContextConfig {
    served?: ServedRoute;
  }
}

export interface ServedRoute {
  /** Set when its failures are pages too. */
  page: PageOptions | undefined;
  /** Takes a form in place of JSON, and what else. */
  form: FormTypes | undefined;
  /** Everybody's pages may read its answers. */
  cors: boolean;
  /** Media types it takes as bytes in place of JSON. */
  raw: readonly string[];
  /** Media types it takes piece by piece. */
  streamed: readonly string[];
  /** 401 and 403, before the body is read. */
  authorize(request: FastifyRequest): Promise<void>;
  handle(request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply>;
  /** What a failure of this route is answered with; adds headers that its errors carry too. */
  explain(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<unknown>;
}

const empty = Type.Object({});

/** An answer as it goes out; one that is a stream is sent as it comes and cannot be kept. */
type Outgoing = Omit<SentAnswer, 'body'> & { body: SentAnswer['body'] | Readable };

/** Everything that happens around a handler, in the order of docs/api-design.md. */
export function serveRoute(route: Route, ports: AppPorts): ServedRoute {
  const checkParams = compileCheck(route.params ?? empty);
  const checkQuery = compileCheck(route.query ?? empty);
  const queryNames = new Set(Object.keys(route.query === undefined ? {} : propertiesOf(route.query)));
  const checkBody: Check | undefined = route.body === undefined ? undefined : compileCheck(route.body);

  const readAddress = (request: FastifyRequest) => ({
    params: route.opaque === true ? {} : readParams(checkParams, request),
    query: route.opaque === true ? {} : readQuery(checkQuery, queryNames, request),
  });

  const receive = async (ctx: Ctx, request: FastifyRequest): Promise<Received | undefined> => {
    if (route.stream === undefined) return undefined;
    const bounds = { ...STREAM_BOUNDS, ...ports.streamBounds, bytesMax: route.bodyBytesMax ?? STREAM_BYTES_MAX };
    try {
      type Input = Parameters<typeof route.stream.receive>[1];
      const input = { ...readAddress(request), request } as Input; // accepted by the schemas, as the handler's is
      return await route.stream.receive(ctx, input, streamedBody(request.raw, bounds));
    } catch (error) {
      dropRest(request);
      throw error;
    }
  };

  const run = async (ctx: Ctx, request: FastifyRequest, reply: FastifyReply, got?: Received): Promise<Outgoing> => {
    const { params, query } = readAddress(request);
    // No body at all is null to the schema: a route whose fields are all optional can say that it takes one.
    const body = got?.value ?? request.body ?? null;
    const faults = checkBody?.(body) ?? [];
    if (faults.length > 0) throw faultsAsError(faults, 'body');
    const input = { params, query, body, request, reply };
    // The schemas above have just accepted these values, which is what the handler's types say.
    const result = await route.handler(ctx, input as Parameters<Route['handler']>[1]);
    const answered = result instanceof Answer ? result : new Answer(result);
    const own = answered.headers['x-unknown-fields'];
    const unknown = [
      ...(own === undefined ? [] : [own]), // those of what a handler looks into by itself
      ...(route.opaque === true ? [] : unknownFields(route.query ?? empty, request.query)),
      ...(route.body === undefined ? [] : unknownFields(route.body, request.body)),
    ];
    const headers =
      unknown.length === 0 ? answered.headers : { ...answered.headers, 'x-unknown-fields': unknown.join(',') };
    return { status: answered.status ?? route.status ?? 200, body: toBytes(answered.body), headers };
  };

  return {
    page: route.page,
    form: route.form === true ? {} : route.form,
    cors: route.cors === true,
    raw: route.raw ?? [],
    streamed: route.stream?.types ?? [],
    async authorize(request) {
      if (route.access === 'public') {
        request.actor = publicActor;
      } else {
        refuseTwoCredentials(request);
        request.actor = await ports.authenticate(request);
      }
      checkAccess(route, request.actor);
      request.authorized = true;
    },
    async handle(request, reply) {
      const ctx = makeCtx(request, ports);
      await route.admit?.(ctx, request);
      const key = isRepeatable(route) ? idempotencyKeyOf(request.headers['idempotency-key']) : undefined;
      const received = await receive(ctx, request);
      let hasRun = false;
      const answerIt = async (): Promise<Outgoing> => {
        if (key === undefined || ctx.workspaceId === '') {
          hasRun = true;
          return run(ctx, request, reply, received);
        }
        const path = request.url.split('?', 1)[0] ?? '';
        return answerOnce({
          db: ports.db,
          secrets: ports.secrets,
          workspaceId: ctx.workspaceId,
          route: `${request.method} ${path}`,
          key,
          // What a streamed file is for stands in the query.
          body: received === undefined ? (request.body ?? null) : [request.url, received.fingerprint],
          async work(tx) {
            hasRun = true;
            return keepable(await run({ ...ctx, db: tx }, request, reply, received));
          },
        });
      };
      const sent = await answerIt().catch(async (error: unknown) => {
        await received?.discard();
        throw error;
      });
      if (!hasRun) await received?.discard(); // a repetition
      // What was done is done: that the limits cannot be read must not make it look refused.
      if (route.sendLimited === true) await showLimits(ctx, request, reply, ports).catch(() => undefined);
      return reply
        .code(sent.status)
        .type(route.produces ?? 'application/json; charset=utf-8')
        .headers({ ...(pageFor(route.page, request) === undefined ? {} : PAGE_HEADERS), ...sent.headers })
        .send(sent.body);
    },
    async explain(error, request, reply) {
      if (route.sendLimited !== true || (request.actor ?? publicActor).apiKey === null) return error;
      return limitedError(error, makeCtx(request, ports), request, reply, ports);
    },
  };
}

/** Idempotency-Key counts on every POST of a workspace, and on PATCH routes that say so by their name. */
const isRepeatable = (route: Route): boolean =>
  (route.method === 'POST' || (route.method === 'PATCH' && route.path.endsWith('/reschedule'))) &&
  route.access !== 'public';

/** Node keeps the first of two Authorization headers; a proxy in front may have looked at the second. */
function refuseTwoCredentials(request: FastifyRequest): void {
  const names = request.raw.rawHeaders.filter(
    (name, index) => index % 2 === 0 && name.toLowerCase() === 'authorization',
  );
  if (names.length > 1) throw unauthenticated('The Authorization header was given twice.');
}

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
  };
}

/** A path that cannot name a record names none: 404, exactly as for an id that never existed. */
function readParams(check: Check, request: FastifyRequest): Record<string, string> {
  const params = request.params as Record<string, string>; // Fastify decodes path parameters to strings
  for (const value of Object.values(params))
    if (hasBadText(value)) throw new AppError('not_found_error', 'There is nothing at this path.');
  const [fault] = check(params);
  if (fault !== undefined) throw notFound('record', params[fault.param] ?? '');
  return params;
}

/** What PostgreSQL refuses in a text, and what a decoder puts in place of bytes that were no UTF-8. */
const hasBadText = (text: string): boolean =>
  text.includes('\u0000') || text.includes('\ufffd') || !text.isWellFormed();

/** The parser keeps what it cannot decode as it stands: `%ff` would be searched for as three letters. */
function refuseUndecodable(url: string): void {
  const start = url.indexOf('?');
  if (start === -1 || !url.includes('%', start)) return;
  for (const pair of url.slice(start + 1).split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = /^[A-Za-z0-9_]+(?==)/.exec(pair)?.[0] ?? 'query';
      throw invalid(name, `${name} is not UTF-8 in percent-encoding`);
    }
  }
}

function readQuery(check: Check, known: ReadonlySet<string>, request: FastifyRequest): unknown {
  refuseUndecodable(request.url);
  const query = request.query as Record<string, unknown>; // strings, or arrays of them when a name is repeated
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string' && hasBadText(value))
      throw invalid(name, `${name} has characters that are not allowed`);
    // `status[]=x` and `status[$ne]=x` mean `status` in other servers: ignoring them would leave a filter out.
    const meant = name.split('[', 1)[0] ?? '';
    if (meant !== name && known.has(meant)) throw invalid(meant, `${meant} takes one plain value`);
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

const propertiesOf = (schema: object): object =>
  'properties' in schema && typeof schema.properties === 'object' && schema.properties !== null
    ? schema.properties
    : {};

const toBytes = (body: unknown): string | Buffer | Readable =>
  Buffer.isBuffer(body) || typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body);

function keepable({ body, ...rest }: Outgoing): SentAnswer {
  if (body instanceof Readable) throw new Error('an answer that is a stream cannot be kept for an Idempotency-Key');
  return { ...rest, body };
}
