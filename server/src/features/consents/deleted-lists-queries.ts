import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { CONSENT, type Consent, type List } from './consent.ts';
import { DELETED_LIST, type DeletedList } from './deleted-list.ts';

/** From now on the consents of the list outlast it. The caller deletes the list in the same transaction. */
export async function keepConsentsOfList(tx: Db, { workspaceId, listId }: List, name: string, at: Date): Promise<void> {
  await sql`
    insert into deleted_lists (workspace_id, id, name, deleted_at) values (${workspaceId}, ${listId}, ${name}, ${at})
    on conflict do nothing`.execute(tx);
}

/** The consents of the deleted lists of a workspace that is deleted itself are removed with the next round. */
export async function forgetDeletedLists(tx: Db, workspaceId: string): Promise<void> {
  await sql`update deleted_lists set deleted_at = '-infinity' where workspace_id = ${workspaceId}`.execute(tx);
}

export interface DeletedListsAsked {
  workspaceId: string;
  /** Only these; empty: all. */
  ids: readonly string[];
}

/** Newest first. */
export async function pageDeletedLists(
  db: Db,
  { workspaceId, ids }: DeletedListsAsked,
  page: { limit: number; offset: number; after: string | null },
): Promise<DeletedList[]> {
  const { rows } = await sql<DeletedList>`
    select ${DELETED_LIST.columns('d')} from deleted_lists d
     where d.workspace_id = ${workspaceId} and d.deleted_at > '-infinity'
       and (cardinality(${[...ids]}::uuid[]) = 0 or d.id = any (${[...ids]}::uuid[]))
       and (${page.after}::uuid is null or d.id < ${page.after}::uuid)
     order by d.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countDeletedLists(db: Db, { workspaceId, ids }: DeletedListsAsked): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from deleted_lists d
     where d.workspace_id = ${workspaceId} and d.deleted_at > '-infinity'
       and (cardinality(${[...ids]}::uuid[]) = 0 or d.id = any (${[...ids]}::uuid[]))`.execute(db);
  return rows[0]?.total ?? 0;
}

export async function isDeletedList(db: Db, { workspaceId, listId }: List): Promise<boolean> {
  const { rows } = await sql`
    select from deleted_lists
     where workspace_id = ${workspaceId} and id = ${listId} and deleted_at > '-infinity'`.execute(db);
  return rows.length > 0;
}

/** Newest first; of one address by its hash, or of all. */
export async function pageConsentsOfList(
  db: Db,
  { workspaceId, listId }: List,
  emailHash: Buffer | null,
  page: { limit: number; offset: number; after: string | null },
): Promise<Consent[]> {
  const { rows } = await sql<Consent>`
    select ${CONSENT.columns('c')} from consents c
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId}
       ${emailHash === null ? sql`` : sql`and c.email_hash = ${emailHash}`}
       and (${page.after}::uuid is null or c.id < ${page.after}::uuid)
     order by c.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export interface KeptConsent extends Consent {
  listId: string;
  listName: string;
  listDeletedAt: Date;
}

/** The consents of an address that are kept of deleted lists, newest first. */
export async function listKeptConsents(
  db: Db,
  workspaceId: string,
  emailHash: Buffer,
  limit: number,
): Promise<KeptConsent[]> {
  const { rows } = await sql<KeptConsent>`
    select ${CONSENT.columns('c')}, d.id as "listId", d.name as "listName", d.deleted_at as "listDeletedAt"
      from deleted_lists d
      join consents c on c.workspace_id = d.workspace_id and c.newsletter_id = d.id and c.email_hash = ${emailHash}
     where d.workspace_id = ${workspaceId} and d.deleted_at > '-infinity'
     order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** The rows that ever had an address on a list. Theirs: it is also the last address on record of the row. */
export async function listPeopleOfHash(
  db: Db,
  { workspaceId, listId }: List,
  emailHash: Buffer,
): Promise<{ id: string; isTheirs: boolean }[]> {
  const { rows } = await sql<{ id: string; isTheirs: boolean }>`
    select p.id, n.email_hash = ${emailHash} as "isTheirs"
      from (select distinct c.subscriber_id as id from consents c
             where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId} and c.email_hash = ${emailHash}
               and c.subscriber_id is not null) p
     cross join lateral (
       select c.email_hash from consents c
        where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId} and c.subscriber_id = p.id
        order by c.id desc limit 1) n`.execute(db);
  return rows;
}

/**
 * Lapses lists deleted longer ago than `days`; 0: lists of deleted workspaces only. From now on nobody can read their
 * consents, and the database lets them go. Rows that another process works on just now are left to it.
 */
export async function lapseLists(db: Db, days: number, limit: number): Promise<List[]> {
  const { rows } = await sql<List>`
    -- every workspace: time passes everywhere
    with lapsed as (
      select workspace_id, id from deleted_lists
       where deleted_at = '-infinity' or (${days}::integer > 0 and deleted_at < now() - make_interval(days => ${days}))
       order by deleted_at limit ${limit} for update skip locked
    )
    update deleted_lists d set deleted_at = '-infinity' from lapsed l
     where d.workspace_id = l.workspace_id and d.id = l.id
    returning d.workspace_id as "workspaceId", d.id as "listId"`.execute(db);
  return rows;
}

/** Unless consents are left, such as those that another process is deleting. */
export async function deleteEmptyList(db: Db, { workspaceId, listId }: List): Promise<void> {
  await sql`
    delete from deleted_lists
     where workspace_id = ${workspaceId} and id = ${listId}
       and not exists (select from consents where workspace_id = ${workspaceId} and newsletter_id = ${listId})`.execute(
    db,
  );
}
