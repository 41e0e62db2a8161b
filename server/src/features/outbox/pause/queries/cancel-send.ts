import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Marks the request, so that an email which comes back from an attempt is not sent after all. False: no such job. */
export async function markSendCancelled(db: Db, workspaceId: string, jobId: string): Promise<boolean> {
  const { rows } = await sql`
    update send_requests set cancelled_at = coalesce(cancelled_at, now())
     where workspace_id = ${workspaceId} and id = ${jobId} returning id`.execute(db);
  return rows.length > 0;
}

/**
 * Cancels what still waits. A row that a worker is claiming at this moment is waited for and then left alone, so an
 * email is either cancelled here or handed over there, never both and never neither. Rows are locked in the order of
 * their ids, like everywhere.
 */
export async function cancelWaitingEmails(db: Db, workspaceId: string, jobId: string): Promise<void> {
  await sql`
    with waiting as materialized (
      select workspace_id, id from emails
       where workspace_id = ${workspaceId} and send_id = ${jobId} and status in ('pending', 'queued', 'deferred')
       order by id for update
    )
    update emails e set status = 'cancelled', not_before = null, last_event_at = clock_timestamp()
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
