import type { Static } from 'typebox';
import type { Ctx } from '#platform/http/context.ts';
import type { PageRequest } from '#platform/http/paging.ts';
import { isWithinKey } from '../webhook.ts';
import { listWebhooks } from '../webhook-queries.ts';
import { askedType } from './asked-type.ts';
import { pageOfAllDeliveries } from './queries/all-deliveries.ts';
import type { AllDeliveriesQuery } from './schemas.ts';

const instant = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

/** Deliveries of every endpoint that the caller may know of. */
export async function listAllDeliveries(ctx: Ctx, query: Static<typeof AllDeliveriesQuery>, page: PageRequest) {
  const eventType = askedType(query);
  const known = (await listWebhooks(ctx.db, ctx.workspaceId)).filter((one) => isWithinKey(ctx.actor, one));
  const asked = known.filter(({ id }) => query.webhook_id === undefined || query.webhook_id === id);
  if (asked.length === 0) return { rows: [], goOnAfter: null };
  const filter = {
    status: query.status ?? null,
    eventType,
    webhookIds: asked.map(({ id }) => id),
    since: instant(query.since),
    until: instant(query.until),
  };
  return pageOfAllDeliveries(ctx.db, ctx.workspaceId, filter, page);
}
