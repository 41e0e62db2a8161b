import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/**
 * Moves a page of old counts to the beginning of their UTC hour, as changes: the fold of the tally makes one row of the
 * four. Rows that a fold holds are left for the next round. Returns how many it moved.
 */
export async function moveCountsToHours(db: Db, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    with page as materialized (
      select workspace_id, id from email_counts -- every workspace: what is old is old everywhere
       where quarter < ${before} and quarter <> date_bin('1 hour', quarter, '2000-01-01T00:00:00Z')
       limit ${limit} for update skip locked
    )
    update email_counts c set quarter = date_bin('1 hour', c.quarter, '2000-01-01T00:00:00Z'), folded = false
      from page p where c.workspace_id = p.workspace_id and c.id = p.id`.execute(db);
  return Number(numAffectedRows ?? 0);
}
