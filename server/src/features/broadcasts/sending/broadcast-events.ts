import { publishWebhook } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastStats } from '../broadcast-stats.ts';
import { readStats } from '../reading/read-stats.ts';

/** A broadcast has been given to every recipient: in the transaction in which it becomes `sent`. */
export async function publishSent(tx: Db, broadcast: Broadcast): Promise<BroadcastStats> {
  const stats = await readStats(tx, broadcast);
  const data = { broadcast: shown(broadcast, stats) };
  await publishWebhook(tx, { ...about(broadcast, data), type: 'broadcast.sent' });
  return stats;
}

/** Sending a broadcast has ended with an error. */
export async function publishFailed(
  tx: Db,
  broadcast: Broadcast,
  { code, message }: { code: string; message: string },
): Promise<void> {
  const shownBroadcast = shown(broadcast, await readStats(tx, broadcast));
  const data = { broadcast: shownBroadcast, error: { message, code } };
  await publishWebhook(tx, { ...about(broadcast, data), type: 'broadcast.failed' });
}

/** Endpoints and keys that are limited to newsletters are told of a broadcast to theirs, and of no other's. */
function about({ workspaceId, audience: { newsletterId = null } }: Broadcast, data: object) {
  if (newsletterId === null) return { workspaceId, data: { ...data } };
  return { workspaceId, newsletterId, data: { ...data, newsletter: { id: newsletterId } } };
}

const shown = ({ id, name, status, totalRecipients, sentAt }: Broadcast, stats: BroadcastStats) => ({
  id,
  name,
  status,
  total_recipients: totalRecipients,
  sent_at: sentAt,
  stats,
});
