import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { ALL_MAIL, type OptOut } from '../opt-outs/opt-out.ts';

/** Contacts by their ids, or by the identities of their addresses. */
export type NamedContacts = { ids: readonly string[] } | { emails: readonly string[] };

const among = (named: NamedContacts): RawBuilder<unknown> =>
  'ids' in named ? sql`c.id = any (${[...named.ids]}::uuid[])` : sql`c.email = any (${[...named.emails]}::text[])`;

/** They cannot be deleted until the transaction ends. */
export async function keepContacts(
  tx: Db,
  workspaceId: string,
  named: NamedContacts,
): Promise<{ id: string; email: string }[]> {
  const { rows } = await sql<{ id: string; email: string }>`
    select c.id, c.email from contacts c
     where c.workspace_id = ${workspaceId} and ${among(named)} order by c.id for key share`.execute(tx);
  return rows;
}

/**
 * Contacts who are on the list already are passed over. With `unsubscribedAt` they are kept from it: they left it
 * before. Returns those who are on the list by it.
 */
export async function insertMembers(
  tx: Db,
  list: { workspaceId: string; listId: string },
  members: readonly { contactId: string; unsubscribedAt: Date | null }[],
): Promise<string[]> {
  const { rows } = await sql<{ contactId: string; isOn: boolean }>`
    insert into contact_list_members (workspace_id, list_id, contact_id, unsubscribed_at)
    select ${list.workspaceId}, ${list.listId}, m."contactId", m."unsubscribedAt"
      from jsonb_to_recordset(${JSON.stringify(members)}::jsonb) as m ("contactId" uuid, "unsubscribedAt" timestamptz)
     order by m."contactId"
    on conflict (workspace_id, list_id, contact_id) do nothing
    returning contact_id as "contactId", unsubscribed_at is null as "isOn"`.execute(tx);
  return rows.flatMap(({ contactId, isOn }) => (isOn ? [contactId] : []));
}

/** A contact who left the list stays known as such. Returns those who were removed. */
export async function deleteMembers(
  tx: Db,
  { workspaceId, listId }: { workspaceId: string; listId: string },
  named: NamedContacts,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    delete from contact_list_members m using contacts c
     where m.workspace_id = ${workspaceId} and m.list_id = ${listId} and m.unsubscribed_at is null
       and c.workspace_id = m.workspace_id and c.id = m.contact_id and ${among(named)}
    returning m.contact_id as id`.execute(tx);
  return rows.map(({ id }) => id);
}

/**
 * Ends memberships; a contact who was not on the list is kept from it. A repetition keeps the first time. Returns those
 * who had not left it before.
 */
export async function endMemberships(
  tx: Db,
  { workspaceId, listId }: { workspaceId: string; listId: string },
  members: { contactIds: readonly string[]; at: Date },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    insert into contact_list_members as held (workspace_id, list_id, contact_id, unsubscribed_at)
    select ${workspaceId}, ${listId}, id, ${members.at}
      from unnest(${[...members.contactIds]}::uuid[]) as m (id) order by id
    on conflict (workspace_id, list_id, contact_id) do update set unsubscribed_at = excluded.unsubscribed_at
     where held.unsubscribed_at is null
    returning contact_id as id`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The lists that each of these contacts is on. */
export async function listsOfContacts(
  db: Db,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ contactId: string; listIds: string[] }>`
    select contact_id as "contactId", array_agg(list_id::text order by list_id) as "listIds" from contact_list_members
     where workspace_id = ${workspaceId} and contact_id = any (${[...contactIds]}::uuid[]) and unsubscribed_at is null
     group by contact_id`.execute(db);
  return new Map(rows.map(({ contactId, listIds }) => [contactId, listIds]));
}

/** The lists that these contacts left. */
export async function listsLeft(
  db: Db,
  workspaceId: string,
  contactIds: readonly string[],
): Promise<{ contactId: string; listId: string; unsubscribedAt: Date }[]> {
  const { rows } = await sql<{ contactId: string; listId: string; unsubscribedAt: Date }>`
    select contact_id as "contactId", list_id as "listId", unsubscribed_at as "unsubscribedAt" from contact_list_members
     where workspace_id = ${workspaceId} and contact_id = any (${[...contactIds]}::uuid[])
       and unsubscribed_at is not null`.execute(db);
  return rows;
}

/** Opt-outs from this list that outlived their contacts. */
export async function listOptOutsOfList(
  db: Db,
  { workspaceId, listId }: { workspaceId: string; listId: string },
  hashes: readonly Buffer[],
): Promise<Pick<OptOut, 'addressHash' | 'unsubscribedAt'>[]> {
  const { rows } = await sql<Pick<OptOut, 'addressHash' | 'unsubscribedAt'>>`
    select address_hash as "addressHash", unsubscribed_at as "unsubscribedAt" from contact_opt_outs
     where workspace_id = ${workspaceId} and list_id = ${listId} and list_id <> ${ALL_MAIL}
       and address_hash = any (${[...hashes]}::bytea[])`.execute(db);
  return rows;
}

/** Takes back that a contact left a list after `since`. */
export async function resumeMembership(
  tx: Db,
  { workspaceId, listId }: { workspaceId: string; listId: string },
  { contactId, since }: { contactId: string; since: Date },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update contact_list_members set unsubscribed_at = null
     where workspace_id = ${workspaceId} and list_id = ${listId} and contact_id = ${contactId}
       and unsubscribed_at > ${since}`.execute(tx);
  return Number(numAffectedRows ?? 0) > 0;
}

/** A list that a contact is or was on. */
export interface Membership {
  id: string;
  name: string;
  unsubscribedAt: Date | null;
}

/** In the order in which they joined, a hundred at most. */
export async function listMemberships(db: Db, workspaceId: string, contactId: string): Promise<Membership[]> {
  const { rows } = await sql<Membership>`
    select l.id, l.name, m.unsubscribed_at as "unsubscribedAt"
      from contact_list_members m
      join contact_lists l on l.workspace_id = m.workspace_id and l.id = m.list_id
     where m.workspace_id = ${workspaceId} and m.contact_id = ${contactId}
     order by m.created_at, l.id limit 100`.execute(db);
  return rows;
}
