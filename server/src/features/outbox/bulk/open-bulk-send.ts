import type { Db } from '#platform/db/database.ts';
import type { NewBulkSend } from './bulk-send.ts';

/** Stores the content and an empty bulk send that is being frozen; returns its id. In the caller's transaction. */
export async function openBulkSend(_tx: Db, _send: NewBulkSend): Promise<string> {
  throw new Error('not built yet');
}
