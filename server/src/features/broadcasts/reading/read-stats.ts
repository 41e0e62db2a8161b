import { bulkSends } from '#features/outbox';
import type { Db } from '#platform/db/database.ts';
import type { Broadcast } from '../broadcast.ts';
import { type BroadcastStats, statsView } from '../broadcast-stats.ts';

/** The statistics of a broadcast at this moment. */
export async function readStats(db: Db, broadcast: Broadcast): Promise<BroadcastStats> {
  const { workspaceId, id, skippedUnsubscribed } = broadcast;
  return statsView((await bulkSends.statsOf(db, workspaceId, [broadcast])).get(id), skippedUnsubscribed);
}
