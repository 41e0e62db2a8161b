import { withThousands } from '#platform/english.ts';
import { answerPage, EXACT_TOTAL_MAX, listEnvelope, readPage } from '#platform/http/paging.ts';
import { type Route, route } from '#platform/http/route.ts';
import type { EmailEvents } from '../events/email-events.ts';
import { getWebhook } from '../get-webhook.ts';
import { deliveryView, maxAttemptsOf } from './delivery.ts';
import { getDelivery } from './get-delivery.ts';
import { listAllDeliveries } from './list-all-deliveries.ts';
import { countDeliveries, pageDeliveries } from './queries/list-deliveries.ts';
import { replayDelivery } from './replay-delivery.ts';
import { readReplay, REPLAY_BOUNDS, replayRange } from './replay-range.ts';
import * as schemas from './schemas.ts';
import { askedType } from './asked-type.ts';

const TAG = 'Webhooks';

export const deliveryRoutes = (emailEvents: EmailEvents): Route[] => [
  route({
    method: 'GET',
    path: '/v1/webhook-deliveries',
    id: 'list_all_webhook_deliveries',
    tag: TAG,
    summary: 'List deliveries of all webhooks',
    description:
      'Deliveries of the last 30 days to every webhook that you may see, newest first. A page ends after 10,000 ' +
      'deliveries that were looked at, even when it is short or empty: continue while `has_more` is true.',
    access: { scope: 'webhooks:read' },
    query: schemas.AllDeliveriesQuery,
    response: listEnvelope(schemas.DeliveryRecord),
    handler: async (ctx, { query, request }) => {
      const page = readPage(query);
      const { rows, goOnAfter } = await listAllDeliveries(ctx, query, page);
      const views = rows.map((row) => deliveryView(row, maxAttemptsOf(ctx.settings)));
      return answerPage(page, views, { total: null, url: request.url, goOnAfter });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries',
    id: 'list_webhook_deliveries',
    tag: TAG,
    summary: 'List deliveries of a webhook',
    description: 'Deliveries of the last 30 days, newest first, each with its attempts, its body and the last answer.',
    access: { scope: 'webhooks:read' },
    params: schemas.WebhookParams,
    query: schemas.DeliveriesQuery,
    response: listEnvelope(schemas.DeliveryRecord),
    errors: [404],
    handler: async (ctx, { params, query, request }) => {
      const page = readPage(query); // what cannot be read is 400 whatever else is wrong
      const eventType = askedType(query);
      const of = { workspaceId: ctx.workspaceId, webhookId: (await getWebhook(ctx, params.id)).id };
      const filter = { status: query.status ?? null, eventType };
      const rows = await pageDeliveries(ctx.db, of, { ...page, ...filter });
      const max = EXACT_TOTAL_MAX + 1;
      const total = page.after === null ? await countDeliveries(ctx.db, of, { ...filter, max }) : null;
      const views = rows.map((row) => deliveryView(row, maxAttemptsOf(ctx.settings)));
      return answerPage(page, views, { total, url: request.url, totalIsEstimate: total === max });
    },
  }),
  route({
    method: 'GET',
    path: '/v1/webhooks/:id/deliveries/:deliveryId',
    id: 'get_webhook_delivery',
    tag: TAG,
    summary: 'Read a delivery',
    description: 'Includes the body that is sent and the last answer.',
    access: { scope: 'webhooks:read' },
    params: schemas.DeliveryParams,
    response: schemas.DeliveryRecord,
    errors: [404],
    handler: async (ctx, { params }) =>
      deliveryView(await getDelivery(ctx, params.id, params.deliveryId), maxAttemptsOf(ctx.settings)),
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/:id/deliveries/:deliveryId/replay',
    id: 'replay_webhook_delivery',
    tag: TAG,
    summary: 'Deliver an event again',
    description:
      'Makes a new delivery with the same event id and body, and with all attempts. The answer is that ' +
      'delivery. If the old delivery is still waiting, it is tried now instead. 409 for a disabled webhook, a ' +
      'test, and an event that is no longer kept.',
    access: { scope: 'webhooks:write' },
    status: 202,
    params: schemas.DeliveryParams,
    response: schemas.DeliveryRecord,
    errors: [404, 409],
    handler: async (ctx, { params }) =>
      deliveryView(await replayDelivery(ctx, emailEvents, params.id, params.deliveryId), maxAttemptsOf(ctx.settings)),
  }),
  route({
    method: 'POST',
    path: '/v1/webhooks/:id/replay',
    id: 'replay_webhook',
    tag: TAG,
    summary: 'Deliver the events of a range again',
    description:
      'Use this to catch up after an outage. New events have priority; one attempt in five is reserved for ' +
      `replays. One call queues at most ${withThousands(REPLAY_BOUNDS.queuedMax)} deliveries. If \`has_more\` ` +
      'is true, call again with `next_cursor`. 409 for a disabled webhook.',
    access: { scope: 'webhooks:write' },
    status: 202,
    params: schemas.WebhookParams,
    body: { json: schemas.ReplayBody, read: readReplay },
    example: { body: { since: '2026-11-20T00:00:00Z' } },
    response: schemas.Replayed,
    errors: [404, 409],
    outsideTransaction: true,
    handler: async (ctx, { params, body }) => {
      const { queued, hasMore, nextCursor } = await replayRange(ctx, emailEvents, params.id, body);
      return { queued, has_more: hasMore, next_cursor: nextCursor };
    },
  }),
];
