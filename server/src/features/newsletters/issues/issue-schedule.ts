import type { Db } from '#platform/db/database.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import { readPlannedTime } from '#platform/time/planned-time.ts';
import { readZone } from '#platform/time/zones.ts';
import type { Newsletter } from '../newsletter.ts';
import type { Issue } from './issue.ts';
import { readDatabaseTime } from './queries.ts';

const LEAD_SECONDS_MIN = 30;
const HORIZON_DAYS_MAX = 30;

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
  requireBounds(now, planned.at);
  const timezone = input.timezone === null ? planned.timezone : (planned.timezone ?? kept);
  return { scheduledFor: planned.at, timezone, scheduleNote: planned.note, wallTime: planned.wallTime };
}

/**
 * 422 unless the time is at least 30 seconds and at most 30 days away by the database's clock, which is the one that
 * decides when it has come.
 */
export async function requireWithinBounds(db: Db, at: Date): Promise<void> {
  requireBounds(await readDatabaseTime(db), at);
}

function requireBounds(now: Date, at: Date): void {
  const aheadMs = at.getTime() - now.getTime();
  if (aheadMs < LEAD_SECONDS_MIN * 1_000) {
    throw unacceptable(
      'scheduled_for',
      aheadMs < 0
        ? 'scheduled_for has passed. Give a later time, or send the issue at once.'
        : `scheduled_for must be at least ${LEAD_SECONDS_MIN} seconds ahead; or send the issue at once.`,
    );
  }
  if (aheadMs > HORIZON_DAYS_MAX * 86_400_000) {
    throw unacceptable('scheduled_for', `scheduled_for must be at most ${HORIZON_DAYS_MAX} days ahead.`);
  }
}

/** A zone by itself: the time stays the same instant. */
export const readIssueZone = (timezone: string | null): string | null =>
  timezone === null ? null : readZone('timezone', timezone);
