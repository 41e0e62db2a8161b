import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { generateSecret, sealSecret } from './endpoint-secret.ts';
import { type Webhook, WEBHOOKS_MAX, withoutQuery } from './webhook.ts';
import { type Filters, readEvents, readFilters, requireReadable } from './webhook-input.ts';
import { countWebhooks, insertWebhook, lockCreation } from './webhook-queries.ts';
import type { WebhookPorts } from './wiring.ts';

export interface CreateWebhook {
  url: string;
  events: readonly string[];
  enabled?: boolean;
  description?: string | null;
  newsletter_ids?: readonly string[];
  domain_ids?: readonly string[];
}

/** The input as it is stored. */
export interface ReadWebhook extends Filters {
  events: string[];
  url: string;
}

/** Reads and judges the input. It may ask a name server, so it comes before any transaction. */
export async function readWebhook(ctx: Ctx, input: CreateWebhook, ports: WebhookPorts): Promise<ReadWebhook> {
  const events = readEvents(input.events);
  requireReadable(ctx.actor, events);
  const filters = await readFilters(ctx, input, ports);
  return { ...filters, events, url: await ports.safeFetch.checkUrl(input.url, 'url') };
}

/** Makes an endpoint: events that happen from its commit on are delivered to it, while it is enabled. */
export async function createWebhook(ctx: Ctx, input: CreateWebhook, read: ReadWebhook): Promise<Webhook> {
  const { events, url, ...filters } = read;
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
    enabled: input.enabled ?? true,
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
        enabled: webhook.enabled,
        domain_ids: filters.domainIds,
        newsletter_ids: filters.newsletterIds,
      },
    });
  });
  return webhook;
}
