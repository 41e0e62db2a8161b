import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import type { SendKey } from '../bulk-send.ts';
import { bulkSendReopened } from '../../announcements.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { countsOfSends } from '../send-counts.ts';
import { countRetryable, lockForRetry, RETRYABLE_COUNTED_MAX, retryPage } from './retry-queries.ts';

const PAGE = 1_000;

/** The refused emails that `retryRefused` would put back. */
interface Retryable {
  count: number;
  /** There are more than `count`. */
  is_estimate: boolean;
}

const NOBODY: Retryable = { count: 0, is_estimate: false };

/** `sendId` null: nothing was sent. */
export async function retryable(
  db: Db,
  { workspaceId, sendId }: { workspaceId: string; sendId: string | null },
): Promise<Retryable> {
  if (sendId === null) return NOBODY;
  // Most sends have none, and only a look at each email of a send would say so.
  const counts = await countsOfSends(db, workspaceId, [sendId]);
  if ((counts.get(sendId)?.refused ?? 0) === 0) return NOBODY;
  const counted = await countRetryable(db, { workspaceId, sendId });
  return { count: Math.min(counted, RETRYABLE_COUNTED_MAX), is_estimate: counted > RETRYABLE_COUNTED_MAX };
}

/**
 * Puts the refused emails of a send back, to be released as the others were; returns how many. Suppressed, cancelled
 * and unconfirmed ones stay as they are. Nothing (0) of a send that is being frozen, cancelled or was cancelled.
 * Outside a transaction each page is one of its own: who is killed in between has some of them back, and asks again.
 */
export async function retryRefused(db: Db, key: SendKey): Promise<number> {
  let retried = 0;
  let after: string | null = null;
  do {
    const page: { retried: number; last: string | null } = await inTransaction(db, async (tx) => {
      if (!(await lockForRetry(tx, key))) return { retried: 0, last: null };
      onCommit(tx, bulkWork.tell);
      const back = await retryPage(tx, key, { after, limit: PAGE });
      if (back.retried > 0) await bulkSendReopened.announce(tx, key);
      return back;
    });
    retried += page.retried;
    after = page.last;
  } while (after !== null);
  return retried;
}
