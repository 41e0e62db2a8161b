import { type AppError, rateLimited } from '#platform/errors/app-error.ts';
import type { TierUsage } from './usage-of-key.ts';

const PER: Record<TierUsage['tier'], string> = { hourly: 'an hour', daily: 'a day', monthly: 'a month' };

/** The 429 of a tier that is full. */
export function limitReached(full: Pick<TierUsage, 'tier' | 'limit' | 'resetAt'>, now: Date): AppError {
  const retryAfterSeconds = Math.max(1, Math.ceil((full.resetAt.getTime() - now.getTime()) / 1_000));
  const requests = full.limit === 1 ? '1 request' : `${full.limit} requests`;
  const message =
    `This key may send ${requests} ${PER[full.tier]}; that many were accepted. Wait until ` +
    `${full.resetAt.toISOString()}, or raise limits.${full.tier} in the dashboard. A key cannot raise its own limits.`;
  return rateLimited(message, { retryAfterSeconds, resetAt: full.resetAt });
}
