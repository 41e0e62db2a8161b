import type { Db } from '#platform/db/database.ts';
import { type AppError, forbidden } from '#platform/errors/app-error.ts';
import { listUsage } from '#platform/usage/queries.ts';
import type { Take } from '#platform/usage/take.ts';
import { windowOf } from '#platform/utc-windows.ts';
import type { SenderDomain } from './sender-domain.ts';

const TIERS = ['daily', 'monthly'] as const;
type Tier = (typeof TIERS)[number];

const cappedTiers = (domain: SenderDomain): { tier: Tier; cap: number }[] =>
  TIERS.flatMap((tier) => {
    const cap = domain.caps[tier];
    return cap === null ? [] : [{ tier, cap }];
  });

/**
 * What a send to so many recipients takes from the caps of its domain; empty when it has none. A request that does not
 * fit whole is refused whole.
 */
export function takesOfDomain(workspaceId: string, domain: SenderDomain, recipients: number, now: Date): Take[] {
  const { domainId } = domain;
  if (domainId === null) return [];
  return cappedTiers(domain).map(({ tier, cap }) => ({
    workspaceId,
    subjectId: domainId,
    tier,
    windowStart: windowOf(tier, now).start,
    cap,
    count: recipients,
    refuse: () => capReached(domain, tier, now),
  }));
}

function capReached(domain: SenderDomain, tier: Tier, now: Date): AppError {
  const resets = windowOf(tier, now).resetAt.toISOString().replace('.000Z', 'Z');
  return forbidden(`${tier} limit of ${domain.caps[tier] ?? 0} reached for ${domain.domain}; resets ${resets}`, 'from');
}

/** The sentence a send of this size would be refused with, or undefined when there is room. Takes nothing. */
export async function domainCapProblem(
  db: Db,
  workspaceId: string,
  domain: SenderDomain,
  recipients: number,
  now: Date,
): Promise<string | undefined> {
  const takes = takesOfDomain(workspaceId, domain, recipients, now);
  if (domain.domainId === null || takes.length === 0) return undefined;
  const usage = await listUsage(db, workspaceId, domain.domainId, takes);
  for (const { tier, cap } of cappedTiers(domain)) {
    const used = usage.find((row) => row.tier === tier)?.used ?? 0;
    if (used + recipients > cap) return capReached(domain, tier, now).message;
  }
  return undefined;
}
