import type { AddedSuppression } from '#features/suppressions';
import type { Db } from '#platform/db/database.ts';
import { suppressWaitingEmails } from './queries/suppress-waiting.ts';

/** Of one announcement, so that an address that half the queue goes to does not hold up whoever suppresses it. */
const AT_ONCE = 5_000;

/**
 * Settles what waits in the queue for addresses that were just suppressed, in the transaction that suppresses them. The
 * claim would do so when their turn comes; this is what makes the suppression hold from its commit on: a claim that is
 * under way and has not seen it holds the email's row, and the suppression waits for that claim to be committed. One
 * that comes later finds the row changed.
 */
export async function suppressWaiting(tx: Db, added: readonly AddedSuppression[]): Promise<void> {
  const fresh = added.filter((one) => one.isNew);
  if (fresh.length > 0) await suppressWaitingEmails(tx, fresh, AT_ONCE);
}
