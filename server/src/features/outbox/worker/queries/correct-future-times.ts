import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Corrections of times that were written before the clock of the database was set back. Emails that were deferred more
 * than once keep their time, which is late by as much as the step: nothing tells their wait from one that is meant to
 * be so long.
 */

/** A lease ends at the latest as if it was taken now. Its holder counts by its own clock, and is not later. */
export async function shortenLeases(db: Db, leaseSeconds: number): Promise<void> {
  await sql`
    with ahead as materialized (
      -- every workspace: a claim takes emails of any
      select workspace_id, id from emails
       where status = 'sending' and lease_until > now() + make_interval(secs => ${leaseSeconds}::double precision + 1)
       order by id for update -- like the settler: no deadlocks
    )
    update emails e set lease_until = now() + make_interval(secs => ${leaseSeconds})
      from ahead a where e.workspace_id = a.workspace_id and e.id = a.id`.execute(db);
}

/** A retry of a first attempt is due now, and so is one after a throttle answer, which is at most ten minutes away. */
export async function hastenRetries(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with ahead as materialized (
      -- every workspace: one queue has the emails of all
      select workspace_id, id from emails
       where status = 'deferred' and not_before > now() and not_before < 'infinity'
         and case when first_attempt_at is null then not_before > now() + interval '11 minutes'
                  else first_attempt_at > now() + interval '30 seconds' end
       order by not_before limit ${limit} for update skip locked
    ), hastened as (
      update emails e set not_before = now(), first_attempt_at = case when e.first_attempt_at > now() then now() else e.first_attempt_at end
        from ahead a where e.workspace_id = a.workspace_id and e.id = a.id
      returning e.id
    )
    select count(*)::integer as n from hastened`.execute(db);
  return rows[0]?.n ?? 0;
}

/** A wait for an event of the provider begins again. */
export async function shortenUnconfirmed(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with ahead as materialized (
      -- every workspace: one queue has the emails of all
      select workspace_id, id from emails
       where status = 'unconfirmed' and unconfirmed_at > now()
       order by unconfirmed_at limit ${limit} for update skip locked
    ), shortened as (
      update emails e set unconfirmed_at = now()
        from ahead a where e.workspace_id = a.workspace_id and e.id = a.id
      returning e.id
    )
    select count(*)::integer as n from shortened`.execute(db);
  return rows[0]?.n ?? 0;
}
