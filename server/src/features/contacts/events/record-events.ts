import type { Db } from '#platform/db/database.ts';
import { deleteOldestNames, type ReportedEvent, upsertEvents } from './event-queries.ts';

/**
 * Keeps of each event that it happened, for the segments, when its person is a contact. Call it before the transaction
 * holds anything of these people: it holds the contacts, in the order of their ids.
 */
export async function recordEvents(tx: Db, events: readonly ReportedEvent[]): Promise<void> {
  if (events.length === 0) return;
  const added = await upsertEvents(tx, events);
  if (added.length > 0) await deleteOldestNames(tx, added);
}
