import type { RawBuilder } from 'kysely';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import { listZones } from '#platform/time/zones.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import type { Schedule } from '../schedule-time.ts';
import { COUNTED_MAX } from './audience-queries.ts';
import { choosePeople } from './choose-people.ts';
import { type LocalStarts, localStarts } from './local-starts.ts';
import { countZones } from './zones-queries.ts';

/** When a broadcast leaves, for how many. */
export interface Start {
  at: Date;
  recipients: number;
}

/** How a broadcast at a local time would leave with the audience of now. */
export interface PlannedStarts {
  starts: Start[];
  /** The first local time of somebody in the audience, also one that has passed; null: nobody is in it. */
  first: Date | null;
  withoutTimezone: number;
  /** In every zone there is, for the recipients, who are written by it: contacts may have changed theirs meanwhile. */
  everywhere: () => Promise<LocalStarts>;
}

type Planned = Schedule & Pick<Broadcast, 'id' | 'audience' | 'followUpOf'>;
type Asking = Pick<BroadcastsCtx, 'db' | 'workspaceId' | 'clock'>;

interface Counting {
  /** As they are chosen already. */
  people?: RawBuilder<unknown>;
  /** A preview counts the first million; null: everybody, so that no zone is missed. */
  max?: number | null;
}

/** One statement over the audience, and the instants of its zones. */
export async function planStarts(
  ctx: Asking,
  broadcast: Planned,
  { people, max = COUNTED_MAX + 1 }: Counting = {},
): Promise<PlannedStarts> {
  const found = await countZones(ctx.db, ctx.workspaceId, people ?? (await choosePeople(ctx, broadcast)), max);
  const now = new Date(await readDatabaseClock(ctx.db));
  const given = found.flatMap(({ zone }) => zone ?? []);
  const zones = await localStarts(broadcast, { among: given, now });
  const recipients = new Map<number, number>();
  let withoutTimezone = 0;
  let first: Date | null = null;
  for (const { zone, people: count } of found) {
    const own = zone === null ? undefined : zones.partOfZone.get(zone);
    if (own === undefined) withoutTimezone += count;
    const at = (zone === null ? undefined : zones.instants.get(zone)) ?? broadcast.scheduledFor;
    if (at !== null && (first === null || at < first)) first = at;
    const part = own ?? zones.partOfOthers;
    recipients.set(part, (recipients.get(part) ?? 0) + count);
  }
  const starts = zones.times.flatMap((at, part) => {
    const count = recipients.get(part);
    return count === undefined ? [] : [{ at, recipients: count }];
  });
  const everywhere = () => localStarts(broadcast, { among: [...listZones(), ...given], now });
  return { starts, first, withoutTimezone, everywhere };
}
