import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../db/database.ts';
import type { AppError } from '../errors/app-error.ts';
import type { Log } from '../log.ts';
import type { Actor, Ctx } from './context.ts';
import type { PageForSome } from './page.ts';
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
  /** Between two requests on one connection. */
  keepAliveMs: 5_000,
  /** Nothing sent and nothing read. */
  silenceMs: 70_000,
  /** How often the first two are looked at. */
  checkMs: 2_000,
};

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
  /** Shorter ones for tests. */
  timeouts?: Partial<typeof TIMEOUTS>;
  /** The same for bodies that are streamed. */
  streamBounds?: Partial<typeof STREAM_BOUNDS>;
  /** The page for a browser at an address where there is nothing; JSON when left out, and for all others. */
  pageOfNothing?: PageForSome;
  /** Sees every answer: metrics. */
  onAnswer?(answered: { method: string; route: string; status: number; ms: number }): void;
}
