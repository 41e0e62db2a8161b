import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Static, TSchema } from 'typebox';
import type { BodyDefinition, BodyValue, OneBody } from './body/body-definition.ts';
import type { Ctx } from './context.ts';
import type { PageForSome, PageOptions } from './page.ts';
import type { RecordVersion } from './record-version.ts';

/** The callers that are allowed: anybody, a signed-in user (dashboard token), or a caller that holds a scope. */
export type Access = 'public' | 'user' | ScopedAccess;

export interface ScopedAccess {
  readonly scope: string;
  /** A caller that holds this one, or one of these, may call it too. */
  readonly orScope?: string | readonly string[];
  /** Calls count against the limits of the API key, and every answer carries the headers of the limits. */
  readonly sendLimited?: true;
  /** Accepts new mail: 403 while the sending of the workspace is paused, before anything else about the request. */
  readonly newMail?: true;
  /** Only a signed-in user whose role has the scope: an API key is 401. */
  readonly usersOnly?: true;
}

/** Whether no API key may call it. */
export const isForUsers = (access: Access): boolean =>
  access === 'user' || (typeof access === 'object' && access.usersOnly === true);

export const isSendLimited = (access: Access): boolean => typeof access === 'object' && access.sendLimited === true;

export interface RouteInput<P extends TSchema, Q extends TSchema, V> {
  params: Static<P>;
  query: Static<Q>;
  body: V;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** The steps of a route. Only its handler may run in a transaction, which an Idempotency-Key opens around it. */
interface Steps<P extends TSchema, Q extends TSchema, V, R> {
  /**
   * Runs before any transaction, once the request was found good: for an answer of another server (a name that is
   * looked up). It changes nothing, and throws to refuse. The handler gets the result as `prepared`.
   */
  prepare?(ctx: Ctx, input: RouteInput<P, Q, V>): Promise<R>;
  handler(ctx: Ctx, input: RouteInput<P, Q, V> & { prepared: R }): Promise<unknown>;
  /** Runs after the commit and before the answer: for a change that must have taken effect everywhere by then. */
  after?(ctx: Ctx, input: RouteInput<P, Q, V>): Promise<void>;
  /**
   * Its handler waits for another server, or works long, page by page: it runs in no transaction, also with an
   * Idempotency-Key. A crash can then leave effects without a kept answer.
   */
  outsideTransaction?: true;
  /** Its answer has a secret that is shown once: a repetition of somebody else is another request. */
  answersSecret?: true;
}

/** An answer that is not JSON. */
export interface FileAnswer {
  /** Its media type. */
  readonly file: string;
  readonly description?: string;
}

interface RouteName {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  path: string;
  /** The same route under further paths (some are written without /v1). */
  aliases?: readonly string[];
  /** Paths of the same call at other services, where our 404 and 405 name this route. */
  elsewhere?: readonly string[];
  /** Operation id: verb_resource. Client generators name their methods by it. */
  id: string;
  tag: string;
  summary: string;
  description?: string;
  /**
   * The route answers with this record, or deletes it: GET, POST and PATCH carry its ETag; GET takes If-None-Match;
   * PATCH and DELETE take If-Match, for which the GET of the same path reads the record. The handler of a route outside
   * of a transaction compares by itself, where it holds the record (`checkIfMatch`).
   */
  version?: RecordVersion;
  /**
   * The route changes the record that the GET of `path` reads, and answers something else: a verb such as
   * `/x/:id/send`, or a part such as `/x/:id/limits`. It takes If-Match with the ETag of that GET. A route that works
   * outside of a transaction cannot: the record could change between the comparison and the work.
   */
  changes?: { readonly path: string; readonly version: RecordVersion };
  /** Its requests are not noted in the log of requests: it reads that log. */
  unlogged?: true;
  /** 403 in the self-hosted edition, whatever the request says. */
  cloudOnly?: true;
  /** A request that works as it stands, once its ids are real: for the reference, and run by a test. */
  example?: RouteExample;
}

export interface RouteExample {
  body?: unknown;
  /** In place of a body that is no text: the name of a file. */
  file?: string;
  query?: Readonly<Record<string, string>>;
}

/** Only a route that everybody may call can limit its callers by itself, and be called by other sites. */
type Caller =
  | {
      access: 'public';
      permit?: never;
      /** Runs before anything the request says is read: a limit on who asks. Throws to refuse. */
      admit?(ctx: Ctx, request: FastifyRequest): Promise<void>;
      /** Pages of other sites may call it from a browser and read the answer (CORS), without credentials. */
      cors?: true;
    }
  | {
      access: 'user' | ScopedAccess;
      /**
       * Throws 403 unless the caller may use the route: for what neither a scope nor being signed in says, such as a
       * role in the workspace of the path. Runs before the body is read, and names no record that may not exist: the
       * handler answers 404, and judges again in its transaction where the right can end meanwhile.
       */
      permit?(ctx: Ctx, params: Readonly<Record<string, string>>): Promise<void>;
      admit?: never;
      cors?: never;
    };

type AddressDefinition<P extends TSchema, Q extends TSchema> =
  | {
      params?: P;
      query?: Q;
      /** Request headers that its handler reads, for the reference: `request.headers` has them. */
      headers?: TSchema;
      opaque?: never;
    }
  | {
      params?: never;
      query?: never;
      headers?: never;
      /** Every address that begins with the path is good; the handler reads the address by itself. */
      opaque: true;
    };

/** An endpoint of the API has an answer that the OpenAPI document describes; a page has none there. */
type AnswerDefinition =
  | {
      /** Status of a plain answer; 200 when left out. */
      status?: 200 | 201 | 202;
      /** The body of a good answer. Not used to cut answers: the tests check answers against it. */
      response: TSchema | FileAnswer;
      /** Bodies of other statuses it answers by itself: a variant of the good one, or an error with more fields. */
      otherResponses?: Readonly<Record<number, TSchema>>;
      /** Error statuses of this route, besides those that `declaredErrors` derives from its definition. */
      errors?: readonly number[];
      /** Not part of the reference, and in no OpenAPI document. */
      hidden?: true;
      /** A page for some requests, an endpoint for all others. */
      page?: PageForSome;
    }
  | {
      /** A page for people: its answers and failures are HTML, and it is in no OpenAPI document. */
      page: PageOptions & { when?: undefined };
      status?: never;
      response?: never;
      otherResponses?: never;
      errors?: never;
      hidden?: never;
    };

export type RouteDefinition<P extends TSchema, Q extends TSchema, B extends OneBody<P, Q>, R> = RouteName &
  Caller &
  AddressDefinition<P, Q> &
  AnswerDefinition &
  Steps<P, Q, BodyValue<B>, R> & { body?: B };

/** A definition whose types have done their work: what the app registers. */
export interface Route extends RouteName, Steps<TSchema, TSchema, unknown, unknown> {
  access: Access;
  permit?: ((ctx: Ctx, params: Readonly<Record<string, string>>) => Promise<void>) | undefined;
  admit?: ((ctx: Ctx, request: FastifyRequest) => Promise<void>) | undefined;
  cors?: true | undefined;
  params?: TSchema | undefined;
  query?: TSchema | undefined;
  headers?: TSchema | undefined;
  opaque?: true | undefined;
  body?: BodyDefinition | undefined;
  status?: 200 | 201 | 202 | undefined;
  response?: TSchema | FileAnswer | undefined;
  otherResponses?: Readonly<Record<number, TSchema>> | undefined;
  errors?: readonly number[] | undefined;
  hidden?: true | undefined;
  page?: PageOptions | PageForSome | undefined;
}

/** Declares an endpoint. The types of params, query and body follow from the schemas that check them. */
export function route<P extends TSchema, Q extends TSchema, const B extends OneBody<P, Q>, R = undefined>(
  definition: RouteDefinition<P, Q, B, R>,
): Route {
  // The app only ever passes a handler input that its own schemas have accepted, so forgetting their types is safe.
  return definition as unknown as Route;
}

/**
 * An Idempotency-Key counts on every POST of a workspace, and on PATCH routes that say so by their name. The account of
 * a person belongs to no workspace, and its answers (recovery codes) are not for others of it.
 */
export const isRepeatable = ({ method, path, access }: Pick<Route, 'method' | 'path' | 'access'>): boolean =>
  (method === 'POST' || (method === 'PATCH' && path.endsWith('/reschedule'))) &&
  access !== 'public' &&
  !path.startsWith('/auth/');

/**
 * True for an endpoint that programs call. Links and forms for people pass through mail programs, networks of
 * advertisers and websites, which add parameters and fields of their own: those must not make them fail.
 */
export const isCalledByPrograms = ({ access, body }: Pick<Route, 'access' | 'body'>): boolean =>
  access !== 'public' || (body !== undefined && 'json' in body);

/** The record whose ETag an If-Match of the route is compared with, and the path of its GET. */
export const comparedRecord = ({
  method,
  path,
  version,
  changes,
}: Pick<Route, 'method' | 'path' | 'version' | 'changes'>): Route['changes'] => {
  if (changes !== undefined) return changes;
  return version !== undefined && (method === 'PATCH' || method === 'DELETE') ? { path, version } : undefined;
};

/** The media type of a good answer that is not JSON. */
export const mediaTypeOf = (response: Route['response']): string | undefined =>
  response !== undefined && isFileAnswer(response) ? response.file : undefined;

export const isFileAnswer = (response: TSchema | FileAnswer): response is FileAnswer => 'file' in response;

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
