import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

/** People who opened and clicked the mail of bulk sends, by quarters of an hour. */
export const courseTally: Tally = {
  table: sql`send_courses`,
  key: sql`send_id, quarter`,
  columns: sql`opened, clicked`,
  sums: sql`sum(opened), sum(clicked)`,
};

/** How many emails were opened and clicked by people for the first time. */
export interface Course {
  opened: number;
  clicked: number;
}

/**
 * The sums of the periods between these bounds, which are quarters of an hour, and behind them one of all that is
 * counted of the send, at whatever time. One statement, and so true at one moment.
 */
export async function sumCourse(
  db: Db,
  { workspaceId, sendId }: { workspaceId: string; sendId: string },
  bounds: readonly Date[],
): Promise<Course[]> {
  const { rows } = await sql<Course>`
    select found.*
      from unnest(${[...bounds.slice(0, -1), new Date(0)]}::timestamptz[], ${[...bounds.slice(1), null]}::timestamptz[])
             with ordinality as p (since, until, place)
     cross join lateral (
       select coalesce(sum(c.opened), 0)::integer as opened, coalesce(sum(c.clicked), 0)::integer as clicked
         from send_courses c
        where c.workspace_id = ${workspaceId} and c.send_id = ${sendId} and c.quarter >= p.since
          and c.quarter < coalesce(p.until, 'infinity')) as found
     order by p.place`.execute(db);
  return rows;
}
