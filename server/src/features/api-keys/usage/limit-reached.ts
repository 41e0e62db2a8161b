import { type AppError, rateLimited } from '#platform/errors/app-error.ts';
import type { TierUsage } from './usage-of-key.ts';

const PER: Record<TierUsage['tier'], string> = { hourly: 'an hour', daily: 'a day', monthly: 'a month' };

/** The 429 of a tier that is full. */
export function limitReached(full: Pick<TierUsage, 'tier' | 'limit' | 'resetAt'>, now: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((full.resetAt.getTime() - now.getTime()) / 1_000));
  return rateLimited(`This key may send ${full.limit} requests ${PER[full.tier]}; that many were accepted.`, {
    retryAfterSeconds,
    resetAt: full.resetAt,
  });
}
