import { findWorkspaceZone } from '#features/workspaces';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import type { Db } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { readAnyZone } from '#platform/time/zones.ts';
import type { Broadcast } from './broadcast.ts';

const LEAD_SECONDS_MIN = 30;
const HORIZON_DAYS_MAX = 365;
const DAY_MS = 86_400_000;

/** When a broadcast is to be sent, as it is stored. */
export type Schedule = Pick<Broadcast, 'scheduledFor' | 'timezone' | 'scheduleNote' | 'wallTime'>;

/** A zone by itself: the time stays the same instant. */
export const readBroadcastZone = (timezone: string | null): string | null =>
  timezone === null ? null : readAnyZone('timezone', timezone);

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
  const planned = await readPlannedTime({ param: 'scheduled_for', text, timezone, zoneByDefault, now, anyZone: true });
  requireBounds(now, planned.at);
  const { at: scheduledFor, note: scheduleNote, wallTime } = planned;
  return { scheduledFor, timezone: planned.timezone ?? kept, scheduleNote, wallTime };
}

/** 422 unless the time is 30 seconds to 365 days ahead by the clock of the database, which decides when it has come. */
export async function requireWithinBounds(db: Db, at: Date): Promise<void> {
  requireBounds(new Date(await readDatabaseClock(db)), at);
}

function requireBounds(now: Date, at: Date): void {
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs < LEAD_SECONDS_MIN * 1_000) {
    throw unacceptable(
      'scheduled_for',
      aheadMs < 0
        ? 'scheduled_for has passed. Give a later time, or send the broadcast at once.'
        : `scheduled_for must be at least ${LEAD_SECONDS_MIN} seconds ahead; or send the broadcast at once.`,
    );
  }
  if (aheadMs > HORIZON_DAYS_MAX * DAY_MS) {
    throw unacceptable('scheduled_for', `scheduled_for must be at most ${HORIZON_DAYS_MAX} days ahead.`);
  }
}
