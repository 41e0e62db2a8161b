import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The last row of a page. */
export interface CountsCursor {
  workspaceId: string;
  quarter: Date;
}

/**
 * Puts a page of the counts before a time into their eighths of a day, which a trigger adds up in this statement. Rows
 * that a fold holds are left for the next round. Undefined: it was the last page.
 */
export async function putPageInEighths(
  db: Db,
  { before, after, limit }: { before: Date; after: CountsCursor | undefined; limit: number },
): Promise<CountsCursor | undefined> {
  // The whole quarter of the last row once more: those that are done are in an eighth by now.
  const rest = after ? sql`and (workspace_id, quarter) >= (${after.workspaceId}::uuid, ${after.quarter})` : sql``;
  const { rows } = await sql<CountsCursor & { n: number }>`
    with page as materialized (
      select workspace_id, id, quarter from email_counts -- every workspace: what is old is old everywhere
       where not in_eighths and quarter < ${before} ${rest}
       order by workspace_id, quarter limit ${limit} for update skip locked
    ), put as (
      update email_counts c set in_eighths = true from page p where c.workspace_id = p.workspace_id and c.id = p.id
    )
    select workspace_id as "workspaceId", quarter, (select count(*) from page)::integer as n
      from page order by workspace_id desc, quarter desc limit 1`.execute(db);
  const [last] = rows;
  return last === undefined || last.n < limit ? undefined : { workspaceId: last.workspaceId, quarter: last.quarter };
}
