/** The reads and writes of an import page in the newsletter's subscribers. */
import { sql } from 'kysely';
import { forgetImported, importedConsents } from '#features/consents';
import type { HeldPerson, UndoCount } from '#features/transfers';
import type { Db } from '#platform/db/database.ts';
import type { Subscriber } from '../../subscriber.ts';
import { subscriberColumns } from '../../queries.ts';

interface OfNewsletter {
  workspaceId: string;
  newsletterId: string;
}

/** The rows that have these addresses already, locked in the order of their addresses. */
export async function lockSubscribersAmong(
  tx: Db,
  { workspaceId, newsletterId }: OfNewsletter,
  emails: readonly string[],
): Promise<HeldPerson[]> {
  if (emails.length === 0) return [];
  const { rows } = await sql<HeldPerson>`
    select s.id, s.email, s.name, s.source, s.metadata, s.status, s.confirmed_at as "confirmedAt",
           s.import_id as "importId"
      from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.email = any (${[...emails]}::text[])
     order by s.email for update`.execute(tx);
  return rows;
}

/** Undefined, and so not written out: null. */
export interface ImportedRow {
  id: string;
  email: string;
  name: string | undefined;
  source: string | undefined;
  metadata: Record<string, unknown>;
  status: Subscriber['status'];
  confirmed_at: Date | undefined;
  unsubscribed_at: Date | undefined;
  confirmation_sent_at: Date | undefined;
  confirmation_count: number;
  consent: Subscriber['consent'];
  last_opened_at: Date | undefined;
  last_clicked_at: Date | undefined;
  created_at: Date;
  /** Of the address, in hex. */
  hash: string;
}

/** The fields that all rows of one import share. */
export interface CommonOfRows {
  workspaceId: string;
  newsletterId: string;
  importId: string;
  /** Marks them as untouched since. */
  at: Date;
  now: Date;
  /** Of the record of their consent. */
  details: Record<string, unknown>;
}

/**
 * Adds the rows whose address nobody has taken in between, each with its consent record. Returns their addresses. The
 * rows come in the order of addresses, so that two imports of the same file wait for each other and do not deadlock.
 */
export async function insertImported(tx: Db, common: CommonOfRows, rows: readonly ImportedRow[]): Promise<string[]> {
  const { workspaceId, newsletterId, importId } = common;
  const { rows: added } = await sql<{ email: string }>`
    with input as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r (id uuid, email text, name text, source text,
        metadata jsonb, status text, confirmed_at timestamptz, unsubscribed_at timestamptz,
        confirmation_sent_at timestamptz, confirmation_count integer, consent jsonb, last_opened_at timestamptz,
        last_clicked_at timestamptz, created_at timestamptz, hash text)
    ), added as (
      insert into subscribers (workspace_id, id, newsletter_id, email, name, source, metadata, status, confirmed_at,
        unsubscribed_at, confirmation_sent_at, confirmation_count, consent, last_opened_at, last_clicked_at, import_id,
        created_at, updated_at)
      select ${workspaceId}, r.id, ${newsletterId}, r.email, r.name, r.source, r.metadata, r.status, r.confirmed_at,
             r.unsubscribed_at, r.confirmation_sent_at, r.confirmation_count, r.consent, r.last_opened_at,
             r.last_clicked_at, ${importId}, r.created_at, ${common.at}
        from input r
      on conflict (workspace_id, newsletter_id, email) do nothing
      returning id, email
    ), proof as (
      ${importedConsents(
        { workspaceId, listId: newsletterId },
        { at: common.now, details: common.details },
        sql`select a.id, a.email, r.hash, r.consent->>'signup_ip' as ip, r.source,
                   jsonb_build_object('status', r.status) as details
              from added a join input r on r.id = a.id`,
      )}
    )
    select email from added`.execute(tx);
  return added.map((row) => row.email);
}

export async function listSubscribersAmong(
  tx: Db,
  { workspaceId, newsletterId }: OfNewsletter,
  emails: readonly string[],
): Promise<Subscriber[]> {
  const { rows } = await sql<Subscriber>`
    select ${subscriberColumns} from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.email = any (${[...emails]}::text[])
     order by s.email`.execute(tx);
  return rows;
}

/** New names, sources and metadata of locked rows. */
export async function updateImported(
  tx: Db,
  workspaceId: string,
  rows: readonly { id: string; name: string | null; source: string | null; metadata: Record<string, unknown> }[],
  at: Date,
): Promise<void> {
  if (rows.length === 0) return;
  await sql`
    update subscribers s set name = r.name, source = r.source, metadata = r.metadata, updated_at = ${at}
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, name text, source text, metadata jsonb)
     where s.workspace_id = ${workspaceId} and s.id = r.id`.execute(tx);
}

/** Locked rows whose person has left according to the file. */
export async function unsubscribeImported(
  tx: Db,
  workspaceId: string,
  rows: readonly { id: string; reason: string; at: Date }[],
  now: Date,
): Promise<Subscriber[]> {
  if (rows.length === 0) return [];
  const { rows: left } = await sql<Subscriber>`
    update subscribers s
       set status = 'unsubscribed', status_before = s.status, unsubscribed_at = r.at, generation = s.generation + 1,
           unsubscribed_issue_id = null, updated_at = ${now},
           metadata = s.metadata || jsonb_build_object('unsubscribe_reason', r.reason)
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as r (id uuid, reason text, at timestamptz)
     where s.workspace_id = ${workspaceId} and s.id = r.id
    returning ${subscriberColumns}`.execute(tx);
  return left;
}

/**
 * The people of an import, by what an undo does with them. A change moves `updated_at`; emails, opens and clicks do
 * not, except for the question to confirm. It reads each row of the import by its index.
 */
export async function countImported(
  db: Db,
  row: { workspaceId: string; id: string; createdAt: Date },
): Promise<UndoCount> {
  const { rows } = await sql<UndoCount>`
    select count(*) filter (where k.stays is null) as removes,
           count(*) filter (where k.stays = 'unsubscribed') as unsubscribed,
           count(*) filter (where k.stays = 'confirmed') as confirmed,
           count(*) filter (where k.stays = 'asked') as asked,
           count(*) filter (where k.stays = 'changed') as changed
      from subscribers s
     cross join lateral (
       select case
         when s.updated_at = ${row.createdAt} then null
         when s.status = 'unsubscribed' then 'unsubscribed'
         when s.status = 'active' and s.confirmed_at > ${row.createdAt} then 'confirmed'
         when s.status = 'pending' and s.confirmation_sent_at > ${row.createdAt} then 'asked'
         else 'changed' end as stays) k
     where s.workspace_id = ${row.workspaceId} and s.import_id = ${row.id}`.execute(db);
  return rows[0] ?? { removes: 0 };
}

/**
 * Removes up to `limit` rows that the import made and nobody has changed since. Their consent records stay, without
 * the person. Returns how many were removed; 0: none is left.
 */
export async function removeImported(
  tx: Db,
  row: { workspaceId: string; id: string; createdAt: Date },
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ removed: number }>`
    with gone as (
      delete from subscribers
       where workspace_id = ${row.workspaceId} and id = any (array(
         select s.id from subscribers s
          where s.workspace_id = ${row.workspaceId} and s.import_id = ${row.id} and s.updated_at = ${row.createdAt}
          order by s.id limit ${limit} for update))
      returning id
    ), proof as (
      ${forgetImported(row.workspaceId, sql`select id from gone`)}
    )
    select count(*) as removed from gone`.execute(tx);
  return rows[0]?.removed ?? 0;
}
