import type { RawBuilder } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { sqlStateOf } from '#platform/db/database-errors.ts';
import { type AppError, forbidden } from '#platform/errors/app-error.ts';
import { windowOf } from '#platform/utc-windows.ts';
import { listCapUsage, takeFromCaps } from './queries.ts';
import type { SenderDomain } from './sender-domain.ts';

/** SQLSTATE of a reservation that found no room. */
const CAP_REACHED = 'PH403';

const TIERS = ['daily', 'monthly'] as const;
type Tier = (typeof TIERS)[number];

const cappedTiers = (domain: SenderDomain): { tier: Tier; cap: number }[] =>
  TIERS.flatMap((tier) => {
    const cap = domain.caps[tier];
    return cap === null ? [] : [{ tier, cap }];
  });

/**
 * A statement to put into the WITH of the one that stores the emails: takes room for `recipients` in the windows of
 * the domain, or raises and so undoes everything. null when the domain has no cap.
 */
export function reserveDomainCap(
  workspaceId: string,
  domain: SenderDomain,
  recipients: number,
  now: Date,
): RawBuilder<unknown> | null {
  const windows = cappedTiers(domain).map(({ tier, cap }) => ({ tier, cap, windowStart: windowOf(tier, now).start }));
  if (domain.domainId === null || windows.length === 0) return null;
  return takeFromCaps(workspaceId, domain.domainId, { windows, recipients, refusal: CAP_REACHED });
}

/** Turns the error of a reservation that found no room into the answer for the caller; any other error is undefined. */
export function domainCapError(error: unknown, domain: SenderDomain, now: Date): AppError | undefined {
  if (sqlStateOf(error) !== CAP_REACHED) return undefined;
  const tier: Tier = error instanceof Error && error.message.includes('monthly') ? 'monthly' : 'daily';
  return capReached(domain, tier, now);
}

function capReached(domain: SenderDomain, tier: Tier, now: Date): AppError {
  const resets = windowOf(tier, now).resetAt.toISOString().replace('.000Z', 'Z');
  return forbidden(`${tier} limit of ${domain.caps[tier] ?? 0} reached for ${domain.domain}; resets ${resets}`, 'from');
}

/** The sentence a send of this size would be refused with, or undefined when there is room. Reserves nothing. */
export async function domainCapProblem(
  db: Db,
  workspaceId: string,
  domain: SenderDomain,
  recipients: number,
  now: Date,
): Promise<string | undefined> {
  const tiers = cappedTiers(domain);
  if (domain.domainId === null || tiers.length === 0) return undefined;
  const windows = { daily: windowOf('daily', now).start, monthly: windowOf('monthly', now).start };
  const usage = await listCapUsage(db, workspaceId, domain.domainId, windows);
  for (const { tier, cap } of tiers) {
    const used = usage.find((row) => row.tier === tier)?.used ?? 0;
    if (used + recipients > cap) return capReached(domain, tier, now).message;
  }
  return undefined;
}
