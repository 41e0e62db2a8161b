import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { EmailEvents } from '../events/email-events.ts';
import { getWebhook } from '../get-webhook.ts';
import type { Delivery } from './delivery.ts';
import { getDelivery } from './get-delivery.ts';
import { hastenDelivery, insertReplayOfDelivery } from './queries/replay.ts';

/**
 * Delivers an event once more: the same id and bytes, with a full round of attempts, as a delivery of its own (what
 * was recorded stays as it is). One that still waits is only moved to now. Not while the endpoint is disabled, nor
 * for tests.
 */
export async function replayDelivery(
  ctx: Ctx,
  emailEvents: EmailEvents,
  webhookId: string,
  id: string,
): Promise<Delivery> {
  const webhook = await getWebhook(ctx, webhookId);
  const delivery = await getDelivery(ctx, webhookId, id);
  if (!webhook.enabled) throw conflict('This webhook is disabled. Enable it first.');
  if (delivery.isTest) throw conflict('This was a test. Send another one with POST /v1/webhooks/:id/test.');
  const of = { workspaceId: ctx.workspaceId, webhookId: webhook.id };
  const queued = await inTransaction(ctx.db, async (tx) => {
    if (await hastenDelivery(tx, of, delivery.id)) return delivery.id;
    const isOfEmail = (await emailEvents.load(tx, [{ ...of, eventId: delivery.eventId }])).length > 0;
    return insertReplayOfDelivery(tx, of, delivery.id, { isKept: isOfEmail });
  });
  if (queued === undefined) throw conflict('The event is no longer kept, so it cannot be delivered again.');
  return getDelivery(ctx, webhookId, queued);
}
