import { createHash } from 'node:crypto';
import type { Db } from '#platform/db/database.ts';
import { rateLimited } from '#platform/errors/app-error.ts';
import { countAttempt, forgetAttempts, giveBackAttempt } from './throttle-queries.ts';

/**
 * Slows guessing, on all processes together. An attempt is counted before the password is looked at and forgiven when
 * it was right, so parallel guesses cannot slip through between a check and its count. One small table of our own and
 * one statement: rate-limiter-flexible brings a pool, a clock and a table of its own, and this needs ours.
 */
export interface AttemptLimit {
  /** What is counted, in words; kept only as a hash. */
  subject: string;
  max: number;
  windowSeconds: number;
}

const QUARTER_HOUR = 900;
const HOUR = 3_600;

/** Many people may share a network address; nobody mistypes their own password ten times. */
export const signInLimits = (email: string, ip: string): AttemptLimit[] => [
  { subject: `sign-in ip ${ip}`, max: 100, windowSeconds: QUARTER_HOUR },
  { subject: `sign-in account ${email}`, max: 10, windowSeconds: QUARTER_HOUR },
];

export const registerLimit = (ip: string): AttemptLimit => ({
  subject: `register ip ${ip}`,
  max: 100,
  windowSeconds: HOUR,
});

export const mailLimits = {
  ip: (ip: string): AttemptLimit => ({ subject: `reset ip ${ip}`, max: 30, windowSeconds: HOUR }),
  account: (email: string): AttemptLimit => ({ subject: `reset account ${email}`, max: 3, windowSeconds: HOUR }),
};

const hashOf = (subject: string): Buffer => createHash('sha256').update(subject).digest();

/** Counts one attempt; the instant the window ends when there were too many, else undefined. */
export async function isOverLimit(db: Db, limit: AttemptLimit, now: Date): Promise<Date | undefined> {
  const resetsAt = new Date(now.getTime() + limit.windowSeconds * 1_000);
  const counted = await countAttempt(db, hashOf(limit.subject), now, resetsAt);
  return counted.attempts > limit.max ? counted.resetsAt : undefined;
}

/** Counts one attempt under each limit, and throws rate_limit_error when one is exceeded. */
export async function countOrRefuse(db: Db, limits: readonly AttemptLimit[], now: Date): Promise<void> {
  for (const limit of limits) {
    const resetAt = await isOverLimit(db, limit, now);
    if (resetAt !== undefined) {
      const retryAfterSeconds = Math.max(1, Math.ceil((resetAt.getTime() - now.getTime()) / 1_000));
      throw rateLimited('Too many attempts. Wait, then try again.', { retryAfterSeconds, resetAt });
    }
  }
}

/** A right password: the account starts afresh; the network address gets this one attempt back and keeps the others. */
export async function forgiveSignIn(db: Db, email: string, ip: string): Promise<void> {
  const [ofIp, ofAccount] = signInLimits(email, ip).map((limit) => hashOf(limit.subject));
  if (ofIp !== undefined) await giveBackAttempt(db, ofIp);
  if (ofAccount !== undefined) await forgetAttempts(db, ofAccount);
}
