import { findWorkspaceZone } from '#features/workspaces';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import type { Db } from '#platform/db/database.ts';
import { localTimeIn } from '#platform/time/local-time.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { type Ahead, requireAhead } from '#platform/time/require-ahead.ts';
import { readZone } from '#platform/time/zones.ts';
import type { Broadcast } from './broadcast.ts';

const BOUNDS = {
  param: 'scheduled_for',
  leastSeconds: 30,
  mostDays: 365,
  what: 'the broadcast',
} satisfies Partial<Ahead>;

/** When a broadcast is to be sent, as it is stored. */
export type Schedule = Pick<Broadcast, 'scheduledFor' | 'timezone' | 'scheduleNote' | 'wallTime'>;

/** The local time at which a broadcast with `recipient_timezone` is to leave; null: no time is set. */
export const wallTimeOf = ({ scheduledFor, timezone, wallTime }: Schedule): string | null =>
  scheduledFor && (wallTime?.shown ?? localTimeIn(timezone ?? 'UTC', scheduledFor));

/** The same of a text that only asks: the time may have passed. */
export async function readLocalTime(
  db: Db,
  workspaceId: string,
  { local_time: text, timezone = null }: { local_time: string; timezone?: string | null | undefined },
): Promise<Schedule> {
  const zoneByDefault = await findWorkspaceZone(db, workspaceId);
  const planned = await readPlannedTime({ param: 'local_time', text, timezone, zoneByDefault });
  return { scheduledFor: planned.at, timezone: planned.timezone, scheduleNote: null, wallTime: planned.wallTime };
}

/** No zone is further ahead of UTC: Pacific/Kiritimati. */
const AHEAD_MAX_HOURS = 14;

/** When a local time can begin somewhere in the world, and not before now: from then on the worker looks. */
export function firstLookAt(
  broadcast: Schedule & Pick<Broadcast, 'recipientTimezone' | 'status' | 'updatedAt'>,
): Date | null {
  const shown = wallTimeOf(broadcast);
  if (!broadcast.recipientTimezone || broadcast.status !== 'scheduled' || shown === null) return null;
  const first = new Date(`${shown}Z`).getTime() - AHEAD_MAX_HOURS * 3_600_000;
  return new Date(Math.max(first, broadcast.updatedAt.getTime()));
}

/** A zone by itself: the time stays the same instant. */
export const readBroadcastZone = (timezone: string | null): string | null =>
  timezone === null ? null : readZone('timezone', timezone);

export interface ScheduleInput {
  scheduled_for: string;
  timezone?: string | null | undefined;
}

/**
 * Reads when it is to be sent: an instant, `in 2 hours`, or a wall time in `timezone`, else in the zone it had, else
 * in the workspace's. 400 for what cannot be read, 422 for a time that is too near or too far.
 */
export async function readSchedule(
  db: Db,
  workspaceId: string,
  { scheduled_for: text, timezone = null }: ScheduleInput,
  kept: string | null = null,
): Promise<Schedule> {
  const now = new Date(await readDatabaseClock(db));
  const zoneByDefault = kept ?? (await findWorkspaceZone(db, workspaceId));
  const planned = await readPlannedTime({ param: 'scheduled_for', text, timezone, zoneByDefault, now });
  requireAhead(planned.at, { ...BOUNDS, now });
  const { at: scheduledFor, note: scheduleNote, wallTime } = planned;
  return { scheduledFor, timezone: planned.timezone ?? kept, scheduleNote, wallTime };
}

/** 422 unless the time is 30 seconds to 365 days ahead by the clock of the database, which decides when it has come. */
export async function requireWithinBounds(db: Db, at: Date): Promise<void> {
  requireAhead(at, { ...BOUNDS, now: new Date(await readDatabaseClock(db)) });
}
