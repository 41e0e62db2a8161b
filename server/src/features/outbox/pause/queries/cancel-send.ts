import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { hasNotBegun } from '../../queries/has-not-begun.ts';

/** Marks the request, so that an email which comes back from an attempt is not sent after all. False: no such job. */
export async function markSendCancelled(db: Db, workspaceId: string, jobId: string): Promise<boolean> {
  const { rows } = await sql`
    update send_requests set cancelled_at = coalesce(cancelled_at, now())
     where workspace_id = ${workspaceId} and id = ${jobId} returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Cancels what has not begun. A row that a worker works on at this moment is waited for, and left alone when its
 * hand-off has begun: an email is either cancelled here or handed over there, never both and never neither. Rows are
 * locked in the order of their ids, like everywhere.
 */
export async function cancelWaitingEmails(db: Db, workspaceId: string, jobId: string): Promise<void> {
  await sql`
    with waiting as materialized (
      select e.workspace_id, e.id from emails e
       where e.workspace_id = ${workspaceId} and e.send_id = ${jobId} and ${hasNotBegun}
       order by e.id for update
    )
    update emails e set status = 'cancelled', not_before = null, lease_token = null, lease_until = null, last_event_at = clock_timestamp()
      from waiting w where e.workspace_id = w.workspace_id and e.id = w.id`.execute(db);
}

export async function countCancelled(
  db: Db,
  workspaceId: string,
  jobId: string,
): Promise<{ cancelled: number; alreadySent: number }> {
  const { rows } = await sql<{ cancelled: number; alreadySent: number }>`
    select count(*) filter (where status = 'cancelled')::integer as cancelled,
           count(*) filter (where status not in ('cancelled', 'suppressed', 'failed'))::integer as "alreadySent"
      from emails where workspace_id = ${workspaceId} and send_id = ${jobId}`.execute(db);
  return rows[0] ?? { cancelled: 0, alreadySent: 0 };
}
