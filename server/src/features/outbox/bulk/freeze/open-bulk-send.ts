import assert from 'node:assert/strict';
import { type Db, onCommit } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { NewBulkSend } from '../bulk-send.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { insertLinks } from '../../counting/link-counts-queries.ts';
import { insertBulkSend } from './freeze-queries.ts';

/**
 * Stores the content and an empty bulk send that is being frozen; returns its id. In the caller's transaction, whose
 * commit wakes those who freeze.
 */
export async function openBulkSend(tx: Db, send: NewBulkSend): Promise<string> {
  assert.equal(send.content.attachments.length, 0, 'a bulk send has no attachments');
  const sendId = newId();
  await insertBulkSend(tx, { sendId, contentId: newId() }, send);
  if (send.links !== null) await insertLinks(tx, { workspaceId: send.workspaceId, sendId }, send.links);
  onCommit(tx, bulkWork.tell);
  return sendId;
}
