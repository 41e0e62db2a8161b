/**
 * The moves and changes of a scheduled email. Each names in its `where` the state and the version that were read, so
 * that of any number of callers and processes that try one, one makes it.
 */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { wallTimeJson } from '#platform/time/wall-time.ts';
import type { ScheduleTime } from '../schedule-time.ts';
import type { By, ScheduledEmail } from '../scheduled-email.ts';
import type { StoredSend } from '../stored-send.ts';
import { columns } from './columns.ts';

type Seen = Pick<ScheduledEmail, 'workspaceId' | 'id' | 'version'>;

/** Undefined: it is not (any more) as it was seen. */
async function change(tx: Db, seen: Seen, set: RawBuilder<unknown>): Promise<ScheduledEmail | undefined> {
  const { rows } = await sql<ScheduledEmail>`
    update scheduled_emails s set ${set}, version = s.version + 1, updated_at = clock_timestamp()
     where s.workspace_id = ${seen.workspaceId} and s.id = ${seen.id} and s.version = ${seen.version}
       and s.status = 'scheduled'
    returning ${columns}`.execute(tx);
  return rows[0];
}

export interface NewContent extends StoredSend {
  fromDomain: string;
  newsletterId: string | null;
  search: string;
  maxDelaySeconds: number | null;
}

export const updateContent = (tx: Db, seen: Seen, content: NewContent) =>
  change(
    tx,
    seen,
    sql`body = ${JSON.stringify(content.body)}::jsonb, html = ${content.html}, text = ${content.text},
      from_domain = ${content.fromDomain}, newsletter_id = ${content.newsletterId}, search = ${content.search},
      max_delay_seconds = ${content.maxDelaySeconds}`,
  );

export const updateTime = (tx: Db, seen: Seen, time: ScheduleTime) =>
  change(
    tx,
    seen,
    sql`scheduled_for = ${time.scheduledFor}, timezone = ${time.timezone}, schedule_note = ${time.scheduleNote},
      wall_time = ${wallTimeJson(time.wallTime)}::jsonb`,
  );

/** A second from now, by the clock that starts it. */
export const moveToNow = (tx: Db, seen: Seen) =>
  change(
    tx,
    seen,
    sql`scheduled_for = clock_timestamp() + interval '1 second', schedule_note = null, wall_time = null`,
  );

export const markCancelled = (tx: Db, seen: Seen, by: By) =>
  change(
    tx,
    seen,
    sql`status = 'cancelled', cancelled_by = ${JSON.stringify(by)}::jsonb, finished_at = clock_timestamp()`,
  );

/** Its emails are queued, in the same transaction. */
export const markProcessing = (tx: Db, seen: Seen, jobId: string) =>
  change(
    tx,
    seen,
    sql`status = 'processing', job_id = ${jobId}, started_at = clock_timestamp(), look_at = clock_timestamp()`,
  );

/** It never began. */
export const markNotSent = (tx: Db, seen: Seen, fault: { code: string; message: string }) =>
  change(
    tx,
    seen,
    sql`status = 'failed', error = ${fault.message}, error_code = ${fault.code}, finished_at = clock_timestamp()`,
  );
