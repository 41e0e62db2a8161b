import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { SendKey } from '../bulk-send.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { countUnderWay, lockForCancel, markCancelling } from './cancel-queries.ts';

/**
 * Stops the release for good, in the caller's transaction: `alreadyQueued` emails, exactly, will still be handed over,
 * and after its commit not one more is queued. Answers at once however many recipients there are: what is pending is
 * settled afterwards, page by page. A send that was cancelled before answers as it stands now.
 *
 * Every page of the release holds the send as this does: a page is either committed before the count, and in it, or
 * finds the send cancelled.
 */
export async function cancelBulkSend(db: Db, key: SendKey): Promise<{ alreadyQueued: number }> {
  return inTransaction(db, async (tx) => {
    const state = await lockForCancel(tx, key);
    if (state === undefined) throw notFound('send', key.sendId);
    if (state !== 'cancelling' && state !== 'cancelled') {
      await markCancelling(tx, key);
      onCommit(tx, bulkWork.tell);
    }
    return { alreadyQueued: await countUnderWay(tx, key) };
  });
}
