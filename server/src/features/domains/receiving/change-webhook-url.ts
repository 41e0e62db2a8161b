import { forwardSecret, setForward } from '#features/webhooks';
import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SafeFetch } from '#platform/safe-fetch/safe-fetch.ts';
import type { Domain } from '../domain.ts';
import { getDomain, getLockedDomain } from '../get-domain.ts';
import { updateWebhookUrl } from './queries.ts';

/** Judges the address. It may ask a name server, so it comes before any transaction. */
export async function readWebhookUrl(
  ctx: Ctx,
  id: string,
  given: string | null,
  safeFetch: SafeFetch,
): Promise<string | null> {
  await getDomain(ctx, id);
  if (given === null) return null;
  const url = await safeFetch.checkUrl(given, 'webhookUrl');
  if ([ctx.settings.publicUrl, ctx.settings.dashboardUrl].some((own) => isSameServer(new URL(own), new URL(url)))) {
    throw unacceptable('webhookUrl', 'webhookUrl leads to Posthorn itself, which would send the mail in a circle.');
  }
  return url;
}

/** Behind another port of the host a proxy leads to the same. On one machine other programs have other ports. */
function isSameServer(own: URL, given: URL): boolean {
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(own.hostname);
  return isHere ? own.host === given.host : own.hostname === given.hostname;
}

/** Forwards received mail of a domain to this address from now on; null: nowhere. */
export async function changeWebhookUrl(
  ctx: Ctx,
  id: string,
  url: string | null,
): Promise<{ webhookUrl: string | null; secret: string | null }> {
  return inTransaction(ctx.db, async (tx) => {
    const current = await getLockedDomain(ctx, tx, id);
    await setForward(tx, ctx, { domainId: id, url });
    if (url !== current.webhookUrl) await recordChange(ctx, tx, current, url);
    return { webhookUrl: url, secret: await forwardSecret(ctx, tx, id) };
  });
}

async function recordChange(ctx: Ctx, tx: Db, current: Domain, url: string | null): Promise<void> {
  const { id } = current;
  await updateWebhookUrl(tx, { workspaceId: ctx.workspaceId, id, url });
  await recordSecurityEvent(tx, ctx, {
    action: 'domain.webhook_changed',
    targetType: 'domain',
    targetId: id,
    details: {
      domain: current.domain,
      changes: { webhook_url: { before: withoutQuery(current.webhookUrl), after: withoutQuery(url) } },
    },
  });
}

/** A query may hold a secret of the receiver. */
const withoutQuery = (url: string | null): string | null => url?.split('?', 1)[0] ?? null;
