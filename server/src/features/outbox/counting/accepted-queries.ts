import { type RawBuilder, sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';

/** How far the clocks of processes, which make the ids, may be from that of the database. */
const CLOCK_SKEW_MS = 300_000;

/**
 * Recipients from a domain, or of all of a workspace (`domainId` null), that were accepted since `since`, the beginning
 * of a quarter of an hour: those that the counts know, those that wait, and further recipients of one message.
 * Suppressed ones are not among them. Mail that was accepted before and sent since is: a limit that is set now errs on
 * the safe side.
 */
export async function countAccepted(
  db: Db,
  { workspaceId, domainId, since }: { workspaceId: string; domainId: string | null; since: Date },
): Promise<number> {
  const ofDomain = (column: RawBuilder<unknown>) => (domainId === null ? sql`` : sql`and ${column} = ${domainId}`);
  // One state at a time, or those of one index: together they would be looked for among all emails there are.
  const waiting = (status: RawBuilder<unknown>) => sql`
    (select coalesce(sum(e.cost), 0)
       from emails e join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
      where e.workspace_id = ${workspaceId} and ${status} and not e.sandbox and e.created_at >= ${since}
        ${ofDomain(sql`k.domain_id`)})`;
  // The index of messages to several has no times, and their ids begin with one.
  const firstId = firstIdAt(new Date(since.getTime() - CLOCK_SKEW_MS));
  const { rows } = await sql<{ total: number }>`
    select (select coalesce(sum(c.sent + c.failed), 0) from email_counts c
             where c.workspace_id = ${workspaceId} and c.quarter >= ${since} ${ofDomain(sql`c.domain_id`)} and c.tag = '')
         + ${waiting(sql`e.status in ('queued', 'deferred', 'unconfirmed')`)} + ${waiting(sql`e.status = 'sending'`)}
         + (select coalesce(sum(e.cost - 1), 0)
              from emails e join contents k on k.workspace_id = e.workspace_id and k.id = e.content_id
             where e.workspace_id = ${workspaceId} and e.grouped is not null and e.sent_at is not null
               and e.id >= ${firstId}::uuid and e.created_at >= ${since} ${ofDomain(sql`k.domain_id`)}) as total`.execute(
    db,
  );
  return Number(rows[0]?.total ?? 0);
}

/** So many emails of each kind are looked at where a person only looks; a limit begins with the exact number. */
export const ACCEPTED_LOOKED_AT_MAX = 10_000;

/**
 * The same for several times at once, and in a time that does not grow with what waits: of the mail of the workspace
 * that waits, and of its messages to several, the first ten thousand are looked at. `isEstimate`: there are more, and
 * each total is at least so much. `sinces`, the earliest first.
 */
export async function countAcceptedAbout(
  db: Db,
  { workspaceId, domainId, sinces }: { workspaceId: string; domainId: string; sinces: readonly Date[] },
): Promise<{ totals: number[]; isEstimate: boolean }> {
  const [earliest] = sinces;
  if (earliest === undefined) return { totals: [], isEstimate: false };
  const firstId = firstIdAt(new Date(earliest.getTime() - CLOCK_SKEW_MS));
  // In the order of an index: else the plan may read the whole table from its beginning until it has enough.
  const looked = (where: RawBuilder<unknown>, order: RawBuilder<unknown>, cost = sql`e.cost`) => sql`
    select e.content_id, ${cost} as cost, e.created_at, e.sandbox from emails e
     where e.workspace_id = ${workspaceId} and ${where} order by ${order} limit ${ACCEPTED_LOOKED_AT_MAX + 1}`;
  const waiting = (status: string) => looked(sql`e.status = ${sql.lit(status)}`, sql`e.workspace_id, e.status, e.id`);
  const isFurther = sql`e.grouped is not null and e.sent_at is not null and e.id >= ${firstId}::uuid`;
  const { rows } = await sql<{ total: number; most: number }>`
    with queued as materialized (${waiting('queued')}), deferred as materialized (${waiting('deferred')}),
         unconfirmed as materialized (${waiting('unconfirmed')}),
         sending as materialized (${looked(sql`e.status = 'sending'`, sql`e.lease_until`)}),
         further as materialized (${looked(isFurther, sql`e.id`, sql`e.cost - 1`)}),
         own as materialized (
           select w.cost, w.created_at
             from (select * from queued where not sandbox union all select * from deferred where not sandbox union all
                   select * from unconfirmed where not sandbox union all select * from sending where not sandbox union all
                   select * from further) w
             join contents k on k.workspace_id = ${workspaceId} and k.id = w.content_id and k.domain_id = ${domainId})
    select (select coalesce(sum(c.sent + c.failed), 0) from email_counts c
             where c.workspace_id = ${workspaceId} and c.quarter >= s.since and c.domain_id = ${domainId} and c.tag = '')
         + (select coalesce(sum(o.cost), 0) from own o where o.created_at >= s.since) as total,
           greatest((select count(*) from queued), (select count(*) from deferred), (select count(*) from unconfirmed),
                    (select count(*) from sending), (select count(*) from further)) as most
      from unnest(${[...sinces]}::timestamptz[]) with ordinality as s (since, place)
     order by s.place`.execute(db);
  return {
    totals: rows.map(({ total }) => Number(total)),
    isEstimate: rows.some(({ most }) => Number(most) > ACCEPTED_LOOKED_AT_MAX),
  };
}
