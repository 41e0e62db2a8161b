import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { IssueStatus } from '../issue.ts';

interface PlannedIssues {
  /** Counted up to the asked number. */
  total: number;
  /** The first in the order of their times. */
  items: {
    id: string;
    newsletter_id: string;
    newsletter_name: string;
    subject: string;
    status: IssueStatus;
    scheduled_for: Date;
    timezone: string | null;
    wall_time: string | null;
  }[];
}

interface Asked {
  workspaceId: string;
  /** The beginnings of the days, and the end of the last. */
  bounds: readonly Date[];
  limit: number;
  countedMax: number;
  /** Empty: of all. */
  newsletterIds: readonly string[];
}

/** When it leaves, or began to: one that was sent at once has no other time, or had a later one. As in the index. */
const LEAVES = sql`least(i.scheduled_for, i.started_at)`;

/** The issues that leave on each day and are not cancelled, of every newsletter. */
export async function listPlannedIssues(db: Db, asked: Asked): Promise<PlannedIssues[]> {
  const ofDay = sql`
    i.workspace_id = ${asked.workspaceId} and ${LEAVES} >= d.start and ${LEAVES} < d.until
    and i.status not in ('draft', 'cancelled')
    and (${asked.newsletterIds.length === 0} or i.newsletter_id = any(${[...asked.newsletterIds]}::uuid[]))`;
  const { rows } = await sql<{ total: number; items: (Omit<PlannedIssues['items'][0], 'scheduled_for'> & At)[] }>`
    select (select count(*)::integer from (select from issues i where ${ofDay} limit ${asked.countedMax}) c) as total,
           (select coalesce(jsonb_agg(to_jsonb(p)), '[]') from
             (select i.id, i.newsletter_id, n.name as newsletter_name, i.subject, i.status,
                     coalesce(i.timezone, n.timezone) as timezone,
                     case when i.scheduled_for = ${LEAVES} then i.wall_time ->> 'shown' end as wall_time,
                     extract(epoch from ${LEAVES})::double precision * 1000 as scheduled_for
                from issues i join newsletters n on n.workspace_id = i.workspace_id and n.id = i.newsletter_id
               where ${ofDay} order by ${LEAVES}, i.id limit ${asked.limit}) p) as items
      from unnest(${asked.bounds.slice(0, -1)}::timestamptz[], ${asked.bounds.slice(1)}::timestamptz[])
           with ordinality as d (start, until, day)
     order by d.day`.execute(db);
  return rows.map(({ total, items }) => ({
    total,
    items: items.map((item) => ({ ...item, scheduled_for: new Date(item.scheduled_for) })),
  }));
}

interface At {
  /** In milliseconds, since JSON has no instants. */
  scheduled_for: number;
}
