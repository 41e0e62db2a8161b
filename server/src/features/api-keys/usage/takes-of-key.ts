import type { Actor } from '#platform/http/context.ts';
import type { Take } from '#platform/usage/take.ts';
import { TIERS, windowOf } from '#platform/utc-windows.ts';
import { limitReached } from './limit-reached.ts';

/**
 * What one send request takes from the limits of the caller's key: a place in every tier that is limited, the shortest
 * window first, so the first full one is also the one that the X-RateLimit headers name. Empty when nothing limits the
 * caller: a dashboard user, or a key without limits.
 */
export function takesOfKey(actor: Pick<Actor, 'apiKey'>, now: Date): Take[] {
  const key = actor.apiKey;
  if (key === null) return [];
  return TIERS.filter((tier) => key.limits[tier] > 0).map((tier) => {
    const { start, resetAt } = windowOf(tier, now);
    const cap = key.limits[tier];
    return {
      workspaceId: key.workspaceId,
      subjectId: key.id,
      tier,
      windowStart: start,
      cap,
      count: 1,
      refuse: () => limitReached({ tier, limit: cap, resetAt }, now),
    };
  });
}
