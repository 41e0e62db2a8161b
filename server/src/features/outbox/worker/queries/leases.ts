import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Prolongs what is still ours, and returns the tokens of that. A lease that has run out is not revived, whether it was
 * swept already or not: somebody else may have the email by the time this process hears of it.
 */
export async function renewLeases(db: Db, tokens: readonly string[], seconds: number): Promise<Set<string>> {
  const { rows } = await sql<{ token: string }>`
    -- every workspace: a claim takes emails of any
    update emails set lease_until = now() + make_interval(secs => ${seconds})
     where status = 'sending' and lease_token = any (${tokens}::uuid[]) and lease_until > now()
    returning lease_token as token`.execute(db);
  return new Set(rows.map((row) => row.token));
}

/** Gives back what was claimed under these tokens; only for claims of which nothing was handed over. */
export async function releaseClaims(db: Db, tokens: readonly string[]): Promise<void> {
  await sql`
    -- every workspace: a claim takes emails of any
    update emails set status = 'queued', lease_token = null, lease_until = null, handoff_at = null
     where status = 'sending' and lease_token = any (${tokens}::uuid[])`.execute(db);
}
