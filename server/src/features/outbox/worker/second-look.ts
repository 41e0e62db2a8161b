import type { Db } from '#platform/db/database.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';
import { findStopped } from './queries/second-look.ts';

/** The answer of a claim or a look is believed for so long. Usually ten milliseconds pass until the hand-off. */
export const BELIEVED_MS = 50;

/**
 * Asks again whether a claimed email may leave: it waited here (for a slot, for a connection, for memory, or because
 * this process stood still), and meanwhile its address may have been suppressed or its send cancelled or paused.
 * Requests in the same turn of the event loop share one statement. False: it goes back to the queue, where the claim
 * settles it. Throws when the database cannot be asked.
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
