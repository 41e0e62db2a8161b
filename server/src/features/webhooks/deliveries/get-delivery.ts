import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { getWebhook } from '../get-webhook.ts';
import type { Delivery } from './delivery.ts';
import { findDelivery } from './queries/list-deliveries.ts';

/** A delivery of an endpoint that the caller may know of, with what was sent and what came back. */
export async function getDelivery(ctx: Ctx, webhookId: string, id: string): Promise<Delivery> {
  const webhook = await getWebhook(ctx, webhookId);
  const delivery = await findDelivery(ctx.db, { workspaceId: ctx.workspaceId, webhookId: webhook.id }, id);
  if (delivery === undefined) throw notFound('delivery', id);
  return delivery;
}
