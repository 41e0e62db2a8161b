import { describeForward } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { Ctx } from '#platform/http/context.ts';
import { listUsage } from '#platform/usage/queries.ts';
import { windowOf } from '#platform/utc-windows.ts';
import type { Domain } from '../domain.ts';
import { domainView } from '../records/domain-view.ts';
import { providerHostsOf } from '../records/provider-hosts.ts';
import { findTracking } from './queries.ts';

/** Recipients from a domain that were accepted since each of these times; of very many, at least so many. */
export type CountAcceptedAbout = (
  db: Db,
  of: { workspaceId: string; domainId: string; sinces: readonly Date[] },
) => Promise<{ totals: number[]; isEstimate: boolean }>;

/** A domain with its records, its usage of the current windows, and the tracking of mail from it. */
export async function showDomain(ctx: Ctx, domain: Domain, countAcceptedAbout: CountAcceptedAbout) {
  const now = ctx.clock.now();
  const [day, month] = [windowOf('daily', now), windowOf('monthly', now)];
  const counts = await listUsage(ctx.db, ctx.workspaceId, domain.id, [
    { tier: 'daily', windowStart: day.start },
    { tier: 'monthly', windowStart: month.start },
  ]);
  const usedOf = (tier: 'daily' | 'monthly'): number => counts.find((count) => count.tier === tier)?.used ?? 0;
  // Sends count in the windows of limits alone. Without one, the mail itself is counted, as a first limit begins.
  const { maxDailyEmails, maxMonthlyEmails } = domain;
  const isCounted = maxDailyEmails !== null && maxMonthlyEmails !== null;
  const sinces = [month.start, day.start];
  const about = isCounted
    ? { totals: [], isEstimate: false }
    : await countAcceptedAbout(ctx.db, { workspaceId: ctx.workspaceId, domainId: domain.id, sinces });
  const [sinceMonth = 0, sinceDay = 0] = about.totals;
  return domainView(domain, {
    forward: domain.webhookUrl === null ? null : await describeForward(ctx, domain.id),
    hosts: providerHostsOf(ctx.settings, domain.providerRegion),
    usage: {
      daily: maxDailyEmails === null ? sinceDay : usedOf('daily'),
      monthly: maxMonthlyEmails === null ? sinceMonth : usedOf('monthly'),
      isEstimate: about.isEstimate,
      resets: { daily: day.resetAt, monthly: month.resetAt },
    },
    tracking: await findTracking(ctx.db, ctx.workspaceId),
  });
}
