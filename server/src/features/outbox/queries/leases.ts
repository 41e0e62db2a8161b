import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Prolongs what is still ours. A lease that was swept meanwhile keeps its new state: its token is gone. */
export async function renewLeases(db: Db, tokens: readonly string[], seconds: number): Promise<void> {
  await sql`
    -- every workspace: a claim takes emails of any
    update emails set lease_until = clock_timestamp() + make_interval(secs => ${seconds})
     where status = 'sending' and lease_token = any (${tokens}::uuid[])`.execute(db);
}

/** Gives back what was claimed under these tokens; only for claims of which nothing was handed over. */
export async function releaseClaims(db: Db, tokens: readonly string[]): Promise<void> {
  await sql`
    -- every workspace: a claim takes emails of any
    update emails set status = 'queued', lease_token = null, lease_until = null, handoff_at = null
     where status = 'sending' and lease_token = any (${tokens}::uuid[])`.execute(db);
}
