import type { Db } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { findWebhook, lockWebhook } from './webhook-queries.ts';
import { isWithinKey, type Webhook } from './webhook.ts';

/** An endpoint that the caller may know of; not found otherwise, also for a key that is limited to other domains. */
export async function getWebhook(ctx: Pick<Ctx, 'actor' | 'db' | 'workspaceId'>, id: string): Promise<Webhook> {
  return known(ctx, id, await findWebhook(ctx.db, ctx.workspaceId, id));
}

/** The same, held until the transaction ends. */
export async function getLockedWebhook(ctx: Ctx, tx: Db, id: string): Promise<Webhook> {
  return known(ctx, id, await lockWebhook(tx, ctx.workspaceId, id));
}

function known(ctx: Pick<Ctx, 'actor'>, id: string, webhook: Webhook | undefined): Webhook {
  if (webhook === undefined || !isWithinKey(ctx.actor, webhook)) throw notFound('webhook', id);
  return webhook;
}
