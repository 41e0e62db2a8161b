import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Notes that an import added these contacts, or with `listId` their memberships. */
export async function markImported(
  tx: Db,
  { workspaceId, importId, listId }: { workspaceId: string; importId: string; listId?: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  await (listId === undefined
    ? sql`update contacts set import_id = ${importId}
             where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])`
    : sql`update contact_list_members set import_id = ${importId}
             where workspace_id = ${workspaceId} and list_id = ${listId} and contact_id = any (${[...ids]}::uuid[])`
  ).execute(tx);
}

/** The contacts among these who are on the list. */
export async function membersAmong(
  tx: Db,
  { workspaceId, listId }: { workspaceId: string; listId: string },
  ids: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select contact_id as id from contact_list_members
     where workspace_id = ${workspaceId} and list_id = ${listId} and contact_id = any (${[...ids]}::uuid[])
       and unsubscribed_at is null`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

/** Takes contacts off the list that an import put on it. Returns their ids. */
export async function deleteImportedMembers(
  tx: Db,
  { workspaceId, id }: { workspaceId: string; id: string },
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from contact_list_members where workspace_id = ${workspaceId} and (list_id, contact_id) in (
      select m.list_id, m.contact_id from contact_list_members m
       where m.workspace_id = ${workspaceId} and m.import_id = ${id} and m.unsubscribed_at is null
       order by m.contact_id limit ${limit})
    returning contact_id as id`.execute(tx);
  return rows.map((row) => row.id);
}

/**
 * Removes contacts that an import added, who have not changed since and have been on no other list: those among `ids`,
 * or any. Returns how many.
 */
export async function deleteImportedContacts(
  tx: Db,
  { workspaceId, id, createdAt, ids }: { workspaceId: string; id: string; createdAt: Date; ids?: readonly string[] },
  limit: number,
): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from contacts where workspace_id = ${workspaceId} and id in (
      select c.id from contacts c
       where c.workspace_id = ${workspaceId} and c.import_id = ${id} and c.updated_at = ${createdAt}
         and c.unsubscribed_at is null
         ${ids === undefined ? sql`` : sql`and c.id = any (${[...ids]}::uuid[])`}
         and not exists (select from contact_list_members m where m.workspace_id = ${workspaceId} and m.contact_id = c.id)
       order by c.id limit ${limit} for update)`.execute(tx);
  return Number(numAffectedRows ?? 0);
}

/** Does work in a transaction, and leaves everything as it was: a dry run. */
export async function withoutTrace<T>(tx: Db, work: () => Promise<T>): Promise<T> {
  await sql`savepoint without_trace`.execute(tx);
  const result = await work();
  await sql`rollback to savepoint without_trace`.execute(tx);
  return result;
}
