import type { FastifyRequest } from 'fastify';
import type { Clock } from '../clock.ts';
import type { Settings } from '../config/settings.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../db/database.ts';
import type { AppError } from '../errors/app-error.ts';
import type { Log } from '../log.ts';
import type { Actor, Ctx } from './context.ts';

/** What the limits of a key look like now: the headers of every answer, and the 429 when a tier is full. */
export interface SendLimits {
  headers: Record<string, string>;
  exceeded(): AppError | undefined;
}

/** What the HTTP layer needs from features, which it may not import. */
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
  /** Sees every answer: metrics. */
  onAnswer?(answered: { method: string; route: string; status: number; ms: number }): void;
}
