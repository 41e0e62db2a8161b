import type { Db } from '#platform/db/database.ts';
import { stopWaitingOfSubscribers } from './subscriber-queries.ts';

/** Of one announcement; what is beyond it the release and the claim find. */
const AT_ONCE = 5_000;

/**
 * Settles what waits for subscribers who have just left, in the transaction in which they do: status `suppressed`,
 * error `unsubscribed`. This is what makes leaving hold from its commit on, as with a suppression: a claim or a page
 * of the release that is under way and has not seen it holds the email's row, and this waits for it to be committed;
 * one that comes later finds the row changed. Recipients that are being frozen at this moment are checked again by
 * the release.
 */
export async function stopUnsubscribed(
  tx: Db,
  left: readonly { workspaceId: string; subscriberId: string }[],
): Promise<void> {
  if (left.length > 0) await stopWaitingOfSubscribers(tx, left, AT_ONCE);
}
