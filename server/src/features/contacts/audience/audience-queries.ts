/** Fragments for mail to contacts: the feature that sends it puts them into statements on its own tables. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Contacts that are named, on one of the lists or in the segment, and on none of the excluded lists. */
export interface ChosenContacts {
  listIds: readonly string[];
  contactIds: readonly string[];
  excludeListIds: readonly string[];
  /** Selects contact_id and email of a segment; null: there is none. */
  segment: RawBuilder<unknown> | null;
}

const ids = (of: readonly string[]): RawBuilder<unknown> => sql`${[...of]}::uuid[]`;

/**
 * Each of them once: contact_id, email, has_left. Without a segment it reads the members of the lists, and not all
 * contacts. A contact of the segment who has left the lists has left, as `ph_contact_has_left` says.
 */
export const chosenContacts = (
  workspaceId: string,
  { listIds, contactIds, excludeListIds, segment }: ChosenContacts,
): RawBuilder<unknown> => sql`
  select c.id as contact_id, c.email, c.unsubscribed_at is not null or not chosen.stays as has_left
    from (select either.id, coalesce(bool_or(either.stays), true) as stays
            from (select m.contact_id as id, m.unsubscribed_at is null as stays from contact_list_members m
                   where m.workspace_id = ${workspaceId} and m.list_id = any (${ids(listIds)})
                  union all
                  select named.id, true from unnest(${ids(contactIds)}) as named (id)
                  ${segment === null ? sql`` : sql`union all select inside.contact_id, null from (${segment}) inside`}) either
           group by either.id) chosen
    join contacts c on c.workspace_id = ${workspaceId} and c.id = chosen.id
   where not exists (select from contact_list_members x
                      where x.workspace_id = ${workspaceId} and x.contact_id = c.id
                        and x.list_id = any (${ids(excludeListIds)}) and x.unsubscribed_at is null)`;

/**
 * The contacts that were mailed before, by the recipient_id of `mailed`, in the same columns. They leave as the
 * audience that they were mailed as part of.
 */
export const mailedContacts = (
  workspaceId: string,
  { listIds, contactIds }: Pick<ChosenContacts, 'listIds' | 'contactIds'>,
  mailed: RawBuilder<unknown>,
): RawBuilder<unknown> => sql`
  select c.id as contact_id, c.email,
         ph_contact_has_left(${workspaceId}, c.id, c.id = any (${ids(contactIds)}), ${ids(listIds)}) as has_left
    from (${mailed}) m join contacts c on c.workspace_id = ${workspaceId} and c.id = m.recipient_id`;

/** Whether the contact with this address is on one of the lists. */
export const isOnLists = (
  workspaceId: string,
  listIds: readonly string[],
  email: RawBuilder<unknown>,
): RawBuilder<boolean> => sql<boolean>`
  exists (select from contacts o
            join contact_list_members x on x.workspace_id = o.workspace_id and x.contact_id = o.id
           where o.workspace_id = ${workspaceId} and o.email = ${email} and x.list_id = any (${ids(listIds)})
             and x.unsubscribed_at is null)`;

/**
 * People (email and other columns) with the time zone of the contact who has their address: `zone`; null: there is no
 * such contact, or it has none. A join, which reads the contacts of a large audience at once.
 */
export const withZones = (workspaceId: string, people: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select p.*, z.timezone as zone from (${people}) p
    left join contacts z on z.workspace_id = ${workspaceId} and z.email = p.email`;

/** The contacts of these ids that are there, in the names of a record. */
export interface ContactFacts {
  id: string;
  email: string;
  firstName: string | null;
  lastName: string | null;
  name: string | null;
  properties: Record<string, unknown>;
}

export async function findContactFacts(db: Db, workspaceId: string, id: string): Promise<ContactFacts | undefined> {
  const { rows } = await sql<ContactFacts>`
    select c.id, c.email, c.first_name as "firstName", c.last_name as "lastName", c.name, c.properties
      from contacts c where c.workspace_id = ${workspaceId} and c.id = ${id}`.execute(db);
  return rows[0];
}

/** A contact by an address, and perhaps by a list. */
export interface FactsOfAddress extends ContactFacts {
  listId: string | null;
  unsubscribed: boolean;
  /** Of the list that was asked for. */
  hasLeftList: boolean;
}

/** The contacts with these addresses, as they are now, in one statement. */
export async function listContactFacts(
  db: Db,
  workspaceId: string,
  asked: readonly { email: string; listId: string | null }[],
): Promise<FactsOfAddress[]> {
  const { rows } = await sql<FactsOfAddress>`
    select c.id, c.email, c.first_name as "firstName", c.last_name as "lastName", c.name, c.properties,
           c.unsubscribed_at is not null as unsubscribed, a.list_id as "listId",
           exists (select from contact_list_members m
                    where m.workspace_id = ${workspaceId} and m.list_id = a.list_id and m.contact_id = c.id
                      and m.unsubscribed_at is not null) as "hasLeftList"
      from (select distinct * from unnest(${asked.map(({ email }) => email)}::text[],
                                          ${asked.map(({ listId }) => listId)}::uuid[])) as a (email, list_id)
      join contacts c on c.workspace_id = ${workspaceId} and c.email = a.email`.execute(db);
  return rows;
}

/** Which of these are no list, or no contact, of the workspace. */
export async function listMissingOfAudience(
  db: Db,
  workspaceId: string,
  named: { listIds: readonly string[]; contactIds: readonly string[] },
): Promise<{ listIds: string[]; contactIds: string[] }> {
  const { rows } = await sql<{ listIds: string[]; contactIds: string[] }>`
    select array(select n.id::text from unnest(${ids(named.listIds)}) as n (id)
                  where not exists (select from contact_lists l
                                     where l.workspace_id = ${workspaceId} and l.id = n.id)) as "listIds",
           array(select n.id::text from unnest(${ids(named.contactIds)}) as n (id)
                  where not exists (select from contacts c
                                     where c.workspace_id = ${workspaceId} and c.id = n.id)) as "contactIds"`.execute(
    db,
  );
  return rows[0] ?? { listIds: [], contactIds: [] };
}

/** A recipient of mail to contacts, and by what they are one. */
export interface ContactKey {
  workspaceId: string;
  contactId: string;
  /** They were named themselves. */
  isNamed: boolean;
  listIds: readonly string[];
}

/** The contacts that are there and have not left since they were chosen, in one statement. */
export async function listContactsWhoStay(
  db: Db,
  keys: readonly ContactKey[],
): Promise<(ContactFacts & { workspaceId: string })[]> {
  const given = keys.map(({ workspaceId, contactId, isNamed, listIds }) => ({
    workspaceId,
    contactId,
    isNamed,
    listIds,
  }));
  const { rows } = await sql<ContactFacts & { workspaceId: string }>`
    select c.workspace_id as "workspaceId", c.id, c.email, c.first_name as "firstName", c.last_name as "lastName", c.name,
           c.properties
      from jsonb_to_recordset(${JSON.stringify(given)}::jsonb) as k ("workspaceId" uuid, "contactId" uuid,
             "isNamed" boolean, "listIds" jsonb)
      join contacts c on c.workspace_id = k."workspaceId" and c.id = k."contactId"
     where not ph_contact_has_left(c.workspace_id, c.id, k."isNamed",
                 array(select jsonb_array_elements_text(k."listIds")::uuid))`.execute(db);
  return rows;
}

/**
 * A page of recipients for the engine, in its order. `chosen` selects recipient, contact_id, is_named and list_ids of
 * those who were chosen; who has left since is passed over.
 */
export const recipientsOfContacts = (workspaceId: string, chosen: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  select k.recipient, coalesce(c.name, nullif(concat_ws(' ', c.first_name, c.last_name), '')) as recipient_name,
         k.contact_id as recipient_id,
         ph_contact_has_left(${workspaceId}, k.contact_id, k.is_named, k.list_ids) as passed_over
    from (${chosen}) k
    left join contacts c on c.workspace_id = ${workspaceId} and c.id = k.contact_id
   order by k.recipient`;
