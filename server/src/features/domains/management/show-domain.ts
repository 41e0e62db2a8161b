import { describeForward } from '#features/webhooks';
import type { Ctx } from '#platform/http/context.ts';
import { listUsage } from '#platform/usage/queries.ts';
import { windowOf } from '#platform/utc-windows.ts';
import type { Domain } from '../domain.ts';
import { domainView } from '../records/domain-view.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import type { CountAccepted } from './change-limits.ts';
import { findTracking } from './queries.ts';

/** A domain with its records, its usage of the current windows, and the tracking of mail from it. */
export async function showDomain(ctx: Ctx, domain: Domain, countAccepted: CountAccepted) {
  const now = ctx.clock.now();
  const [day, month] = [windowOf('daily', now), windowOf('monthly', now)];
  const counts = await listUsage(ctx.db, ctx.workspaceId, domain.id, [
    { tier: 'daily', windowStart: day.start },
    { tier: 'monthly', windowStart: month.start },
  ]);
  // Sends count in the windows of limits alone. Without one, the mail itself is counted, as a first limit begins.
  const used = async (tier: 'daily' | 'monthly', limit: number | null, since: Date): Promise<number> =>
    limit === null
      ? countAccepted(ctx.db, { workspaceId: ctx.workspaceId, domainId: domain.id, since })
      : (counts.find((count) => count.tier === tier)?.used ?? 0);
  return domainView(domain, {
    forward: domain.webhookUrl === null ? null : await describeForward(ctx, domain.id),
    hosts: providerHostsOf(ctx.settings, domain.providerRegion),
    usage: {
      daily: await used('daily', domain.maxDailyEmails, day.start),
      monthly: await used('monthly', domain.maxMonthlyEmails, month.start),
      resets: { daily: day.resetAt, monthly: month.resetAt },
    },
    tracking: await findTracking(ctx.db, ctx.workspaceId),
  });
}
