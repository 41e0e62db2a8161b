import type { Ctx } from '#platform/http/context.ts';
import type { SendLimits } from '#platform/http/ports.ts';
import type { Take } from '#platform/usage/take.ts';
import { windowOf } from '#platform/utc-windows.ts';
import { limitReached } from './limit-reached.ts';
import { type TierUsage, tightest, usageOf } from './usage-of-key.ts';

/** The limits of the caller's key that the HTTP layer shows: the headers, and the 429 of a full tier. */
export async function readSendLimits(ctx: Ctx): Promise<SendLimits | undefined> {
  const key = ctx.actor.apiKey;
  if (key === null) return undefined;
  const now = ctx.clock.now();
  const tier = tightest(await usageOf(ctx.db, key, now));
  if (tier === undefined) return undefined;
  return { headers: headersOf(tier), exceeded: () => (tier.remaining > 0 ? undefined : limitReached(tier, now)) };
}

/**
 * The same headers without a look at the database, from what the windows of the takes of an accepted send count now.
 * Takes of other limits may stand among them. Empty when nothing limits the key, or when it is not known yet.
 */
export function headersOfTakes(
  ctx: Pick<Ctx, 'actor'>,
  takes: readonly Take[],
  used: readonly number[],
): Record<string, string> {
  const tiers = takes.flatMap(({ subjectId, tier, cap, windowStart }, index) => {
    const count = used[index];
    if (count === undefined || subjectId !== ctx.actor.apiKey?.id) return [];
    const { resetAt } = windowOf(tier, windowStart);
    return [{ tier, limit: cap, remaining: Math.max(0, cap - count), resetAt }];
  });
  const tier = tightest(tiers);
  return tier === undefined ? {} : headersOf(tier);
}

const headersOf = (tier: TierUsage): Record<string, string> => ({
  'x-ratelimit-limit': String(tier.limit),
  'x-ratelimit-remaining': String(tier.remaining),
  // Seconds, while resetAt of the error is ISO and retryAfter a duration: one instant in three forms.
  'x-ratelimit-reset': String(tier.resetAt.getTime() / 1_000),
  'x-ratelimit-tier': tier.tier,
});
