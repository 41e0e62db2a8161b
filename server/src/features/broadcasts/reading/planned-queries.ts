import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { BroadcastStatus } from '../broadcast.ts';

interface PlannedBroadcasts {
  /** Counted up to the asked number. */
  total: number;
  /** The first in the order of their times. */
  items: {
    id: string;
    name: string;
    subject: string | null;
    status: BroadcastStatus;
    scheduled_for: Date;
    timezone: string | null;
    wall_time: string | null;
    recipient_timezone: boolean;
  }[];
}

interface Asked {
  workspaceId: string;
  /** The beginnings of the days, and the end of the last. */
  bounds: readonly Date[];
  limit: number;
  countedMax: number;
  /** Only those to one of these newsletters; empty: all, those to contacts too. */
  newsletterIds: readonly string[];
}

/**
 * When it leaves, or began to: one that was sent at once has no other time, or had a later one. The text is that of
 * the index.
 */
const LEAVES = sql`(case when b.recipient_timezone then b.scheduled_for else least(b.scheduled_for, b.started_at) end)`;

/** The broadcasts that leave on each day and are not cancelled. Each day takes its own steps in the index. */
export async function listPlannedBroadcasts(db: Db, asked: Asked): Promise<PlannedBroadcasts[]> {
  const ofDay = sql`
    b.workspace_id = ${asked.workspaceId} and ${LEAVES} >= d.start and ${LEAVES} < d.until
    and b.status not in ('draft', 'cancelled')
    ${asked.newsletterIds.length === 0 ? sql`` : sql`and b.audience ->> 'newsletterId' = any (${[...asked.newsletterIds]}::text[])`}`;
  const { rows } = await sql<{ total: number; items: (Omit<PlannedBroadcasts['items'][0], 'scheduled_for'> & At)[] }>`
    select (select count(*)::integer from
             (select from broadcasts b where ${ofDay} limit ${asked.countedMax}) c) as total,
           (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from
             (select b.id, b.name, b.subject, b.status, b.timezone,
                     case when b.scheduled_for = ${LEAVES} then b.wall_time ->> 'shown' end as wall_time,
                     b.recipient_timezone,
                     extract(epoch from ${LEAVES})::double precision * 1000 as scheduled_for
                from broadcasts b where ${ofDay}
               order by ${LEAVES}, b.id limit ${asked.limit}) i) as items
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
