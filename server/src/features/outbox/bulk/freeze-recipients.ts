import type { RawBuilder } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SendKey } from './bulk-send.ts';

/**
 * Selects the next recipients after a cursor (null: from the start), at most `limit`, in ascending order of recipient:
 * columns recipient (the identity of the address, which is also the cursor), recipient_name, subscriber_id.
 */
export type PageOfRecipients = (after: string | null, limit: number) => RawBuilder<unknown>;

/** `busy`: another process is at it, or it is paused. `stopped`: it is not being frozen any more. */
export type Frozen =
  | { outcome: 'page'; recipients: number }
  | { outcome: 'closed'; recipients: number; total: number }
  | { outcome: 'busy' | 'stopped' };

/**
 * Freezes the next page of recipients: one pending email each, unique per address, suppressed ones settled at once. The
 * page and its cursor are one transaction, so whoever is killed leaves a page boundary. The page that is not full closes
 * the freeze.
 */
export async function freezeRecipients(
  _db: Db,
  _key: SendKey,
  _page: PageOfRecipients,
  _limit: number,
): Promise<Frozen> {
  throw new Error('not built yet');
}
