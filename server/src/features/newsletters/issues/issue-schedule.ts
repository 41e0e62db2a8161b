import type { Db } from '#platform/db/database.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { type Ahead, requireAhead } from '#platform/time/require-ahead.ts';
import { readZone } from '#platform/time/zones.ts';
import type { Newsletter } from '../newsletter.ts';
import type { Issue } from './issue.ts';
import { readDatabaseTime } from './queries.ts';

const BOUNDS = { param: 'scheduled_for', leastSeconds: 30, mostDays: 30, what: 'the issue' } satisfies Partial<Ahead>;

/** When an issue is to be sent, as it is stored. */
export type Schedule = Pick<Issue, 'scheduledFor' | 'timezone' | 'scheduleNote' | 'wallTime'>;

export interface ScheduleInput {
  scheduled_for: string;
  timezone?: string | null;
}

/**
 * Reads when an issue is to be sent: an instant, `in 2 hours`, or a wall time in `timezone`, else in that of the
 * issue, else in the newsletter's. 400 for what cannot be read, 422 for a time that is too near or too far.
 */
export async function readSchedule(
  db: Db,
  newsletter: Newsletter,
  input: ScheduleInput,
  kept: string | null = null,
): Promise<Schedule> {
  const now = await readDatabaseTime(db);
  const planned = await readPlannedTime({
    param: 'scheduled_for',
    text: input.scheduled_for,
    timezone: input.timezone ?? null,
    zoneByDefault: kept ?? newsletter.timezone,
    now,
  });
  requireAhead(planned.at, { ...BOUNDS, now });
  const timezone = input.timezone === null ? planned.timezone : (planned.timezone ?? kept);
  return { scheduledFor: planned.at, timezone, scheduleNote: planned.note, wallTime: planned.wallTime };
}

/**
 * 422 unless the time is at least 30 seconds and at most 30 days away by the database's clock, which is the one that
 * decides when it has come.
 */
export async function requireWithinBounds(db: Db, at: Date): Promise<void> {
  requireAhead(at, { ...BOUNDS, now: await readDatabaseTime(db) });
}

/** A zone by itself: the time stays the same instant. */
export const readIssueZone = (timezone: string | null): string | null =>
  timezone === null ? null : readZone('timezone', timezone);
