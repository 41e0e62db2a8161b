import type { Db } from '#platform/db/database.ts';
import type { SendKey } from './bulk-send.ts';

/**
 * Stops the release for good, in the caller's transaction: `alreadyQueued` emails, exactly, will still be handed over,
 * and after its commit not one more is queued. Answers at once however many recipients there are: what is pending is
 * settled afterwards, page by page. A send that was cancelled before answers as it stands now.
 */
export async function cancelBulkSend(_tx: Db, _key: SendKey): Promise<{ alreadyQueued: number }> {
  throw new Error('not built yet');
}
