import type { RawBuilder } from 'kysely';
import type { Actor } from '#platform/http/context.ts';
import { TIERS, windowOf } from '#platform/utc-windows.ts';
import { takeFromWindows } from './queries.ts';

/**
 * A statement to put into the WITH of the one that stores what is sent: it counts `count` send requests against every
 * tier of the key that has a limit, or raises SQLSTATE PH429 and so undoes everything. It is an INSERT, which runs
 * whether or not anybody reads it. Null when nothing limits the caller: a dashboard user, or a key without limits.
 * Tiers are taken shortest first, so the first full one is also the one that the X-RateLimit headers name.
 */
export function reserveSends(actor: Pick<Actor, 'apiKey'>, count: number, now: Date): RawBuilder<unknown> | null {
  const key = actor.apiKey;
  if (key === null) return null;
  const takes = TIERS.filter((tier) => key.limits[tier] > 0).map((tier) => ({
    tier,
    windowStart: windowOf(tier, now).start,
    cap: key.limits[tier],
  }));
  return takes.length === 0 ? null : takeFromWindows(key.workspaceId, key.id, takes, count);
}
