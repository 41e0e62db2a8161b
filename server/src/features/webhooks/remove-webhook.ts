import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getLockedWebhook } from './get-webhook.ts';
import { withoutQuery } from './webhook.ts';
import { deleteWebhook } from './webhook-queries.ts';

/**
 * Removes an endpoint. Its deliveries stay until they are 30 days old,
 * like all others: without their endpoint nobody can read or send them, and removing a million of them here would keep
 * the caller waiting.
 */
export async function removeWebhook(ctx: Ctx, id: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const webhook = await getLockedWebhook(ctx, tx, id);
    await deleteWebhook(tx, ctx.workspaceId, webhook.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'webhook.deleted',
      targetType: 'webhook',
      targetId: webhook.id,
      details: { url: withoutQuery(webhook.url) },
    });
  });
}
