import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { generateSecret, sealSecret } from './endpoint-secret.ts';
import { getLockedWebhook } from './get-webhook.ts';
import type { Webhook } from './webhook.ts';
import { updateWebhook } from './webhook-queries.ts';

/**
 * Gives an endpoint a new secret. For the overlap every delivery carries a signature by each of the two, so that a
 * receiver can change over at any moment of it; 0 ends the old secret at once, which is what a leaked one needs.
 * Rotating again within the overlap ends the oldest of the three.
 */
export async function rotateSecret(ctx: Ctx, id: string, overlapSeconds: number): Promise<Webhook> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedWebhook(ctx, tx, id);
    const now = ctx.clock.now();
    const until = overlapSeconds === 0 ? null : new Date(now.getTime() + overlapSeconds * 1_000);
    const rotated: Webhook = {
      ...current,
      secret: sealSecret(ctx.secrets, generateSecret()),
      previousSecret: until === null ? null : current.secret,
      previousSecretUntil: until,
      updatedAt: now,
    };
    await updateWebhook(tx, rotated);
    await recordSecurityEvent(tx, ctx, {
      action: 'webhook.secret_rotated',
      targetType: 'webhook',
      targetId: current.id,
      details: { overlap_seconds: overlapSeconds },
    });
    return rotated;
  });
}
