import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** One email under the claim that took it. */
export interface Claimed {
  emailId: string;
  token: string;
}

/**
 * Prolongs what is still ours, and returns that. A lease that has run out is not revived, whether it was swept already
 * or not: somebody else may have the email by the time this process hears of it. The emails of one claim may part
 * here: the claim dates each of them by itself.
 */
export async function renewLeases(db: Db, tokens: readonly string[], seconds: number): Promise<Claimed[]> {
  const { rows } = await sql<Claimed>`
    with ours as materialized (
      -- every workspace: a claim takes emails of any
      select workspace_id, id from emails
       where status = 'sending' and lease_token = any (${tokens}::uuid[]) and lease_until > now()
       order by id for update -- like the settler: no deadlocks
    )
    update emails e set lease_until = now() + make_interval(secs => ${seconds})
      from ours o where e.workspace_id = o.workspace_id and e.id = o.id
    returning e.id as "emailId", e.lease_token as token`.execute(db);
  return rows;
}

/** Gives back what was claimed under these tokens; only for claims of which nothing was handed over. */
export async function releaseClaims(db: Db, tokens: readonly string[]): Promise<void> {
  await sql`
    with claimed as materialized (
      -- every workspace: a claim takes emails of any
      select workspace_id, id from emails where status = 'sending' and lease_token = any (${tokens}::uuid[])
       order by id for update
    )
    update emails e set status = 'queued', lease_token = null, lease_until = null, handoff_at = null
      from claimed c where e.workspace_id = c.workspace_id and e.id = c.id`.execute(db);
}
