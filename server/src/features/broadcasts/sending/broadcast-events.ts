import { publishWebhook } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastStats } from '../broadcast-stats.ts';
import { readStats } from '../reading/read-stats.ts';

/** A broadcast has been given to every recipient: in the transaction in which it becomes `sent`. */
export async function publishSent(tx: Db, broadcast: Broadcast): Promise<BroadcastStats> {
  const stats = await readStats(tx, broadcast);
  const { workspaceId } = broadcast;
  await publishWebhook(tx, { workspaceId, type: 'broadcast.sent', data: { broadcast: shown(broadcast, stats) } });
  return stats;
}

/** Sending a broadcast has ended with an error. */
export async function publishFailed(
  tx: Db,
  broadcast: Broadcast,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const shownBroadcast = shown(broadcast, await readStats(tx, broadcast));
  const { workspaceId } = broadcast;
  const data = { broadcast: shownBroadcast, error: { message, code } };
  await publishWebhook(tx, { workspaceId, type: 'broadcast.failed', data });
}

const shown = ({ id, name, status, totalRecipients, sentAt }: Broadcast, stats: BroadcastStats) => ({
  id,
  name,
  status,
  total_recipients: totalRecipients,
  sent_at: sentAt,
  stats,
});
