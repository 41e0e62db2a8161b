import { rateLimited } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { SendLimits } from '#platform/http/ports.ts';
import { type TierUsage, tightest, usageOf } from './usage-of-key.ts';

const PER: Record<TierUsage['tier'], string> = { hourly: 'an hour', daily: 'a day', monthly: 'a month' };

/** What the HTTP layer shows of the limits of the caller's key: the headers, and the 429 of a full tier. */
export async function readSendLimits(ctx: Ctx): Promise<SendLimits | undefined> {
  const key = ctx.actor.apiKey;
  if (key === null) return undefined;
  const now = ctx.clock.now();
  const tier = tightest(await usageOf(ctx.db, key, now));
  if (tier === undefined) return undefined;
  return {
    headers: {
      'x-ratelimit-limit': String(tier.limit),
      'x-ratelimit-remaining': String(tier.remaining),
      // Seconds, while resetAt of the error is ISO and retryAfter a duration: one instant in three forms.
      'x-ratelimit-reset': String(tier.resetAt.getTime() / 1_000),
      'x-ratelimit-tier': tier.tier,
    },
    exceeded() {
      if (tier.remaining > 0) return undefined;
      const retryAfterSeconds = Math.max(1, Math.ceil((tier.resetAt.getTime() - now.getTime()) / 1_000));
      return rateLimited(`This key may send ${tier.limit} requests ${PER[tier.tier]}; that many were accepted.`, {
        retryAfterSeconds,
        resetAt: tier.resetAt,
      });
    },
  };
}
