import { sql } from 'kysely';
import type { UndoCount } from '#features/transfers';
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

/** Which of these addresses the import has added. */
export async function addedAmong(
  tx: Db,
  { workspaceId, importId }: { workspaceId: string; importId: string },
  emails: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from contacts
     where workspace_id = ${workspaceId} and import_id = ${importId} and email = any (${[...emails]}::text[])`.execute(
    tx,
  );
  return rows.map((row) => row.email);
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

/**
 * The contacts whom an undo takes off the list or removes, each once, and those whom the import added and who stay in
 * the workspace: what `deleteImportedMembers` and `deleteImportedContacts` would do.
 */
export async function countImported(
  db: Db,
  { workspaceId, id, createdAt }: { workspaceId: string; id: string; createdAt: Date },
): Promise<UndoCount> {
  const { rows } = await sql<UndoCount>`
    with listed as (
      select m.contact_id as id from contact_list_members m
       where m.workspace_id = ${workspaceId} and m.import_id = ${id} and m.unsubscribed_at is null
    ), added as (
      select c.id, case
        when c.unsubscribed_at is not null or bool_or(m.unsubscribed_at is not null) then 'unsubscribed'
        when count(m.contact_id) > 0 then 'on_other_lists'
        when c.updated_at <> ${createdAt} then 'changed' end as stays
        from contacts c
        left join contact_list_members m on m.workspace_id = ${workspaceId} and m.contact_id = c.id
         and (m.import_id is distinct from ${id}::uuid or m.unsubscribed_at is not null)
       where c.workspace_id = ${workspaceId} and c.import_id = ${id}
       group by c.workspace_id, c.id, c.unsubscribed_at, c.updated_at
    )
    select (select count(*) from (select l.id from listed l union select a.id from added a where a.stays is null) u)
             as removes,
           count(*) filter (where a.stays = 'unsubscribed') as unsubscribed,
           count(*) filter (where a.stays = 'on_other_lists') as on_other_lists,
           count(*) filter (where a.stays = 'changed') as changed
      from added a`.execute(db);
  return rows[0] ?? { removes: 0 };
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
