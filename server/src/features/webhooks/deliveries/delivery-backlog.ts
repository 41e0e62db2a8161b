import type { Db } from '#platform/db/database.ts';
import { oldestDueSeconds } from './queries/due-deliveries.ts';

/** How long the delivery waits that has been due longest, in seconds; replays and disabled endpoints do not count. */
export async function deliveryBacklogSeconds(db: Db): Promise<number> {
  return oldestDueSeconds(db);
}
