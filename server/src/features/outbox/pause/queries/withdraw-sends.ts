import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { LIST_SOURCES } from '#mail/email-sources.ts';

/**
 * Marks the sends of these issues that still have mail to hand over, so that no claim takes it. For a bulk send its
 * counts answer this; reading its emails would read all of them.
 */
export async function markSendsOfIssuesCancelled(
  tx: Db,
  workspaceId: string,
  issueIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update send_requests r set cancelled_at = now()
     where r.workspace_id = ${workspaceId} and r.issue_id = any (${[...issueIds]}::uuid[]) and r.cancelled_at is null
       and case when r.bulk_state is null
             then exists (
               select from emails e where e.workspace_id = r.workspace_id and e.send_id = r.id
                  and e.status in ('pending', 'queued', 'deferred', 'sending', 'unconfirmed'))
             else r.bulk_state in ('freezing', 'releasing', 'cancelling') or (
               select sum(c.waiting + c.queued + c.sending + c.unconfirmed) > 0 from send_counts c
                where c.workspace_id = r.workspace_id and c.send_id = r.id) end
    returning r.id`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Cancels a page of the queued emails of these sends, in the order of their ids. The claim would cancel them when
 * their turn comes. Changing the rows adds two guarantees: this statement waits for a claim that is under way and
 * has not seen the withdrawal, and a later claim with an old snapshot finds the rows changed. Returns how many were
 * found.
 */
export async function cancelQueuedOfSends(
  db: Db,
  workspaceId: string,
  sendIds: readonly string[],
  limit: number,
): Promise<number> {
  const { rows } = await sql`
    with page as materialized (
      select e.id from emails e
       where e.workspace_id = ${workspaceId} and e.status = 'queued' and e.send_id = any (${[...sendIds]}::uuid[])
       order by e.id limit ${limit} for update of e
    )
    update emails e set status = 'cancelled', error = 'cancelled', not_before = null, last_event_at = clock_timestamp()
      from page p where e.workspace_id = ${workspaceId} and e.id = p.id
    returning e.id`.execute(db);
  return rows.length;
}

/** Whether a worker holds an email of these sends. Reads along the leases, of which there are few. */
export async function isBeingHandedOver(db: Db, workspaceId: string, sendIds: readonly string[]): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from emails e
       where e.status = 'sending' and e.lease_until > clock_timestamp() and e.workspace_id = ${workspaceId}
         and e.send_id = any (${[...sendIds]}::uuid[])) as found`.execute(db);
  return rows[0]?.found ?? false;
}

/**
 * Cancels the waiting emails of a page of single sends (confirmations, tests) of a newsletter, behind `after`. Mail
 * that somebody sent in its name was accepted by itself, and stays. Returns the last send of the page, or null if
 * there is none. The claim cancels the rest of its bulk sends. An email that a worker is claiming is waited for, and
 * then left as it is.
 */
export async function cancelPageOfNewsletter(
  db: Db,
  workspaceId: string,
  newsletterId: string,
  page: { after: string; limit: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    with page as materialized (
      select r.id, r.bulk_state from send_requests r
       where r.workspace_id = ${workspaceId} and r.newsletter_id = ${newsletterId} and r.source = any(${LIST_SOURCES})
         and r.id > ${page.after}::uuid
       order by r.id limit ${page.limit}
    ), waiting as materialized (
      select e.workspace_id, e.id, e.send_id from page p
        join emails e on e.workspace_id = ${workspaceId} and e.send_id = p.id and e.status in ('queued', 'deferred')
       where p.bulk_state is null
       order by e.id for update of e
    ), marked as (
      update send_requests r set cancelled_at = now() from waiting w
       where r.workspace_id = ${workspaceId} and r.id = w.send_id and r.cancelled_at is null
    ), cancelled as (
      update emails e set status = 'cancelled', not_before = null, last_event_at = clock_timestamp()
        from waiting w where e.workspace_id = w.workspace_id and e.id = w.id
    )
    select (select id from page order by id desc limit 1) as last`.execute(db);
  return rows[0]?.last ?? null;
}
