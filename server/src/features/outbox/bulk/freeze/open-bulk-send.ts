import assert from 'node:assert/strict';
import { type Db, onCommit } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { NewBulkSend } from '../bulk-send.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { insertBulkSend } from './freeze-queries.ts';

/**
 * Stores the content and an empty bulk send that is being frozen; returns its id. In the caller's transaction, whose
 * commit wakes those who freeze.
 */
export async function openBulkSend(tx: Db, send: NewBulkSend): Promise<string> {
  assert.equal(send.content.attachments.length, 0, 'a bulk send has no attachments');
  const sendId = newId();
  await insertBulkSend(tx, { sendId, contentId: newId() }, send);
  onCommit(tx, bulkWork.tell);
  return sendId;
}
