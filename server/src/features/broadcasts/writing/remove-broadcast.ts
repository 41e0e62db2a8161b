import { bulkSends } from '#features/outbox';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getLockedBroadcast } from '../get-broadcast.ts';
import { deleteBroadcast } from '../queries.ts';

/**
 * Deletes a broadcast; the emails that were sent of it stay in the record of emails. Refused while it could still
 * send: a scheduled one and one that is being sent must be cancelled first, and what was released must have left.
 */
export async function removeBroadcast(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const broadcast = await getLockedBroadcast({ ...ctx, db: tx }, id);
    const { status, workspaceId, name } = broadcast;
    if (status === 'scheduled' || status === 'sending') {
      throw conflict(`The broadcast is ${status}. Cancel it before deleting it.`);
    }
    const stats = (await bulkSends.statsOf(tx, workspaceId, [broadcast])).get(broadcast.id);
    if (stats !== undefined && stats.waiting + stats.queued + stats.sending > 0) {
      throw conflict('The last emails of the broadcast are still on their way. Delete it when they have left.');
    }
    await deleteBroadcast(tx, workspaceId, broadcast.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'broadcast.deleted',
      targetType: 'broadcast',
      targetId: broadcast.id,
      details: { name, status },
    });
  });
}
