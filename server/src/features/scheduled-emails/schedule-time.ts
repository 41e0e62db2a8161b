import { findWorkspaceZone } from '#features/workspaces';
import { readDatabaseClock } from '#platform/db/clock-queries.ts';
import type { Db } from '#platform/db/database.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { requireAhead } from '#platform/time/require-ahead.ts';
import type { AskedWallTime } from '#platform/time/wall-time.ts';

const HORIZON_DAYS_MAX = 365;

export interface AskedTime {
  /** The name of its field. */
  param: string;
  text: string;
  timezone: string | null;
  /** The zone that it had before; of wall times without a zone. */
  kept?: string | null;
}

export interface ScheduleTime {
  scheduledFor: Date;
  timezone: string | null;
  scheduleNote: string | null;
  wallTime: AskedWallTime | null;
}

/**
 * Reads when an email is to leave: an instant, `in 2 hours`, or a wall time in its zone, else in the workspace's. 400
 * for what cannot be read; 422 for a time that has passed or lies more than 365 days ahead, by the clock of the
 * database, which is the one that starts it.
 */
export async function readScheduleTime(db: Db, workspaceId: string, asked: AskedTime): Promise<ScheduleTime> {
  const { param, text, timezone, kept = null } = asked;
  const now = new Date(await readDatabaseClock(db));
  const zoneByDefault = kept ?? (await findWorkspaceZone(db, workspaceId));
  const planned = await readPlannedTime({ param, text, timezone, zoneByDefault, now });
  requireAhead(planned.at, { param, now, mostDays: HORIZON_DAYS_MAX, what: 'the email' });
  const { at: scheduledFor, note: scheduleNote, wallTime } = planned;
  return { scheduledFor, timezone: planned.timezone ?? kept, scheduleNote, wallTime };
}
