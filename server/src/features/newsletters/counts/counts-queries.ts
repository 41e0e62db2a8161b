import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** Newsletters whose counts lie in more rows than this, most rows first. */
export async function listUnfoldedCounts(
  db: Db,
  asked: { rowsMin: number; limit: number },
): Promise<{ workspaceId: string; newsletterId: string }[]> {
  const { rows } = await sql<{ workspaceId: string; newsletterId: string }>`
    -- every workspace: one sweep folds for everybody; it reads a few rows for each newsletter, along an index
    select workspace_id as "workspaceId", newsletter_id as "newsletterId" from subscriber_counts
     group by workspace_id, newsletter_id having count(*) > ${asked.rowsMin}
     order by count(*) desc limit ${asked.limit}`.execute(db);
  return rows;
}

/**
 * Puts up to `limit` rows of changes into one, in one statement: whoever sums them meanwhile sees the rows or their
 * sum, never both and never neither. Rows that another process is folding are left to it. Returns how many went.
 */
export async function foldCounts(db: Db, workspaceId: string, newsletterId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with chosen as materialized (
      select workspace_id, id from subscriber_counts
       where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}
       limit ${limit} for update skip locked
    ), gone as (
      delete from subscriber_counts c using chosen o where c.workspace_id = o.workspace_id and c.id = o.id
      returning c.pending, c.active, c.unsubscribed
    ), folded as (
      insert into subscriber_counts (workspace_id, newsletter_id, pending, active, unsubscribed)
      select ${workspaceId}, ${newsletterId}, sum(pending), sum(active), sum(unsubscribed) from gone having count(*) > 0
    )
    select count(*) as folded from gone`.execute(db);
  return rows[0]?.folded ?? 0;
}
