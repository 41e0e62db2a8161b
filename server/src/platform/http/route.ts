import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { Ctx } from './context.ts';
import type { PageOptions } from './page.ts';
import type { Received } from './body/streamed-body.ts';

/** Who may call: nobody in particular, a signed-in user (dashboard token), or whoever holds a scope. */
export type Access = 'public' | 'user' | { readonly scope: string };

export interface RouteInput<P extends TSchema, Q extends TSchema, B extends TSchema> {
  params: Static<P>;
  query: Static<Q>;
  body: Static<B>;
  request: FastifyRequest;
  reply: FastifyReply;
}

export interface StreamedInput<P extends TSchema, Q extends TSchema> {
  types: readonly string[];
  /**
   * Reads the pieces, after parameters and query were found good. Outside of any transaction, since it lasts as long as
   * the sender takes. When it throws it has to leave nothing behind by itself.
   */
  receive(
    ctx: Ctx,
    input: Pick<RouteInput<P, Q, TSchema>, 'params' | 'query' | 'request'>,
    pieces: AsyncIterable<Buffer>,
  ): Promise<Received>;
}

/** What a route with `form` takes besides. */
export interface FormTypes {
  /** The same fields as JSON. */
  json?: true;
  /** The same fields as multipart/form-data, text only. */
  multipart?: true;
}

export interface RouteDefinition<P extends TSchema, Q extends TSchema, B extends TSchema> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  /** The same route under further paths (some are written without /v1). */
  aliases?: readonly string[];
  /** Operation id: verb_resource. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  access: Access;
  /** Status of a plain answer; 200 when left out. */
  status?: 200 | 201 | 202;
  params?: P;
  query?: Q;
  body?: B;
  /** The body of a good answer. Not used to cut answers: the tests check them against it. */
  response: TSchema;
  /** Bodies of other statuses it answers by itself: a variant of the good one, or an error that says more than others. */
  otherResponses?: Readonly<Record<number, TSchema>>;
  /** Media type of the answer when it is not JSON. */
  produces?: string;
  /**
   * Takes an HTML form (application/x-www-form-urlencoded) in place of JSON; `body` describes its fields. For a route
   * that trusts no cookie and no network: somebody else's page can make a browser send a form.
   */
  form?: true | FormTypes;
  /**
   * Takes bytes of these media types in place of JSON; `rawBody(request)` has them. `body` is not used. Nobody has
   * looked at them: the handler judges what they say.
   */
  raw?: readonly string[];
  /**
   * Takes a body of these media types piece by piece, in place of JSON: `receive` puts it somewhere, and what that
   * returns is the `body` of the handler. `body` and `raw` are not used. At most `bodyBytesMax`.
   */
  stream?: StreamedInput<P, Q>;
  /** Makes the route a page for people: its answers are HTML, its failures too, and it is no part of the API. */
  page?: PageOptions;
  /** Pages of everybody's may call it from a browser and read the answer (CORS), without credentials. */
  cors?: true;
  /** Comes before anything the request says is looked at: a limit on who asks. Throws to refuse. */
  admit?(ctx: Ctx, request: FastifyRequest): Promise<void>;
  /** Nobody calls it who reads a reference: it stands in no OpenAPI document. Pages never do. */
  hidden?: true;
  /**
   * Whatever address begins with its path is good: neither parameters nor query are read, so neither can be wrong. The
   * handler looks at the address by itself.
   */
  opaque?: true;
  /** Statuses besides 400, 401, 403, 429 and 500 that a caller should expect. */
  errors?: readonly number[];
  /** Counts against the limits of the API key, and carries their headers on every answer. */
  sendLimited?: boolean;
  /** Largest raw body; 1 MB when left out. */
  bodyBytesMax?: number;
  handler(ctx: Ctx, input: RouteInput<P, Q, B>): Promise<unknown>;
}

/** The bytes of a request to a route with `raw`; empty when there were none. */
export const rawBody = (request: FastifyRequest): Buffer =>
  Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);

/** A definition whose types have done their work: what the app registers. */
export type Route = RouteDefinition<TSchema, TSchema, TSchema>;

/** Declares an endpoint. The types of params, query and body follow from the schemas that check them. */
export function route<P extends TSchema, Q extends TSchema, B extends TSchema>(
  definition: RouteDefinition<P, Q, B>,
): Route {
  // The app only ever passes a handler input that its own schemas have accepted, so forgetting their types is safe.
  return definition as unknown as Route;
}

/** An answer other than the plain one: another status, or headers of its own. */
export class Answer {
  readonly body: unknown;
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(body: unknown, options: { status?: number; headers?: Record<string, string> } = {}) {
    this.body = body;
    this.status = options.status;
    this.headers = options.headers ?? {};
  }
}

export const answer = (body: unknown, options?: { status?: number; headers?: Record<string, string> }): Answer =>
  new Answer(body, options);
