import { unacceptable } from '../errors/app-error.ts';

const DAY_MS = 86_400_000;

export interface Ahead {
  /** The field that holds the time. */
  param: string;
  /** The clock that decides when the time has come: usually that of the database. */
  now: Date;
  /** Left out: any time to come. */
  leastSeconds?: number;
  mostDays: number;
  /** It is what the refusal tells to send at once: `the issue`. */
  what: string;
}

/** 422 (`param`) unless the time lies ahead, by at least `leastSeconds` and at most `mostDays` days of 24 hours. */
export function requireAhead(at: Date, { param, now, leastSeconds = 0, mostDays, what }: Ahead): void {
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs <= 0) throw unacceptable(param, `${param} has passed. Give a later time, or send ${what} at once.`);
  if (aheadMs < leastSeconds * 1_000) {
    throw unacceptable(param, `${param} must be at least ${leastSeconds} seconds ahead; or send ${what} at once.`);
  }
  if (aheadMs > mostDays * DAY_MS) throw unacceptable(param, `${param} must be at most ${mostDays} days ahead.`);
}
