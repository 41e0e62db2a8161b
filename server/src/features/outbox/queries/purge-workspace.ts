import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

export async function insertPurge(tx: Db, workspaceId: string): Promise<void> {
  await sql`insert into purges (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(tx);
}

export async function cancelBulkSends(tx: Db, workspaceId: string): Promise<void> {
  await sql`update send_requests set bulk_state = 'cancelled', cancelled_at = now()
    where workspace_id = ${workspaceId} and bulk_state in ('freezing', 'releasing', 'cancelling')`.execute(tx);
}

/** The emails of paused sends. Emails of bulk sends, perhaps millions, stay: nothing releases them. */
export async function cancelParked(tx: Db, workspaceId: string): Promise<void> {
  await sql`update emails set status = 'cancelled'
    where workspace_id = ${workspaceId} and status = 'pending' and lane < 2`.execute(tx);
}

/**
 * Cancels a page of the emails of this workspace that wait in this status, behind the email `after`. Returns the last
 * one; null: there was none. An email that a worker holds ends with its lease.
 */
export async function cancelPageOfWaiting(
  tx: Db,
  workspaceId: string,
  { status, after, page }: { status: 'queued' | 'deferred'; after: string; page: number },
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    with page as materialized (
      select id from emails
       where workspace_id = ${workspaceId} and status = ${status} and id > ${after}::uuid
       order by id limit ${page} for update
    ), cancelled as (
      update emails e set status = 'cancelled' from page p where e.workspace_id = ${workspaceId} and e.id = p.id
    )
    select (select id from page order by id desc limit 1) as last`.execute(tx);
  return rows[0]?.last ?? null;
}

export async function findPurge(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    select workspace_id as "workspaceId" from purges order by created_at limit 1`.execute(db);
  return rows[0]?.workspaceId;
}

export async function deletePurge(db: Db, workspaceId: string): Promise<void> {
  await sql`delete from purges where workspace_id = ${workspaceId}`.execute(db);
}

/** Removes a page of its emails, with their events and (by cascade) their attempts. Returns how many it found. */
export const deletePageOfEmails = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select id from emails where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from email_events where workspace_id = ${workspaceId} and email_id in (select id from page)`,
    sql`delete from emails where workspace_id = ${workspaceId} and id in (select id from page)`,
  );

/** Tables of the outbox whose rows have an id. Attachments go with their content. */
type PurgedTable = 'send_requests' | 'send_counts' | 'email_counts' | 'link_counts' | 'send_courses' | 'contents';

export const deletePageOf =
  (table: PurgedTable) =>
  (db: Db, workspaceId: string, page: number): Promise<number> =>
    removePage(
      db,
      sql`select id from ${sql.table(table)} where workspace_id = ${workspaceId} limit ${page}`,
      sql`delete from ${sql.table(table)} where workspace_id = ${workspaceId} and id in (select id from page)`,
    );

/** After the counts themselves, which are taken off them. */
export const deletePageOfEighths = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select ctid as place from email_counts_by_eighth where workspace_id = ${workspaceId} limit ${page}`,
    sql`
      delete from email_counts_by_eighth
       where ctid = any (array(select place from page)) and workspace_id = ${workspaceId}`,
  );

export const deletePageOfRedirects = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select send_id, link from link_redirects where workspace_id = ${workspaceId} limit ${page}`,
    sql`
      delete from link_redirects
       where workspace_id = ${workspaceId} and (send_id, link) in (select send_id, link from page)`,
  );

export const deletePageOfLinks = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select send_id from send_links where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from send_links where workspace_id = ${workspaceId} and send_id in (select send_id from page)`,
  );

export const deletePageOfReplaced = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select send_id, content_version from replaced_contents where workspace_id = ${workspaceId} limit ${page}`,
    sql`
      delete from replaced_contents
       where workspace_id = ${workspaceId}
         and (send_id, content_version) in (select send_id, content_version from page)`,
  );

/** A day has about a hundred. */
export const deletePageOfTags = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select day, tag from counted_tags where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from counted_tags where workspace_id = ${workspaceId} and (day, tag) in (select day, tag from page)`,
  );

export const deletePageOfStops = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select audience_id, recipient_id from audience_stops where workspace_id = ${workspaceId} limit ${page}`,
    sql`
      delete from audience_stops
       where workspace_id = ${workspaceId}
         and (audience_id, recipient_id) in (select audience_id, recipient_id from page)`,
  );

export async function deleteBatches(db: Db, workspaceId: string): Promise<void> {
  await sql`delete from batches where workspace_id = ${workspaceId}`.execute(db);
}
