import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { isPaused } from '../../queries/what-stops.ts';
import type { BulkState, SendKey } from '../bulk-send.ts';

/** Waits for a page that is being frozen or released, and holds the send. undefined: there is no such bulk send. */
export async function lockForCancel(tx: Db, { workspaceId, sendId }: SendKey): Promise<BulkState | undefined> {
  const { rows } = await sql<{ state: BulkState }>`
    select bulk_state as state from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId} and bulk_state is not null for update`.execute(tx);
  return rows[0]?.state;
}

export async function markCancelling(tx: Db, { workspaceId, sendId }: SendKey): Promise<void> {
  await sql`
    update send_requests r set bulk_state = 'cancelling', freeze_cursor = null, progress_at = clock_timestamp(),
           total = coalesce((select sum(c.total) from send_counts c
                              where c.workspace_id = ${workspaceId} and c.send_id = r.id), 0)
     where r.workspace_id = ${workspaceId} and r.id = ${sendId}`.execute(tx);
}

/**
 * What of it will still be handed over: what was released, and what is being handed over. Of a paused or withdrawn send
 * the claim lets nothing out of the queue, so it is the latter alone; of one that is paused at a limit it is both.
 */
export async function countUnderWay(tx: Db, { workspaceId, sendId }: SendKey): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select coalesce(sum(c.sending + case when ${isPaused} or r.cancelled_at is not null then 0 else c.queued end),
             0)::integer as n
      from send_requests r
      join send_counts c on c.workspace_id = r.workspace_id and c.send_id = r.id
     where r.workspace_id = ${workspaceId} and r.id = ${sendId}`.execute(tx);
  return rows[0]?.n ?? 0;
}

/** Settles a page of what will never be sent, which begins with the email `from`. Returns how many. */
export async function cancelPageOfPending(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  { limit, from }: { limit: number; from: string },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with page as materialized (
      select id from emails
       where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'pending' and id >= ${from}::uuid
       order by id limit ${limit} for update
    ), cancelled as (
      update emails e set status = 'cancelled', not_before = null, last_event_at = clock_timestamp()
        from page p where e.workspace_id = ${workspaceId} and e.id = p.id
      returning e.id
    ), moved as (
      update send_requests set progress_at = clock_timestamp()
       where workspace_id = ${workspaceId} and id = ${sendId} and exists (select from page)
    )
    select count(*)::integer as n from cancelled`.execute(tx);
  return rows[0]?.n ?? 0;
}

export async function markCancelled(tx: Db, { workspaceId, sendId }: SendKey): Promise<void> {
  await sql`
    update send_requests set bulk_state = 'cancelled', progress_at = clock_timestamp()
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(tx);
}
