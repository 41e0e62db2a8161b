import { macOf } from '../crypto/mac.ts';
import type { Secrets } from '../crypto/secrets.ts';
import type { Db } from '../db/database.ts';
import { rateLimited } from '../errors/app-error.ts';
import { countSome, deleteCount, takeOneOff } from './queries.ts';

/**
 * Slows abuse, on all processes together: an attempt is counted before the work is done, by one upsert, so parallel
 * attempts cannot slip through between a check and its count. Counts are kept under a keyed hash of their subject: the
 * table holds no address of anybody. One small table of our own: rate-limiter-flexible brings a pool, a clock and a
 * table of its own, and this needs ours.
 *
 * What is counted inside a transaction counts when it commits, and holds others who count the same subject until then:
 * a cap on something irreversible (mails to one address) is exact when it is counted in the transaction that does it.
 *
 *     const mailsOf = (email: string): AttemptLimit[] => [
 *       { subject: `newsletter mail, hour ${email}`, max: 3, windowSeconds: 3_600 },
 *       { subject: `newsletter mail, day ${email}`, max: 10, windowSeconds: 86_400 },
 *     ];
 *     if ((await firstExceeded({ ...ctx, db: tx }, mailsOf(email), now)) !== undefined) return 'not sent';
 */
export interface AttemptLimit {
  /** The counted thing, in words, with its window when it has several: the key of its count. */
  subject: string;
  /** Attempts in one window; 0: unlimited, and nothing is counted. */
  max: number;
  /** From the first attempt, whatever the clock says: windows of two subjects do not end together. */
  windowSeconds: number;
  /** The setting that `max` comes from, for the error; without one the limit is fixed. */
  setting?: string;
}

/** A Ctx is one. `db` may be a transaction. */
export interface Counting {
  db: Db;
  secrets: Secrets;
}

const hashOf = ({ secrets }: Counting, subject: string): Buffer => macOf(secrets.key('attempt-counts'), subject);

/**
 * Counts one attempt under each limit in turn, up to the first that is exceeded by it: the instant that one's window
 * ends, or undefined when there was room everywhere. Limits after the exceeded one are not counted, so name the
 * narrowest first: who is refused for the minute does not use up the hour.
 */
export async function firstExceeded(
  counting: Counting,
  limits: readonly AttemptLimit[],
  now: Date,
): Promise<Date | undefined> {
  return (await countEach(counting, limits, now))?.resetAt;
}

const endOf = (now: Date, windowSeconds: number): Date => new Date(now.getTime() + windowSeconds * 1_000);

/**
 * Takes up to `wanted` places of a limit at once, for attempts that are to come, so that not each asks the database.
 * Fewer than wanted: the limit is used up until `resetsAt`. Places that are not used are lost with the window.
 */
export async function takeShare(
  counting: Counting,
  { subject, max, windowSeconds }: AttemptLimit,
  wanted: number,
  now: Date,
): Promise<{ granted: number; resetsAt: Date }> {
  const window = { now, resetsAt: endOf(now, windowSeconds) };
  const { attempts, resetsAt } = await countSome(counting.db, hashOf(counting, subject), wanted, window);
  return { granted: Math.min(wanted, Math.max(0, max - (attempts - wanted))), resetsAt };
}

interface Exceeded {
  limit: AttemptLimit;
  resetAt: Date;
}

async function countEach(
  counting: Counting,
  limits: readonly AttemptLimit[],
  now: Date,
): Promise<Exceeded | undefined> {
  for (const limit of limits) {
    const { subject, max, windowSeconds } = limit;
    if (max === 0) continue;
    const counted = await countSome(counting.db, hashOf(counting, subject), 1, {
      now,
      resetsAt: endOf(now, windowSeconds),
    });
    if (counted.attempts > max) return { limit, resetAt: counted.resetsAt };
  }
  return undefined;
}

/** The same, and throws rate_limit_error (429 with Retry-After) when a limit is exceeded. */
export async function countOrRefuse(counting: Counting, limits: readonly AttemptLimit[], now: Date): Promise<void> {
  const exceeded = await countEach(counting, limits, now);
  if (exceeded === undefined) return;
  const { limit, resetAt } = exceeded;
  const retryAfterSeconds = Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000));
  throw rateLimited(messageOf(limit, resetAt), { retryAfterSeconds, resetAt });
}

/** The limit, and the remedy: the one who reads it may be the operator. */
function messageOf({ max, windowSeconds, setting }: AttemptLimit, resetAt: Date): string {
  const limit = `Too many requests: the limit is ${max} in ${inWords(windowSeconds)}.`;
  const until = resetAt.toISOString();
  return setting === undefined
    ? `${limit} Wait until ${until}; this limit is fixed.`
    : `${limit} Wait until ${until}, or raise ${setting} on the server.`;
}

const inWords = (seconds: number): string =>
  seconds % 3_600 === 0 ? countOf(seconds / 3_600, 'hour') : countOf(Math.ceil(seconds / 60), 'minute');

const countOf = (count: number, unit: string): string => (count === 1 ? `1 ${unit}` : `${count} ${unit}s`);

/** Starts a count afresh. */
export const forgetAttempts = (counting: Counting, { subject }: AttemptLimit): Promise<void> =>
  deleteCount(counting.db, hashOf(counting, subject));

/** Takes back one attempt that should not have counted. */
export const giveBackAttempt = (counting: Counting, { subject }: AttemptLimit): Promise<void> =>
  takeOneOff(counting.db, hashOf(counting, subject));
