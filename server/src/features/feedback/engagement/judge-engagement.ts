import type { Db } from '#platform/db/database.ts';
import type { ProviderEvent } from '../queries/lock-waiting-events.ts';

/**
 * Completes the opens and clicks of a round: whether a machine made them and why (a burst of clicks is only seen here,
 * where its clicks come together), and which is the first of its email. Other events stay as they are.
 */
export async function judgeEngagement(_tx: Db, events: readonly ProviderEvent[]): Promise<ProviderEvent[]> {
  return [...events];
}
