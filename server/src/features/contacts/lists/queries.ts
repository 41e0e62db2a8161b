import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { likeAnywhere } from '#platform/db/like-pattern.ts';
import { type ContactList, LIST } from './list.ts';

const columns = LIST.columns('l');

export async function findList(db: Db, workspaceId: string, id: string): Promise<ContactList | undefined> {
  const { rows } = await sql<ContactList>`
    select ${columns} from contact_lists l where l.workspace_id = ${workspaceId} and l.id = ${id}`.execute(db);
  return rows[0];
}

/** The same, held until the transaction ends. */
export async function lockList(tx: Db, workspaceId: string, id: string): Promise<ContactList | undefined> {
  const { rows } = await sql<ContactList>`
    select ${columns} from contact_lists l
     where l.workspace_id = ${workspaceId} and l.id = ${id} for update`.execute(tx);
  return rows[0];
}

/** Transactions that create lists in this workspace run one after another. */
export async function lockCreation(tx: Db, workspaceId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`contact lists ${workspaceId}`}, 17))`.execute(tx);
}

export async function insertList(tx: Db, list: ContactList): Promise<void> {
  await sql`
    insert into contact_lists (workspace_id, id, name, description, created_at, updated_at)
    values (${list.workspaceId}, ${list.id}, ${list.name}, ${list.description}, ${list.createdAt}, ${list.updatedAt})`.execute(
    tx,
  );
}

export async function updateList(tx: Db, list: ContactList): Promise<void> {
  await sql`
    update contact_lists set name = ${list.name}, description = ${list.description}, updated_at = ${list.updatedAt}
     where workspace_id = ${list.workspaceId} and id = ${list.id}`.execute(tx);
}

export async function deleteList(tx: Db, workspaceId: string, id: string): Promise<void> {
  await sql`delete from contact_lists where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Newest first. */
export async function pageOfLists(
  db: Db,
  workspaceId: string,
  asked: { search: string | null; after: string | null; offset: number; limit: number },
): Promise<ContactList[]> {
  const { rows } = await sql<ContactList>`
    select ${columns} from contact_lists l
     where l.workspace_id = ${workspaceId}
       and (${asked.search}::text is null or l.name ilike ${likeAnywhere(asked.search ?? '')})
       and (${asked.after}::uuid is null or l.id < ${asked.after}::uuid)
     order by l.id desc limit ${asked.limit + 1} offset ${asked.offset}`.execute(db);
  return rows;
}

export async function countLists(db: Db, workspaceId: string, search: string | null): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*)::integer as total from contact_lists l
     where l.workspace_id = ${workspaceId}
       and (${search}::text is null or l.name ilike ${likeAnywhere(search ?? '')})`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The ids among these that name no list of the workspace. */
export async function missingLists(db: Db, workspaceId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from contact_lists where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])`.execute(db);
  const there = new Set(rows.map(({ id }) => id));
  return new Set(ids.filter((id) => !there.has(id)));
}
