import { sql } from 'kysely';
import { type Db, inTransaction } from '#platform/db/database.ts';
import { deleteUnusedChunks } from './chunk-queries.ts';

export const FIRST_ID = '00000000-0000-0000-0000-000000000000';
export const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** The next workspace that has captured mail. A deleted workspace may still have parts of some. */
export async function findWorkspaceAfter(db: Db, after: string): Promise<string | undefined> {
  const { rows } = await sql<{ workspaceId: string | null }>`
    -- every workspace: a step along the primary keys finds the next one
    select least(
      (select workspace_id from captured_emails where workspace_id > ${after} order by workspace_id, id limit 1),
      (select workspace_id from captured_chunks where workspace_id > ${after} order by workspace_id, hash limit 1)
    ) as "workspaceId"`.execute(db);
  return rows[0]?.workspaceId ?? undefined;
}

export async function countBytes(db: Db, workspaceId: string): Promise<number> {
  const { rows } = await sql<{ bytes: string }>`
    select (select coalesce(sum(octet_length(mime)), 0) from captured_emails where workspace_id = ${workspaceId})
         + (select coalesce(sum(octet_length(bytes)), 0) from captured_chunks where workspace_id = ${workspaceId})
           as bytes`.execute(db);
  return Number(rows[0]?.bytes ?? 0);
}

export interface PageGone {
  emails: number;
  bytes: number;
}

/**
 * Removes a page of the oldest messages with an id below `before`, no more of them than make room for `bytes` bytes,
 * and the parts that no other message uses. A part is counted with the newest message that has it, since it goes with
 * that.
 */
export const deleteOldest = (
  db: Db,
  workspaceId: string,
  { before, bytes, page }: { before: string; bytes: number; page: number },
): Promise<PageGone> =>
  inTransaction(db, async (tx) => {
    const { rows } = await sql<{ emails: number; bytes: string; hashes: string[] }>`
      with page as materialized (
        select id, octet_length(mime) as bytes from captured_emails
         where workspace_id = ${workspaceId} and id < ${before}
         order by id limit ${page} for update skip locked
      ), parts as (
        select u.captured_id, sum(octet_length(c.bytes)) as bytes
          from (select distinct p.captured_id, p.hash from page
                  join captured_parts p on p.workspace_id = ${workspaceId} and p.captured_id = page.id) as u
          join captured_chunks c on c.workspace_id = ${workspaceId} and c.hash = u.hash
         where not exists (select from captured_parts newer
                            where newer.workspace_id = ${workspaceId} and newer.hash = u.hash
                              and newer.captured_id > u.captured_id)
         group by u.captured_id
      ), room as (
        select id, page.bytes,
               sum(page.bytes + coalesce(parts.bytes, 0)) over (order by id)
                 - page.bytes - coalesce(parts.bytes, 0) as earlier
          from page left join parts on parts.captured_id = page.id
      ), gone as materialized (
        select id, bytes from room where earlier < ${bytes}
      ), deleted as (
        delete from captured_emails k using gone where k.workspace_id = ${workspaceId} and k.id = gone.id
      )
      select (select count(*)::integer from gone) as emails, (select coalesce(sum(bytes), 0) from gone) as bytes,
             array(select distinct encode(p.hash, 'hex') from gone
                     join captured_parts p on p.workspace_id = ${workspaceId} and p.captured_id = gone.id) as hashes`.execute(
      tx,
    );
    const [gone] = rows;
    const freed = await deleteUnusedChunks(tx, workspaceId, gone?.hashes ?? []);
    return { emails: gone?.emails ?? 0, bytes: Number(gone?.bytes ?? 0) + freed };
  });

/** A page of the parts behind `after` (hex), and which of them no message uses. */
export async function findUnused(
  db: Db,
  workspaceId: string,
  after: string,
  page: number,
): Promise<{ unused: string[]; last: string | null }> {
  const { rows } = await sql<{ hash: string; isUsed: boolean }>`
    select encode(c.hash, 'hex') as hash,
           exists (select from captured_parts p where p.workspace_id = ${workspaceId} and p.hash = c.hash) as "isUsed"
      from captured_chunks c
     where c.workspace_id = ${workspaceId} and c.hash > decode(${after}, 'hex')
     order by c.hash limit ${page}`.execute(db);
  const unused = rows.filter((row) => !row.isUsed).map((row) => row.hash);
  return { unused, last: rows.length < page ? null : (rows.at(-1)?.hash ?? null) };
}
