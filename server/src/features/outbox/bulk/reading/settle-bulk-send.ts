import type { Db } from '#platform/db/database.ts';
import { bulkSendIsOpen, hasUnconfirmed, markSettled } from './settled-queries.ts';
import type { SendKey } from '../bulk-send.ts';
import { countsOfSends } from '../send-counts.ts';

/**
 * Whether nothing of a send is pending any more: each email has an answer of the provider, or was settled without one,
 * or nobody waits for its answer any longer. The send is held until the transaction ends, so that none of its emails is
 * tried again meanwhile. False also when somebody else holds it. The time stands with the send.
 */
export async function settleBulkSend(tx: Db, key: SendKey): Promise<boolean> {
  const settled = await isSettled(tx, key);
  if (settled) await markSettled(tx, key);
  return settled;
}

async function isSettled(tx: Db, key: SendKey): Promise<boolean> {
  if (await bulkSendIsOpen(tx, key)) return false;
  const counts = (await countsOfSends(tx, key.workspaceId, [key.sendId])).get(key.sendId);
  if (counts === undefined) return true;
  if (counts.waiting + counts.queued + counts.sending > 0) return false;
  return counts.unconfirmed === 0 || !(await hasUnconfirmed(tx, key));
}
