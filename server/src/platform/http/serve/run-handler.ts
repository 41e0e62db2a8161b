import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { schemaOfBody } from '../body/body-definition.ts';
import type { Received } from '../body/streamed-body.ts';
import type { Ctx } from '../context.ts';
import { fieldNamesOf } from '../fields/field-names.ts';
import { fieldReader } from '../fields/read-fields.ts';
import { readMeaning } from '../fields/read-meaning.ts';
import { addUnknown, unknownHeader } from '../fields/unknown-fields.ts';
import type { SentAnswer } from '../idempotency/kept-answer.ts';
import { etagOf } from '../record-version.ts';
import { Answer, isCalledByPrograms, type Route } from '../route.ts';
import { compileCheck, withoutMeant } from '../validation.ts';
import type { Address } from './read-address.ts';

/** An answer as it goes out; one that is a stream is sent as it comes and cannot be kept. */
export type Outgoing = Omit<SentAnswer, 'body'> & { body: SentAnswer['body'] | Readable };

/** A request that was found good: its handler can run, and the step after it. */
export interface ReadyRequest {
  readonly params: Record<string, string>;
  run(ctx: Ctx): Promise<Outgoing>;
  after(ctx: Ctx): Promise<void>;
}

export type ReadyHandler = (
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  received: Received | undefined,
) => Promise<ReadyRequest>;

/** Compiles the step that checks address and body, and prepares the handler. Unknown fields are named in its answer. */
export function handlerPreparer(route: Route, readAddress: (request: FastifyRequest) => Address): ReadyHandler {
  const readBody = bodyReader(route);
  return async (ctx, request, reply, received) => {
    const { params, query, unknown } = readAddress(request);
    addUnknown(request, unknown);
    const body = await readBody(bodyFor(route, request, received), request, ctx.clock.now());
    const input = { params, query, body, request, reply };
    const prepared = await route.prepare?.(ctx, input);
    return {
      params,
      async run(within) {
        const result = await route.handler(within, { ...input, prepared });
        const answered = result instanceof Answer ? result : new Answer(result);
        const headers = { ...answered.headers, ...etagHeader(route, answered.body), ...unknownHeader(request) };
        return { status: answered.status ?? route.status ?? 200, body: toBytes(answered.body), headers };
      },
      after: async (within) => route.after?.(within, input),
    };
  };
}

/** Compiles the reader of a route's body: our names for its fields, and all faults of type and meaning in one error. */
function bodyReader(route: Route): (body: unknown, request: FastifyRequest, now: Date) => Promise<unknown> {
  const { body: definition } = route;
  const schema = definition === undefined ? NO_FIELDS : schemaOfBody(definition);
  if (schema === undefined) return asItCame;
  const check = definition === undefined ? () => [] : compileCheck(schema);
  const query = new Set(fieldNamesOf(route.query));
  const readFields = fieldReader(schema, {
    others: definition !== undefined && 'json' in definition ? definition.others : undefined,
    refusesNearMisses: isCalledByPrograms(route),
    elsewhere: { names: query, remedy: (name) => `is a parameter of the query: put ?${name}=… at the end of the URL` },
  });
  const read = definition !== undefined && 'json' in definition ? (definition.read ?? asItCame) : asItCame;
  return async (body, request, now) => {
    const { value, unknown, faults } = readFields(body);
    addUnknown(request, unknown);
    const all = withoutMeant([...faults, ...check(value)]);
    return readMeaning<unknown>(value, all, value === null ? asItCame : read, { where: 'body', now });
  };
}

const asItCame = async (fields: unknown): Promise<unknown> => fields;

/** A route without a body takes none of the fields that a request brings all the same: they are named as everywhere. */
const NO_FIELDS = Type.Object({});

/** A missing body is null to the schema, which an optional body takes. A missing body of bytes is empty. */
function bodyFor(route: Route, request: FastifyRequest, received: Received | undefined): unknown {
  if (received !== undefined) return received.value;
  if (route.body !== undefined && 'bytes' in route.body && !Buffer.isBuffer(request.body)) return Buffer.alloc(0);
  return request.body ?? null;
}

const toBytes = (body: unknown): string | Buffer | Readable =>
  Buffer.isBuffer(body) || typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body);

const etagHeader = ({ method, version }: Route, body: unknown): { etag?: string } =>
  version === undefined || method === 'DELETE' || typeof body !== 'object' || body === null
    ? {}
    : { etag: etagOf(version, body) };
