import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

export async function insertContactPurge(tx: Db, workspaceId: string): Promise<void> {
  await sql`insert into contact_purges (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(tx);
}

export async function findContactPurge(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    -- every workspace: a deleted one has nobody else to remove its rows
    select workspace_id as "workspaceId" from contact_purges order by created_at limit 1`.execute(db);
  return rows[0]?.workspaceId;
}

/**
 * Removes a page of the contacts, opt-outs and bulk changes of a deleted workspace. Returns how many it found: 0 is the
 * end, and no other process has any of them in hand.
 */
export async function deletePageOfContacts(db: Db, workspaceId: string, page: number): Promise<number> {
  const contacts = await removePage(
    db,
    sql`select id from contacts where workspace_id = ${workspaceId} order by id limit ${page}`,
    sql`delete from contacts where workspace_id = ${workspaceId} and id in (select id from page)`,
  );
  const optOuts = await removePage(
    db,
    sql`select address_hash, list_id from contact_opt_outs where workspace_id = ${workspaceId} limit ${page}`,
    sql`
      delete from contact_opt_outs
       where workspace_id = ${workspaceId} and (address_hash, list_id) in (select address_hash, list_id from page)`,
  );
  const changes = await removePage(
    db,
    sql`select job_id, contact_id from contact_bulk_changes where workspace_id = ${workspaceId} limit ${page}`,
    sql`
      delete from contact_bulk_changes
       where workspace_id = ${workspaceId} and (job_id, contact_id) in (select job_id, contact_id from page)`,
  );
  return contacts + optOuts + changes;
}

/** The last step: nothing of the workspace is left. Its lists have no members any more. */
export async function endContactPurge(tx: Db, workspaceId: string): Promise<void> {
  await sql`delete from contact_lists where workspace_id = ${workspaceId}`.execute(tx);
  await sql`delete from contact_bulk_jobs where workspace_id = ${workspaceId}`.execute(tx);
  await sql`delete from contact_segments where workspace_id = ${workspaceId}`.execute(tx);
  await sql`delete from contact_purges where workspace_id = ${workspaceId}`.execute(tx);
}
