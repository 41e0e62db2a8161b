import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import type { Received } from '../body/streamed-body.ts';
import type { Ctx } from '../context.ts';
import type { SentAnswer } from '../idempotency/idempotency.ts';
import { schemaOfBody } from '../body/body-definition.ts';
import { Answer, type Route } from '../route.ts';
import { unknownFields } from '../unknown-fields.ts';
import { compileCheck, faultsAsError } from '../validation.ts';
import type { Address } from './read-address.ts';

/** An answer as it goes out; one that is a stream is sent as it comes and cannot be kept. */
export type Outgoing = Omit<SentAnswer, 'body'> & { body: SentAnswer['body'] | Readable };

export type RunHandler = (
  ctx: Ctx,
  request: FastifyRequest,
  reply: FastifyReply,
  received: Received | undefined,
) => Promise<Outgoing>;

/** Compiles the step that checks address and body, calls the handler and names unknown fields in its answer. */
export function handlerRunner(route: Route, readAddress: (request: FastifyRequest) => Address): RunHandler {
  const schema = schemaOfBody(route.body);
  const checkBody = schema === undefined ? undefined : compileCheck(schema);
  const unknownIn = unknownFieldsReader(route, schema);
  return async (ctx, request, reply, received) => {
    const { params, query } = readAddress(request);
    const body = bodyFor(route, request, received);
    const faults = checkBody?.(body) ?? [];
    if (faults.length > 0) throw faultsAsError(faults, 'body');
    const result = await route.handler(ctx, { params, query, body, request, reply });
    const answered = result instanceof Answer ? result : new Answer(result);
    const own = answered.headers['x-unknown-fields'];
    const unknown = [...(own === undefined ? [] : [own]), ...unknownIn(request)]; // `own`: found by the handler itself
    const headers =
      unknown.length === 0 ? answered.headers : { ...answered.headers, 'x-unknown-fields': unknown.join(',') };
    return { status: answered.status ?? route.status ?? 200, body: toBytes(answered.body), headers };
  };
}

/** A missing body is null to the schema, which an optional body takes. A missing body of bytes is empty. */
function bodyFor(route: Route, request: FastifyRequest, received: Received | undefined): unknown {
  if (received !== undefined) return received.value;
  if (route.body !== undefined && 'bytes' in route.body && !Buffer.isBuffer(request.body)) return Buffer.alloc(0);
  return request.body ?? null;
}

const empty = Type.Object({});

function unknownFieldsReader(route: Route, body: TSchema | undefined): (request: FastifyRequest) => string[] {
  return (request) => [
    ...(route.opaque === true ? [] : unknownFields(route.query ?? empty, request.query)),
    ...(body === undefined ? [] : unknownFields(body, request.body)),
  ];
}

const toBytes = (body: unknown): string | Buffer | Readable =>
  Buffer.isBuffer(body) || typeof body === 'string' || body instanceof Readable ? body : JSON.stringify(body);
