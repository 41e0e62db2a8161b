import type { SendingStop } from '../errors/sending-stopped.ts';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../db/database.ts';
import type { AppError } from '../errors/app-error.ts';
import type { Log } from '../log.ts';
import type { Actor, Ctx } from './context.ts';
import type { PageForSome } from './page.ts';
import type { Route } from './route.ts';
import type { BodyBudget } from './body/body-budget.ts';
import type { STREAM_BOUNDS } from './body/streamed-body.ts';

/** The current state of a key's limits: the headers of every answer, and the 429 when a tier is full. */
export interface SendLimits {
  headers: Record<string, string>;
  exceeded(): AppError | undefined;
}

/** How long a client may hold a socket. Node's own limits are minutes, or none. */
export const TIMEOUTS = {
  headersMs: 15_000,
  /** Headers and body together. */
  requestMs: 60_000,
  /**
   * Between two requests on one connection. Longer than nginx (60 s), the load balancers of AWS (60 s) and Caddy
   * (120 s) keep theirs: the side that asks has to close, or a request meets a connection that is being closed.
   */
  keepAliveMs: 125_000,
  /** Nothing sent and nothing read. */
  silenceMs: 70_000,
  /** How often the first two are looked at. */
  checkMs: 2_000,
};

/** From how many connections on, and then at each step, all that are idle are closed. */
export const IDLE_BOUNDS = { connections: 5_000, step: 500 };

/** The dependencies of the HTTP layer on features, which it may not import. */
export interface AppPorts {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Settings;
  secrets: Secrets;
  /** Throws authentication_error unless the request carries a good key or token. */
  authenticate(request: FastifyRequest): Promise<Actor>;
  /** Undefined when no tier of the key is limited. */
  readSendLimits(ctx: Ctx): Promise<SendLimits | undefined>;
  /** Why the workspace accepts no new mail; asked only after a failure. It always does when left out. */
  findSendingStop?(ctx: Ctx): Promise<SendingStop>;
  /** Bounds the bytes of bodies that the process holds, of whatever listener; one of HTTP alone when left out. */
  bodyBudget?: BodyBudget;
  /** Shorter ones for tests. */
  timeouts?: Partial<typeof TIMEOUTS>;
  /** The same for idle connections. */
  idleBounds?: typeof IDLE_BOUNDS;
  /** The same for bodies that are streamed. */
  streamBounds?: Partial<typeof STREAM_BOUNDS>;
  /** The page for a browser at an address where there is nothing; JSON when left out, and for all others. */
  pageOfNothing?: PageForSome;
  /** Answers a browser that opens a page which is no route; undefined leaves the request to the routes. */
  answerPage?(request: FastifyRequest, reply: FastifyReply): FastifyReply | undefined;
  /** Sees every answer: metrics. */
  onAnswer?(answered: { method: string; route: string; status: number; ms: number }): void;
  /** Sees every answer of a route, after it was sent: the log of requests. Must not throw. */
  onServed?(served: ServedRequest): void;
}

/** A request that was answered. */
export interface ServedRequest {
  request: FastifyRequest;
  route: Route;
  status: number;
  ms: number;
  /** The body of the answer; null: a stream, or none. */
  answer: string | Buffer | null;
}
