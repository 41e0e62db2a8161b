import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { ScheduledStatus } from '../scheduled-email.ts';

interface PlannedEmails {
  /** Counted up to the asked number. */
  total: number;
  /** The first in the order of their times. */
  items: {
    id: string;
    newsletter_id: string | null;
    subject: string | null;
    to: string | null;
    recipients: number;
    status: ScheduledStatus;
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
  /** Empty: of all newsletters and of none. */
  newsletterIds: readonly string[];
}

/** The emails of each day that were not cancelled. Each day takes its own steps in the index by time. */
export async function listPlannedEmails(db: Db, asked: Asked): Promise<PlannedEmails[]> {
  const ofDay = sql`
    s.workspace_id = ${asked.workspaceId} and s.scheduled_for >= d.start and s.scheduled_for < d.until
    and s.status <> 'cancelled'
    and (${asked.newsletterIds.length === 0} or s.newsletter_id is null
         or s.newsletter_id = any(${[...asked.newsletterIds]}::uuid[]))`;
  const { rows } = await sql<{ total: number; items: (Omit<PlannedEmails['items'][0], 'scheduled_for'> & At)[] }>`
    select (select count(*)::integer from
             (select from scheduled_emails s where ${ofDay} limit ${asked.countedMax}) c) as total,
           (select coalesce(jsonb_agg(to_jsonb(i)), '[]') from
             (select s.id, s.newsletter_id, s.body ->> 'subject' as subject, s.status, s.timezone, s.wall_time ->> 'shown' as wall_time,
                     extract(epoch from s.scheduled_for)::double precision * 1000 as scheduled_for,
                     case jsonb_typeof(s.body -> 'to') when 'array' then s.body -> 'to' ->> 0
                          else s.body ->> 'to' end as to,
                     case jsonb_typeof(s.body -> 'to') when 'array' then jsonb_array_length(s.body -> 'to')
                          else 1 end as recipients
                from scheduled_emails s where ${ofDay}
               order by s.scheduled_for, s.id limit ${asked.limit}) i) as items
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
