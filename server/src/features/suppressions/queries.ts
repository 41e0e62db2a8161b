import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { type NewSuppression, SUPPRESSION_REASONS } from './suppression.ts';

interface SuppressionKey {
  workspaceId: string;
  identity: string;
}

/**
 * Inserts what is new and strengthens what is there. The input is reduced to one row per address first (ON CONFLICT
 * refuses to touch a row twice) and sorted, so that two statements with the same addresses cannot deadlock.
 */
export async function upsertSuppressions(
  db: Db,
  suppressions: readonly (NewSuppression & { workspaceId: string; id: string })[],
): Promise<SuppressionKey[]> {
  const input = JSON.stringify(
    suppressions.map((one) => ({
      workspace_id: one.workspaceId,
      id: one.id,
      email: one.identity,
      reason: one.reason,
      source_email_id: one.sourceEmailId ?? null,
      note: one.note ?? null,
      expires_at: one.expiresAt ?? null,
    })),
  );
  // An entry that has run out counts for nothing.
  const isStronger = sql`(held.expires_at <= now() or array_position(${SUPPRESSION_REASONS}::text[], excluded.reason)
                          > array_position(${SUPPRESSION_REASONS}::text[], held.reason))`;
  const { rows } = await sql<SuppressionKey & { isNew: boolean }>`
    with asked as (
      select distinct on (workspace_id, email) *
        from jsonb_to_recordset(${input}::jsonb) as input (workspace_id uuid, id uuid, email text, reason text,
             source_email_id uuid, note text, expires_at timestamptz)
       order by workspace_id, email, array_position(${SUPPRESSION_REASONS}::text[], reason) desc, id
    )
    insert into suppressions as held (workspace_id, id, email, reason, source_email_id, note, expires_at)
    select workspace_id, id, email, reason, source_email_id, note, expires_at from asked
    on conflict (workspace_id, email) do update
       set reason = case when ${isStronger} then excluded.reason else held.reason end,
           source_email_id = case when ${isStronger} then excluded.source_email_id else held.source_email_id end,
           note = case when ${isStronger} then excluded.note else held.note end,
           expires_at = case when held.expires_at is null then null
                             when held.expires_at <= now() or excluded.expires_at is null then excluded.expires_at
                             else greatest(held.expires_at, excluded.expires_at) end
     where ${isStronger} or (held.expires_at is not null
                             and (excluded.expires_at is null or excluded.expires_at > held.expires_at))
    returning workspace_id as "workspaceId", email as "identity", xmax = 0 as "isNew"`.execute(db);
  return rows.filter((row) => row.isNew);
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
