import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { generateSecret, sealSecret } from './endpoint-secret.ts';
import { type Webhook, WEBHOOKS_MAX, withoutQuery } from './webhook.ts';
import { readEvents, readFilters } from './webhook-input.ts';
import { countWebhooks, insertWebhook, lockCreation } from './webhook-queries.ts';
import type { WebhookPorts } from './wiring.ts';

export interface CreateWebhook {
  url: string;
  events: readonly string[];
  description?: string | null;
  newsletter_ids?: readonly string[];
  domain_ids?: readonly string[];
}

/** Makes an endpoint: events that happen from its commit on are delivered to it. */
export async function createWebhook(ctx: Ctx, input: CreateWebhook, ports: WebhookPorts): Promise<Webhook> {
  const events = readEvents(input.events);
  const filters = await readFilters(ctx, input, ports);
  // Before the transaction: it may ask a name server.
  const url = await ports.safeFetch.checkUrl(input.url, 'url');
  const now = ctx.clock.now();
  const webhook: Webhook = {
    ...filters,
    workspaceId: ctx.workspaceId,
    id: newId(),
    url,
    secret: sealSecret(ctx.secrets, generateSecret()),
    previousSecret: null,
    previousSecretUntil: null,
    events,
    description: input.description ?? null,
    enabled: true,
    disabledReason: null,
    lastSuccessAt: null,
    lastFailureAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await inTransaction(ctx.db, async (tx) => {
    await lockCreation(tx, ctx.workspaceId);
    if ((await countWebhooks(tx, ctx.workspaceId)) >= WEBHOOKS_MAX) {
      throw conflict(`A workspace can have ${WEBHOOKS_MAX} webhooks. Delete one that is not needed any more.`);
    }
    await insertWebhook(tx, webhook);
    await recordSecurityEvent(tx, ctx, {
      action: 'webhook.created',
      targetType: 'webhook',
      targetId: webhook.id,
      details: {
        url: withoutQuery(url),
        events,
        domain_ids: filters.domainIds,
        newsletter_ids: filters.newsletterIds,
      },
    });
  });
  return webhook;
}
