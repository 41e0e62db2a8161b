import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import { type NewSuppression, SUPPRESSION_REASONS, type SuppressionReason } from './suppression.ts';

/** A row that an upsert has inserted or changed. */
export interface ChangedSuppression {
  workspaceId: string;
  identity: string;
  reason: SuppressionReason;
  sourceEmailId: string | null;
  /** Nothing stood in the way of mail to it before: there was no entry, or one that had run out. */
  isNew: boolean;
  reasonChanged: boolean;
}

/**
 * Inserts what is new and strengthens what is there. The input is reduced to one row per address first (ON CONFLICT
 * refuses to touch a row twice) and sorted, so that two statements with the same addresses cannot deadlock. Addresses
 * of a workspace that is gone are passed over; one that is there stays until the commit, so that its purge sees them.
 */
export async function upsertSuppressions(
  db: Db,
  suppressions: readonly (NewSuppression & { workspaceId: string; id: string })[],
): Promise<ChangedSuppression[]> {
  const input = JSON.stringify(
    suppressions.map((one) => ({
      workspace_id: one.workspaceId,
      id: one.id,
      email: one.identity,
      reason: one.reason,
      source_email_id: one.sourceEmailId ?? null,
      note: one.note ?? null,
      expires_at: one.expiresAt ?? null,
      created_at: one.createdAt ?? null,
    })),
  );
  // An entry that has run out counts for nothing.
  const isStronger = sql`(held.expires_at <= now() or array_position(${SUPPRESSION_REASONS}::text[], excluded.reason)
                          > array_position(${SUPPRESSION_REASONS}::text[], held.reason))`;
  const { rows } = await sql<ChangedSuppression>`
    with asked as materialized (
      select distinct on (workspace_id, email) *
        from jsonb_to_recordset(${input}::jsonb) as input (workspace_id uuid, id uuid, email text, reason text,
             source_email_id uuid, note text, expires_at timestamptz, created_at timestamptz)
       order by workspace_id, email, array_position(${SUPPRESSION_REASONS}::text[], reason) desc, id
    ), before as materialized (
      select s.workspace_id, s.email, s.reason, s.expires_at
        from suppressions s join asked a on a.workspace_id = s.workspace_id and a.email = s.email
    ), changed as (
      insert into suppressions as held (workspace_id, id, email, reason, source_email_id, note, expires_at, created_at)
      select a.workspace_id, a.id, a.email, a.reason, a.source_email_id, a.note, a.expires_at,
             least(coalesce(a.created_at, now()), now())
        from asked a join workspaces w on w.id = a.workspace_id
       order by a.workspace_id, a.email
         for key share of w
      on conflict (workspace_id, email) do update
         set reason = case when ${isStronger} then excluded.reason else held.reason end,
             source_email_id = case when ${isStronger} then excluded.source_email_id else held.source_email_id end,
             note = case when ${isStronger} then excluded.note else held.note end,
             created_at = case when held.expires_at <= now() then excluded.created_at else held.created_at end,
             expires_at = case when held.expires_at is null then null
                               when held.expires_at <= now() or excluded.expires_at is null then excluded.expires_at
                               else greatest(held.expires_at, excluded.expires_at) end
       where ${isStronger} or (held.expires_at is not null
                               and (excluded.expires_at is null or excluded.expires_at > held.expires_at))
      returning workspace_id, email, reason, source_email_id, xmax = 0 as inserted
    )
    select c.workspace_id as "workspaceId", c.email as "identity", c.reason, c.source_email_id as "sourceEmailId",
           c.inserted or coalesce(b.expires_at <= now(), false) as "isNew",
           c.reason is distinct from b.reason as "reasonChanged"
      from changed c left join before b on b.workspace_id = c.workspace_id and b.email = c.email
     order by c.workspace_id, c.email`.execute(db);
  return rows;
}

export async function listSuppressedAmong(
  db: Db,
  workspaceId: string,
  identities: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ email: string }>`
    select email from suppressions
     where workspace_id = ${workspaceId} and email = any(${identities}::text[])
       and (expires_at is null or expires_at > now())`.execute(db);
  return rows.map((row) => row.email);
}

/**
 * Removes up to `limit` that have run out, and returns how many. One that is being given a new end at this moment is
 * passed over.
 */
export async function deleteExpired(db: Db, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    -- every workspace: what has run out has done so everywhere
    with old as materialized (
      select workspace_id, id from suppressions where expires_at <= now()
       order by expires_at limit ${limit} for update skip locked
    )
    delete from suppressions s using old where s.workspace_id = old.workspace_id and s.id = old.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/** Removes a page of the addresses of a deleted workspace; returns how many it found. */
export const deletePageOfSuppressions = (db: Db, workspaceId: string, page: number): Promise<number> =>
  removePage(
    db,
    sql`select id from suppressions where workspace_id = ${workspaceId} limit ${page}`,
    sql`delete from suppressions where workspace_id = ${workspaceId} and id in (select id from page)`,
  );
