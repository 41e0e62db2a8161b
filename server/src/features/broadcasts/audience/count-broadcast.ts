import { unacceptable } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { readLocalTime } from '../schedule-time.ts';
import { type AudienceCount, COUNTED_MAX, countAudience } from './audience-queries.ts';
import { choosePeople } from './choose-people.ts';
import { planStarts, type Start } from './plan-starts.ts';

/** The people who would get a broadcast now; of one at a local time of its recipients, with the instants. */
export interface CountedBroadcast extends AudienceCount {
  /** null: everybody at once, or no time is set. */
  starts: Start[] | null;
  withoutTimezone: number | null;
}

interface Asked {
  local_time?: string | undefined;
  timezone?: string | undefined;
}

/** `asked`: with this local time instead of the one of the broadcast. */
export async function countBroadcast(
  ctx: BroadcastsCtx,
  broadcast: Broadcast,
  asked: Asked = {},
): Promise<CountedBroadcast> {
  const people = await choosePeople(ctx, broadcast, { counting: true });
  const counted = await countAudience(ctx.db, broadcast.workspaceId, people);
  const timed = await withAsked(ctx, broadcast, asked);
  if (timed === null) return { ...counted, starts: null, withoutTimezone: null };
  const { starts, withoutTimezone } = await planStarts(ctx, timed, { people });
  return { ...counted, starts, withoutTimezone };
}

/** The broadcast with the time that is asked about; null: it is at no local time. */
async function withAsked(ctx: BroadcastsCtx, broadcast: Broadcast, asked: Asked): Promise<Broadcast | null> {
  const { local_time, timezone } = asked;
  if (local_time !== undefined) {
    const zone = timezone ?? broadcast.timezone;
    return { ...broadcast, ...(await readLocalTime(ctx.db, ctx.workspaceId, { local_time, timezone: zone })) };
  }
  if (timezone !== undefined) throw unacceptable('timezone', 'timezone is read beside local_time only.');
  return broadcast.recipientTimezone && broadcast.scheduledFor !== null ? broadcast : null;
}

export const countedView = ({
  total,
  suppressed,
  unsubscribed,
  willSend,
  starts,
  withoutTimezone,
}: CountedBroadcast) => ({
  total,
  suppressed,
  unsubscribed,
  will_send: willSend,
  is_estimate: total > COUNTED_MAX,
  starts,
  without_timezone: withoutTimezone,
});
