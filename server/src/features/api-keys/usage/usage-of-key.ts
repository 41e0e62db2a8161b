import type { Db } from '#platform/db/database.ts';
import { listUsage } from '#platform/usage/queries.ts';
import { TIERS, type Tier, windowOf } from '#platform/utc-windows.ts';
import type { KeyLimits } from '../api-key.ts';

export interface TierUsage {
  tier: Tier;
  /** 0: unlimited. */
  limit: number;
  remaining: number;
  resetAt: Date;
}

/** The value of "remaining" if nothing is limited: a number that no client runs out of. Such tiers are not counted. */
const UNLIMITED_REMAINING = 2_147_483_647;

/** How much of each tier a key has left, shortest window first. */
export async function usageOf(
  db: Db,
  key: { workspaceId: string; id: string; limits: KeyLimits },
  now: Date,
): Promise<TierUsage[]> {
  const windows = TIERS.map((tier) => ({ tier, windowStart: windowOf(tier, now).start }));
  const limited = windows.filter(({ tier }) => key.limits[tier] > 0);
  const rows = limited.length === 0 ? [] : await listUsage(db, key.workspaceId, key.id, limited);
  return TIERS.map((tier) => {
    const limit = key.limits[tier];
    const used = rows.find((row) => row.tier === tier)?.used ?? 0;
    const remaining = limit === 0 ? UNLIMITED_REMAINING : Math.max(0, limit - used);
    return { tier, limit, remaining, resetAt: windowOf(tier, now).resetAt };
  });
}

/** The limited tier with the least left; of equals the shortest window. Undefined when none is limited. */
export function tightest(usage: readonly TierUsage[]): TierUsage | undefined {
  return usage
    .filter((one) => one.limit > 0)
    .reduce<TierUsage | undefined>(
      (least, one) => (least === undefined || one.remaining < least.remaining ? one : least),
      undefined,
    );
}
