import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { CONTACT, type Contact } from './contact.ts';

const UNIQUE_VIOLATION = '23505';

export const contactColumns = CONTACT.columns('c');

/** A contact by its id, or by the identity of its address. */
export type ContactName = { id: string } | { email: string };

const named = (name: ContactName): RawBuilder<unknown> =>
  'id' in name ? sql`c.id = ${name.id}` : sql`c.email = ${name.email}`;

export async function findContact(db: Db, workspaceId: string, name: ContactName): Promise<Contact | undefined> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts c where c.workspace_id = ${workspaceId} and ${named(name)}`.execute(db);
  return rows[0];
}

/** The same, held until the transaction ends. */
export async function lockContact(tx: Db, workspaceId: string, name: ContactName): Promise<Contact | undefined> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts c
     where c.workspace_id = ${workspaceId} and ${named(name)} for update`.execute(tx);
  return rows[0];
}

/** Held until the transaction ends, in the order of their ids. */
export async function lockByEmail(tx: Db, workspaceId: string, emails: readonly string[]): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts c
     where c.workspace_id = ${workspaceId} and c.email = any (${[...emails]}::text[])
     order by c.id for update`.execute(tx);
  return rows;
}

/** The same by their ids. */
export async function lockByIds(tx: Db, workspaceId: string, ids: readonly string[]): Promise<Contact[]> {
  const { rows } = await sql<Contact>`
    select ${contactColumns} from contacts c
     where c.workspace_id = ${workspaceId} and c.id = any (${[...ids]}::uuid[])
     order by c.id for update`.execute(tx);
  return rows;
}

/** In the order of their addresses. Returns those that were not there: an address that is taken is passed over. */
export async function insertContacts(tx: Db, workspaceId: string, contacts: readonly Contact[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    insert into contacts (workspace_id, id, email, first_name, last_name, name, properties, unsubscribed_at, timezone,
      language, created_at, updated_at)
    select ${workspaceId}, c.id, c.email, c."firstName", c."lastName", c.name, c.properties, c."unsubscribedAt",
           c.timezone, c.language, c."createdAt", c."updatedAt"
      from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as c (id uuid, email text, "firstName" text,
        "lastName" text, name text, properties jsonb, "unsubscribedAt" timestamptz, timezone text, language text,
        "createdAt" timestamptz, "updatedAt" timestamptz)
     order by c.email
    on conflict on constraint contacts_email_key do nothing
    returning email`.execute(tx);
  return rows.map(({ email }) => email);
}

/** Contacts that are held, besides their addresses. */
export async function updateContacts(tx: Db, workspaceId: string, contacts: readonly Contact[]): Promise<void> {
  await sql`
    update contacts h
       set first_name = c."firstName", last_name = c."lastName", name = c.name, properties = c.properties,
           unsubscribed_at = c."unsubscribedAt", timezone = c.timezone, language = c.language,
           updated_at = c."updatedAt"
      from jsonb_to_recordset(${JSON.stringify(contacts)}::jsonb) as c (id uuid, "firstName" text, "lastName" text,
        name text, properties jsonb, "unsubscribedAt" timestamptz, timezone text, language text,
        "updatedAt" timestamptz)
     where h.workspace_id = ${workspaceId} and h.id = c.id`.execute(tx);
}

/** False: another contact has the address, and the transaction can only be rolled back. */
export async function moveContact(tx: Db, contact: Contact, to: { email: string; at: Date }): Promise<boolean> {
  try {
    await sql`
      update contacts set email = ${to.email}, updated_at = ${to.at}
       where workspace_id = ${contact.workspaceId} and id = ${contact.id}`.execute(tx);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === UNIQUE_VIOLATION) return false;
    throw error;
  }
  await sql`
    insert into contact_former_addresses (workspace_id, contact_id, email, until)
    values (${contact.workspaceId}, ${contact.id}, ${contact.email}, ${to.at})
    on conflict (workspace_id, contact_id, email) do update set until = excluded.until`.execute(tx);
  return true;
}

/** An address that another contact has taken since is theirs. */
export async function listFormerAddresses(db: Db, workspaceId: string, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct f.email from contact_former_addresses f
     where f.workspace_id = ${workspaceId} and f.contact_id = any (${[...ids]}::uuid[])
       and not exists (select from contacts o where o.workspace_id = f.workspace_id and o.email = f.email
                          and o.id <> f.contact_id)`.execute(db);
  return rows.map(({ email }) => email);
}

export async function deleteContacts(tx: Db, workspaceId: string, ids: readonly string[]): Promise<void> {
  await sql`
    delete from contacts where workspace_id = ${workspaceId} and id = any (${[...ids]}::uuid[])`.execute(tx);
}
