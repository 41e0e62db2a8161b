/** The column `newsletter_id` is the list, and `subscriber_id` the person on it: the first lists were newsletters. */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { CONSENT, type Consent, type ConsentAction, type List } from './consent.ts';

/** The columns of the table. */
export interface NewConsent {
  workspace_id: string;
  id: string;
  newsletter_id: string;
  subscriber_id: string | null;
  /** As text: `\x` and hex. */
  email_hash: string;
  email: string | null;
  action: ConsentAction;
  at: Date;
  ip: string | null;
  user_agent: string | null;
  url: string | null;
  source: string | null;
  form_version: string | null;
  email_id: string | null;
  token_id: string | null;
  details: Record<string, unknown> | null;
}

export async function insertConsents(tx: Db, rows: readonly NewConsent[]): Promise<void> {
  await sql`
    insert into consents (workspace_id, id, newsletter_id, subscriber_id, email_hash, email, action, at, ip, user_agent,
      url, source, form_version, email_id, token_id, details)
    select i.workspace_id, i.id, i.newsletter_id, i.subscriber_id, i.email_hash, i.email, i.action, i.at, i.ip,
           i.user_agent, i.url, i.source, i.form_version, i.email_id, i.token_id, i.details
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as i (workspace_id uuid, id uuid, newsletter_id uuid,
           subscriber_id uuid, email_hash bytea, email text, action text, at timestamptz, ip text, user_agent text,
           url text, source text, form_version text, email_id uuid, token_id text, details jsonb)`.execute(tx);
}

/**
 * A part of the statement by which an import adds people, so that a page of them and their consents are one statement.
 * `people` is a query of the added: id, email, hash (hex), ip, source, details.
 */
export const importedConsents = (
  { workspaceId, listId }: List,
  { at, details }: { at: Date; details: Record<string, unknown> },
  people: RawBuilder<unknown>,
) => sql`
  insert into consents (workspace_id, id, newsletter_id, subscriber_id, email_hash, email, action, at, ip, source, details)
  select ${workspaceId}, ph_uuidv7(), ${listId}, p.id, decode(p.hash, 'hex'), p.email, 'imported', ${at}, p.ip, p.source,
         ${JSON.stringify(details)}::jsonb || p.details
    from (${people}) as p`;

export interface OfAddress extends List {
  /** null: the address is not known. */
  emailHash: Buffer | null;
  /** The row that has the address now: what is on record of it under another address belongs to it. */
  subscriberId: string | null;
}

/** The consents of a person on a list, newest first: also from before a row that was deleted. */
export async function pageConsents(
  db: Db,
  asked: OfAddress,
  page: { limit: number; offset: number; after: string | null },
): Promise<Consent[]> {
  const { rows } = await sql<Consent>`
    select ${CONSENT.columns('c')} from consents c
     where c.workspace_id = ${asked.workspaceId} and c.newsletter_id = ${asked.listId}
       and (c.email_hash = ${asked.emailHash} or c.subscriber_id = ${asked.subscriberId}::uuid)
       and (${page.after}::uuid is null or c.id < ${page.after}::uuid)
     order by c.id desc limit ${page.limit + 1} offset ${page.offset}`.execute(db);
  return rows;
}

export async function countConsents(db: Db, asked: OfAddress): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from consents c
     where c.workspace_id = ${asked.workspaceId} and c.newsletter_id = ${asked.listId}
       and (c.email_hash = ${asked.emailHash} or c.subscriber_id = ${asked.subscriberId}::uuid)`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The hashes (hex) among these that belong to people who asked to be forgotten. */
export async function listErasedAmong(
  db: Db,
  { workspaceId, listId }: List,
  hashes: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select distinct encode(c.email_hash, 'hex') as hash from consents c
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId}
       and c.email_hash = any (array(select decode(asked, 'hex') from unnest(${[...hashes]}::text[]) as asked))
       and c.action = 'erased'`.execute(db);
  return rows.map((row) => row.hash);
}

/**
 * The hashes (hex) among these of people who left and have not come back since: one look at the index for each.
 * Somebody who only typed the address into a form may be a stranger, until the link of the mail is followed, and an
 * erasure raises no consent. Of somebody who is on the list by a confirmation it says what the row says too.
 */
export async function listLeftAmong(
  db: Db,
  { workspaceId, listId }: List,
  hashes: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select a.asked as hash from unnest(${[...hashes]}::text[]) as a (asked)
     cross join lateral (
       select c.action from consents c
        where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId} and c.email_hash = decode(a.asked, 'hex')
          and c.action not in ('signed_up', 'confirmation_sent', 'erased')
        order by c.id desc limit 1) last
     where last.action = 'unsubscribed'`.execute(db);
  return rows.map((row) => row.hash);
}

/** The hashes of people who were erased from any list: an index probe for each list that anybody was erased from. */
export async function listErasedAnywhere(db: Db, workspaceId: string, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    with recursive lists (id) as (
      (select newsletter_id from consents where workspace_id = ${workspaceId} and action = 'erased'
        order by newsletter_id limit 1)
      union all
      select (select c.newsletter_id from consents c
               where c.workspace_id = ${workspaceId} and c.action = 'erased' and c.newsletter_id > lists.id
               order by c.newsletter_id limit 1)
        from lists where lists.id is not null
    )
    select distinct encode(c.email_hash, 'hex') as hash from lists
      join consents c on c.workspace_id = ${workspaceId} and c.newsletter_id = lists.id and c.action = 'erased'
       and c.email_hash = any (array(select decode(asked, 'hex') from unnest(${[...hashes]}::text[]) as asked))
     where lists.id is not null`.execute(db);
  return rows.map((row) => row.hash);
}

/** The addresses that these people had before, where they were changed. */
export async function listFormerAddresses(
  tx: Db,
  { workspaceId, listId }: List,
  ids: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select distinct c.details ->> 'previous_email' as email from consents c
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId}
       and c.subscriber_id = any (${[...ids]}::uuid[]) and c.action = 'address_changed'
       and c.details ? 'previous_email'`.execute(tx);
  return rows.map(({ email }) => email);
}

/** The hashes (hex) among these under which something is on record of other people than these. */
export async function listHashesOfOthers(
  tx: Db,
  { workspaceId, listId }: List,
  { hashes, ids }: { hashes: readonly string[]; ids: readonly string[] },
): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select distinct encode(c.email_hash, 'hex') as hash from consents c
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId}
       and c.email_hash = any (array(select decode(asked, 'hex') from unnest(${[...hashes]}::text[]) as asked))
       and c.subscriber_id <> all (${[...ids]}::uuid[])`.execute(tx);
  return rows.map((row) => row.hash);
}

/** Other people who had one of these addresses before: their records tell it no longer. Before `forgetAddresses`. */
export async function forgetAsFormer(
  tx: Db,
  { workspaceId, listId }: List,
  { emails, emailHashes, ids }: { emails: readonly string[]; emailHashes: readonly Buffer[]; ids: readonly string[] },
): Promise<void> {
  await sql`
    with others as materialized (
      select distinct c.subscriber_id as id from consents c
       where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId}
         and c.email_hash = any (${[...emailHashes]}::bytea[]) and c.subscriber_id <> all (${[...ids]}::uuid[])
    )
    update consents c set details = c.details - 'previous_email'
      from others o
     where c.workspace_id = ${workspaceId} and c.newsletter_id = ${listId} and c.subscriber_id = o.id
       and c.action = 'address_changed' and c.details ->> 'previous_email' = any (${[...emails]}::text[])`.execute(tx);
}

/** Takes everything about these people out of what is on record; what happened when, and the hash, stay. */
export async function forgetAddresses(
  tx: Db,
  { workspaceId, listId }: List,
  { emailHashes, ids }: { emailHashes: readonly Buffer[]; ids: readonly string[] },
): Promise<void> {
  await sql`
    update consents
       set email = null, ip = null, user_agent = null, url = null, source = null, details = null, subscriber_id = null
     where workspace_id = ${workspaceId} and newsletter_id = ${listId}
       and (email_hash = any (${[...emailHashes]}::bytea[]) or subscriber_id = any (${[...ids]}::uuid[]))`.execute(tx);
}

/**
 * A part of a statement: takes the people out of their records whose import is undone. `people` is a query of their
 * ids. The import stays on record.
 */
export const forgetImported = (workspaceId: string, people: RawBuilder<unknown>) => sql`
  update consents c
     set email = null, ip = null, user_agent = null, url = null, source = null, subscriber_id = null
    from (${people}) as p (id)
   where c.workspace_id = ${workspaceId} and c.subscriber_id = p.id`;

/**
 * Deletes up to `limit` records of a list that is gone, which the caller knows: the only way in which the database lets
 * a record go. It keeps those of a deleted list whose time has not passed. Records that another process is deleting are
 * skipped. Returns how many went.
 */
export async function deletePageOfConsents(db: Db, { workspaceId, listId }: List, limit: number): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    select ph_delete_consents(${workspaceId}, ${listId}, ${limit}) as removed`.execute(db);
  return rows[0]?.removed ?? 0;
}
