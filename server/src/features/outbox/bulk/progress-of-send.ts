import type { Db } from '#platform/db/database.ts';
import type { SendKey } from './bulk-send.ts';

/** How a bulk send stands, and why it does not move when it does not. */
export interface BulkProgress {
  state: 'freezing' | 'releasing' | 'sending' | 'waiting' | 'paused' | 'cancelling' | 'cancelled' | 'done';
  /** A sentence for people; null: it moves, or there is nothing left to move. */
  reason: string | null;
  /** Since when the reason holds, as far as is known. */
  since: Date | null;
}

/** null: there is no such bulk send. */
export async function progressOfSend(_db: Db, _key: SendKey): Promise<BulkProgress | null> {
  throw new Error('not built yet');
}
