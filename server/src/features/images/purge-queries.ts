import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';

/** Removes a page of images that were deleted so many days ago, with their files. Returns how many. */
export async function deleteLapsedImages(db: Db, days: number, page: number): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    -- every workspace: time passes everywhere
    with due as materialized (
      select workspace_id, id from images where deleted_at < now() - make_interval(days => ${days})
       order by deleted_at limit ${page} for update skip locked
    ), gone as (
      delete from images i using due d where i.workspace_id = d.workspace_id and i.id = d.id
      returning i.workspace_id, i.stored_bytes
    ), freed as (
      select workspace_id, count(*) as images, sum(stored_bytes) as bytes from gone group by workspace_id
    ), counted as (
      update image_usage u set images = u.images - f.images, bytes = u.bytes - f.bytes
        from freed f where u.workspace_id = f.workspace_id
    )
    select count(*) as deleted from gone`.execute(db);
  return rows[0]?.deleted ?? 0;
}

export async function insertImagePurge(tx: Db, workspaceId: string): Promise<void> {
  await sql`insert into image_purges (workspace_id) values (${workspaceId}) on conflict do nothing`.execute(tx);
}

export async function findImagePurge(db: Db): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string }>`
    -- every workspace: a deleted one has nobody else to remove its rows
    select workspace_id as "workspaceId" from image_purges order by created_at limit 1`.execute(db);
  return rows[0]?.workspaceId;
}

/** Removes a page of the images of a deleted workspace. Returns how many it found. */
export const deletePageOfImages = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select id from images where workspace_id = ${workspaceId} order by id limit ${page}`,
    sql`delete from images where workspace_id = ${workspaceId} and id in (select id from page)`,
  );

/** The last step: nothing of the workspace is left. */
export async function endImagePurge(tx: Db, workspaceId: string): Promise<void> {
  await sql`delete from image_usage where workspace_id = ${workspaceId}`.execute(tx);
  await sql`delete from image_purges where workspace_id = ${workspaceId}`.execute(tx);
}
