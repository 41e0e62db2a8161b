import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { SendKey } from '../bulk-send.ts';

/** Holds a send whose emails may be tried again. False: it is another one, or is being frozen or cancelled. */
export async function lockForRetry(tx: Db, { workspaceId, sendId }: SendKey): Promise<boolean> {
  const { rows } = await sql`
    select id from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId} and bulk_state in ('releasing', 'released')
       and cancelled_at is null
       for update`.execute(tx);
  return rows.length > 0;
}

/** Counting goes no further. */
export const RETRYABLE_COUNTED_MAX = 10_000;

/** How many emails of a send `retryPage` would put back, counted up to the bound and one more. */
export async function countRetryable(db: Db, { workspaceId, sendId }: SendKey): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
       where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and e.status = 'failed' and e.sent_at is null
         and s.bulk_state in ('releasing', 'released') and s.cancelled_at is null
       limit ${RETRYABLE_COUNTED_MAX + 1}) as bounded`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Puts a page of refused emails back to be released, as if they had never been queued. Emails that the provider took
 * and then rejected (a virus) stay: it would do so again. `after` steps over what was looked at; null: there is no
 * more.
 */
export async function retryPage(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  page: { after: string | null; limit: number },
): Promise<{ retried: number; last: string | null }> {
  const { rows } = await sql<{ retried: number; last: string | null }>`
    with page as materialized (
      select id from emails
       where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'failed' and sent_at is null
         and (${page.after}::uuid is null or id > ${page.after}::uuid)
       order by workspace_id, send_id, id limit ${page.limit} for update
    ), back as (
      update emails e set status = 'pending', turn = -1, error = null, attempts = 0, first_attempt_at = null,
             handoff_at = null, not_before = null
        from page p where e.workspace_id = ${workspaceId} and e.id = p.id
      returning e.id
    ), reopened as (
      update send_requests set bulk_state = 'releasing', progress_at = clock_timestamp(), settled_at = null
       where workspace_id = ${workspaceId} and id = ${sendId} and exists (select from page)
    )
    select count(*)::integer as retried, (select id from page order by id desc limit 1) as last from back`.execute(tx);
  return rows[0] ?? { retried: 0, last: null };
}
