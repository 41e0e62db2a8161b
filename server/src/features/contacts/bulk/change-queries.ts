import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** A contact that a job has changed. */
export interface BulkChange {
  contactId: string;
  email: string;
  /** All that the undo needs. */
  before: object;
}

interface OfJob {
  workspaceId: string;
  id: string;
}

export async function insertChanges(
  tx: Db,
  { workspaceId, id }: OfJob,
  changes: readonly BulkChange[],
  at: Date,
): Promise<void> {
  await sql`
    insert into contact_bulk_changes (workspace_id, job_id, contact_id, email, before, changed_at)
    select ${workspaceId}, ${id}, h."contactId", h.email, h.before, ${at}
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as h ("contactId" uuid, email text, before jsonb)
    on conflict (workspace_id, job_id, contact_id) do nothing`.execute(tx);
}

/** Takes the next changes of a job away: they are undone in this transaction. */
export async function takeChanges(
  tx: Db,
  { workspaceId, id }: OfJob,
  limit: number,
): Promise<(BulkChange & { changedAt: Date })[]> {
  const { rows } = await sql<BulkChange & { changedAt: Date }>`
    delete from contact_bulk_changes
     where workspace_id = ${workspaceId} and job_id = ${id} and contact_id in (
       select h.contact_id from contact_bulk_changes h
        where h.workspace_id = ${workspaceId} and h.job_id = ${id} order by h.contact_id limit ${limit} for update)
    returning contact_id as "contactId", email, before, changed_at as "changedAt"`.execute(tx);
  return rows.toSorted((one, other) => (one.contactId < other.contactId ? -1 : 1));
}

/** No undo touches these contacts any more: they have said themselves that they want no mail, or are deleted. */
export async function forgetChanges(tx: Db, workspaceId: string, contactIds: readonly string[]): Promise<void> {
  await sql`
    delete from contact_bulk_changes
     where workspace_id = ${workspaceId} and contact_id = any (${[...contactIds]}::uuid[])`.execute(tx);
}

/** Nor contacts with these addresses, which a job may have deleted. */
export async function forgetChangesOfAddresses(tx: Db, workspaceId: string, emails: readonly string[]): Promise<void> {
  await sql`
    delete from contact_bulk_changes
     where workspace_id = ${workspaceId} and email = any (${[...emails]}::text[])`.execute(tx);
}

/** Puts former addresses and memberships back that a deletion took along. Lists that are gone stay gone. */
export async function restoreAround(
  tx: Db,
  workspaceId: string,
  contacts: readonly {
    contactId: string;
    former: readonly { email: string; until: string }[];
    lists: readonly { listId: string; unsubscribedAt: string | null }[];
  }[],
): Promise<void> {
  const given = JSON.stringify(contacts);
  await sql`
    insert into contact_former_addresses (workspace_id, contact_id, email, until)
    select ${workspaceId}, r."contactId", f.email, f.until
      from jsonb_to_recordset(${given}::jsonb) as r ("contactId" uuid, former jsonb),
           jsonb_to_recordset(r.former) as f (email text, until timestamptz)
    on conflict do nothing`.execute(tx);
  await sql`
    insert into contact_list_members (workspace_id, list_id, contact_id, unsubscribed_at)
    select ${workspaceId}, m."listId", r."contactId", m."unsubscribedAt"
      from jsonb_to_recordset(${given}::jsonb) as r ("contactId" uuid, lists jsonb),
           jsonb_to_recordset(r.lists) as m ("listId" uuid, "unsubscribedAt" timestamptz)
      join contact_lists l on l.workspace_id = ${workspaceId} and l.id = m."listId"
     order by m."listId", r."contactId"
    on conflict do nothing`.execute(tx);
}

/** The former addresses and memberships that a deletion takes along, by contact. */
export async function aroundContacts(
  tx: Db,
  workspaceId: string,
  ids: readonly string[],
): Promise<Map<string, { former: unknown; lists: unknown }>> {
  const { rows } = await sql<{ id: string; former: unknown; lists: unknown }>`
    select c.id,
           (select coalesce(jsonb_agg(jsonb_build_object('email', f.email, 'until', f.until)), '[]')
              from contact_former_addresses f where f.workspace_id = ${workspaceId} and f.contact_id = c.id) as former,
           (select coalesce(jsonb_agg(jsonb_build_object('listId', m.list_id, 'unsubscribedAt', m.unsubscribed_at)), '[]')
              from contact_list_members m where m.workspace_id = ${workspaceId} and m.contact_id = c.id) as lists
      from contacts c where c.workspace_id = ${workspaceId} and c.id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, ...around }) => [id, around]));
}
