import type { Db } from '#platform/db/database.ts';
import type { SendKey } from './bulk-send.ts';

/**
 * Puts the refused emails of a send back, to be released as the others were; returns how many. Suppressed, cancelled and
 * unconfirmed ones stay as they are. Nothing (0) of a send that is being frozen, cancelled or was cancelled.
 */
export async function retryRefused(_db: Db, _key: SendKey): Promise<number> {
  throw new Error('not built yet');
}
