import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { Tally } from '#platform/tally/tally.ts';

/** People who came and left, by quarters of an hour. */
export const growthTally: Tally = {
  table: sql`subscriber_growth`,
  key: sql`newsletter_id, quarter`,
  columns: sql`confirmed, unsubscribed, bounced, complained, removed`,
  sums: sql`sum(confirmed), sum(unsubscribed), sum(bounced), sum(complained), sum(removed)`,
};

/** People who became active, and those who stopped to be, by the reason. */
export interface Growth {
  confirmed: number;
  unsubscribed: number;
  bounced: number;
  complained: number;
  removed: number;
}

const sums = sql`
  coalesce(sum(g.confirmed), 0)::integer as confirmed, coalesce(sum(g.unsubscribed), 0)::integer as unsubscribed,
  coalesce(sum(g.bounced), 0)::integer as bounced, coalesce(sum(g.complained), 0)::integer as complained,
  coalesce(sum(g.removed), 0)::integer as removed`;

/**
 * The sums of the periods between these bounds, which are quarters of an hour, and behind them one of all that
 * happened later; `active`: how many there are now. One statement, and so true at one moment.
 */
export async function sumGrowth(
  db: Db,
  { workspaceId, newsletterId }: { workspaceId: string; newsletterId: string },
  bounds: readonly Date[],
): Promise<(Growth & { active: number })[]> {
  const { rows } = await sql<Growth & { active: number }>`
    select found.*, a.active
      from unnest(${[...bounds]}::timestamptz[], ${bounds.slice(1)}::timestamptz[]) with ordinality
             as p (since, until, place)
     cross join lateral (
       select ${sums} from subscriber_growth g
        where g.workspace_id = ${workspaceId} and g.newsletter_id = ${newsletterId} and g.quarter >= p.since
          and g.quarter < coalesce(p.until, 'infinity')) as found
     cross join (
       select coalesce(sum(c.active), 0)::integer as active from subscriber_counts c
        where c.workspace_id = ${workspaceId} and c.newsletter_id = ${newsletterId}) as a
     order by p.place`.execute(db);
  return rows;
}

/** Since when each change is counted. Before it, only the rows of people tell. */
export async function findGrowthSince(db: Db): Promise<Date> {
  const { rows } = await sql<{ since: Date }>`select since from subscriber_growth_counting`.execute(db);
  return rows[0]?.since ?? new Date(0);
}
