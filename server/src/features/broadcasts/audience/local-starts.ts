import { AppError } from '#platform/errors/app-error.ts';
import { readWallTime } from '#platform/time/wall-time.ts';
import { readZone } from '#platform/time/zones.ts';
import { type Schedule, wallTimeOf } from '../schedule-time.ts';

/** When a broadcast leaves that is sent at a local time of its recipients. */
export interface LocalStarts {
  /** The instant of the local time in each zone, also where it has passed. */
  instants: ReadonlyMap<string, Date>;
  /** In the order of their times; a part is the place in this list. */
  times: readonly Date[];
  partOfZone: ReadonlyMap<string, number>;
  /** Of recipients without a time zone, and of those with one that nobody knows: the time of the broadcast. */
  partOfOthers: number;
}

/**
 * The instant that the local time of a broadcast means in these zones. A time that has passed is now. Computed by the
 * rules of zones of this process.
 */
export async function localStarts(
  schedule: Schedule,
  { among, now }: { among: readonly string[]; now: Date },
): Promise<LocalStarts> {
  const { scheduledFor, timezone } = schedule;
  const shown = wallTimeOf(schedule);
  if (scheduledFor === null || shown === null) throw new Error('a broadcast at a local time has a time');
  const instants = new Map<string, Date>();
  for (const zone of new Set(among)) {
    const known = zone === timezone ? zone : knownName(zone);
    if (known === undefined) continue;
    // Of a time that comes twice, the second may have been asked for in the zone of the broadcast.
    instants.set(zone, known === timezone ? scheduledFor : (await readWallTime(shown, known)).at);
  }
  const notBefore = (at: Date): number => Math.max(at.getTime(), now.getTime());
  const others = notBefore(scheduledFor);
  const times = [...new Set([...[...instants.values()].map(notBefore), others])].toSorted((a, b) => a - b);
  const partOf = new Map(times.map((time, part) => [time, part]));
  const part = (time: number): number => partOf.get(time) ?? 0; // each of them is in the list
  return {
    instants,
    times: times.map((time) => new Date(time)),
    partOfZone: new Map([...instants].map(([zone, at]) => [zone, part(notBefore(at))])),
    partOfOthers: part(others),
  };
}

/** Zones lose their names to others; a contact may have one from before. */
function knownName(zone: string): string | undefined {
  try {
    return readZone('timezone', zone);
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}
