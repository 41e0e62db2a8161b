import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';
import { findStopped } from './queries/second-look.ts';

/** The answer of a claim or a look is believed for so long. Usually ten milliseconds pass until the hand-off. */
const BELIEVED_MS = 50;

/** When something was asked of the database. */
export interface Asked {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const askedNow = (clock: Clock): Asked => ({
  monotonicMs: clock.monotonicMs(),
  wallMs: clock.now().getTime(),
});

/**
 * Whether an answer is still believed. The monotonic clock of Linux stands still while the machine is suspended, and
 * the database may be on another one: the wall clock tells. When that is set, one answer is asked for again.
 */
export function isBelieved(clock: Clock, { monotonicMs, wallMs }: Asked): boolean {
  const now = askedNow(clock);
  return now.monotonicMs - monotonicMs <= BELIEVED_MS && Math.abs(now.wallMs - wallMs) <= BELIEVED_MS;
}

/**
 * Asks again whether a claimed email may leave: it waited here (for a slot, for a connection, for memory, or because
 * this process stood still), and meanwhile its address may have been suppressed, its send cancelled or paused, or its
 * lease lost. Requests in the same turn of the event loop share one statement. False: it goes back to the queue, where
 * the claim settles it. Throws when the database cannot be asked.
 */
export function createSecondLook(db: Db): (email: ClaimedEmail) => Promise<boolean> {
  let asking: { emails: ClaimedEmail[]; stopped: Promise<ReadonlySet<string>> } | undefined;
  const ask = async (emails: readonly ClaimedEmail[]): Promise<ReadonlySet<string>> => {
    await new Promise((resolve) => setImmediate(resolve));
    asking = undefined;
    return new Set(await findStopped(db, emails));
  };
  return async (email) => {
    if (asking === undefined) {
      const emails: ClaimedEmail[] = [];
      asking = { emails, stopped: ask(emails) };
    }
    asking.emails.push(email);
    return !(await asking.stopped).has(email.id);
  };
}
