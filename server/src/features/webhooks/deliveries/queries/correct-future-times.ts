import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Corrections of times that were written before the clock of the database was set back. Without them, the endpoints of
 * a process that died would be served when the clock has caught up, and so would deliveries that waited at that moment.
 */

/** Leases last fifteen seconds. A living holder renews its lease before this one is over. */
export async function shortenLeases(db: Db): Promise<void> {
  await sql`
    -- every workspace: a process serves endpoints of any
    update webhook_leases set until = now() + interval '1 minute'
     where token is not null and until > now() + interval '5 minutes'`.execute(db);
}

/** Deliveries that seem to come from the future are due. Returns how many were not. */
export async function hastenDeliveries(db: Db, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with ahead as materialized (
      -- every workspace: the clock is one for all
      select workspace_id, id from webhook_deliveries
       where created_at > now() + interval '1 minute' and status = 'pending' and next_attempt_at > now()
       order by created_at limit ${limit} for update skip locked
    ), hastened as (
      update webhook_deliveries d set next_attempt_at = now()
        from ahead a where d.workspace_id = a.workspace_id and d.id = a.id
      returning d.id
    )
    select count(*)::integer as n from hastened`.execute(db);
  return rows[0]?.n ?? 0;
}
