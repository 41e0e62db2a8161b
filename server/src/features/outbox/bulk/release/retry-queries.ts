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
