import type { FastifyRequest } from 'fastify';
import { type Static, type TSchema, Type } from 'typebox';
import type { Ctx } from '../context.ts';
import type { ReadMeaning } from '../fields/read-meaning.ts';
import type { OtherNames } from '../fields/other-names.ts';
import { type Received, STREAM_BYTES_MAX, type StreamedPieces } from './streamed-body.ts';

/** The body that a route takes: JSON, an HTML form, bytes of a media type, or a stream. */
export type BodyDefinition<P extends TSchema = TSchema, Q extends TSchema = TSchema> =
  | JsonBody
  | FormBody
  | BytesBody
  | StreamBody<P, Q>;

type Part =
  | 'json'
  | 'optional'
  | 'read'
  | 'others'
  | 'warns'
  | 'takesKey'
  | 'form'
  | 'alsoJson'
  | 'alsoMultipart'
  | 'bytes'
  | 'stream'
  | 'fields'
  | 'receive';
type Only<T> = T & { readonly [K in Exclude<Part, keyof T>]?: never };

/** The same, without parts of two kinds in one: the type that `route` takes. */
export type OneBody<P extends TSchema, Q extends TSchema> =
  | Only<JsonBody>
  | Only<FormBody>
  | Only<BytesBody>
  | Only<StreamBody<P, Q>>;

interface Sized {
  /** The largest body in bytes; 1 MB when left out, 64 MB for a stream. */
  readonly bytesMax?: number;
}

export interface JsonBody extends Sized {
  readonly json: TSchema;
  /** Names that other services use for its fields. */
  readonly others?: OtherNames;
  /** For a body that people bring from other services: ignored fields are named in `warnings` of the answer too. */
  readonly warns?: true;
  /**
   * The Idempotency-Key may come as a field of the body too, and counts like the header: under its own name, as some
   * services take it, or under this one.
   */
  readonly takesKey?: true | string;
  /** A request without a body is good too; the handler gets null. */
  readonly optional?: true;
  /** Reads the meaning of its fields, and says every fault of them. The handler gets what it returns. */
  readonly read?: ReadMeaning;
}

/**
 * A form (application/x-www-form-urlencoded), as one object of strings. For a route that trusts no cookie and no
 * network: a page of another site can make a browser send a form.
 */
export interface FormBody extends Sized {
  /** Its fields; `anyFields` when the handler reads none, or reads them by itself. */
  readonly form: TSchema;
  /** The same fields as JSON. */
  readonly alsoJson?: true;
  /** The same fields as multipart/form-data, text only. */
  readonly alsoMultipart?: true;
}

/** Bytes of these media types, which nothing has checked. The handler gets a Buffer, empty when there were none. */
export interface BytesBody extends Sized {
  readonly bytes: readonly string[];
}

/** A body of these media types that is read piece by piece. */
export interface StreamBody<P extends TSchema, Q extends TSchema> extends Sized {
  readonly stream: readonly string[];
  /** Of a form with a file: its fields, for the reference. `receive` reads them by itself. */
  readonly fields?: TSchema;
  /**
   * Reads the pieces, after parameters and query were found good. Outside of any transaction, because it lasts as long
   * as the sender takes. When it throws, it must leave nothing behind. The handler gets the `value` it returns.
   */
  receive(ctx: Ctx, input: StreamInput<P, Q>, pieces: StreamedPieces): Promise<Received>;
}

export interface StreamInput<P extends TSchema, Q extends TSchema> {
  params: Static<P>;
  query: Static<Q>;
  request: FastifyRequest;
}

/** The `body` of a handler. */
export type BodyValue<B> = B extends { read: ReadMeaning<infer V> }
  ? V | (B extends { optional: true } ? null : never)
  : B extends { json: infer S extends TSchema; optional: true }
    ? Static<S> | null
    : B extends { json: infer S extends TSchema }
      ? Static<S>
      : B extends { form: infer S extends TSchema }
        ? Static<S>
        : B extends { bytes: readonly string[] }
          ? Buffer
          : B extends { receive(...input: never): Promise<Received<infer V>> }
            ? V
            : unknown;

/** The schema that checks a body, if one does. A missing body is null to it. */
export function schemaOfBody(body: BodyDefinition | undefined): TSchema | undefined {
  if (body === undefined) return undefined;
  if ('json' in body) return body.optional === true ? Type.Union([body.json, Type.Null()]) : body.json;
  return 'form' in body ? body.form : undefined;
}

const BYTES_MAX = 1_048_576;

export const bytesMaxOf = (body: BodyDefinition | undefined): number =>
  body?.bytesMax ?? (body !== undefined && 'stream' in body ? STREAM_BYTES_MAX : BYTES_MAX);

export const FORM_TYPE = 'application/x-www-form-urlencoded';
export const MULTIPART_TYPE = 'multipart/form-data';

/** The media types that a route takes, in the order its refusal names them. */
export function mediaTypesOf(body: BodyDefinition | undefined): readonly string[] {
  if (body === undefined || 'json' in body) return ['application/json'];
  if ('bytes' in body) return body.bytes;
  if ('stream' in body) return body.stream;
  return [
    ...(body.alsoJson === true ? ['application/json'] : []),
    FORM_TYPE,
    ...(body.alsoMultipart === true ? [MULTIPART_TYPE] : []),
  ];
}
