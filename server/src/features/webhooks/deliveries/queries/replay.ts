import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { EmailEvents } from '../../events/email-events.ts';

export interface ReplayOf {
  workspaceId: string;
  webhookId: string;
}

/** Which events of a range, by the ids they have: ids are made when an event is recorded, and sort by that. */
export interface ReplayRange {
  /** Inclusive and exclusive. */
  fromId: string;
  untilId: string;
  /** Go on after this one. */
  after: string | null;
  /** null: all types. */
  eventTypes: readonly string[] | null;
  limit: number;
}

export interface ReplayedPage {
  queued: number;
  /** The last one that was looked at; null: there were none. */
  last: string | null;
}

/** Moves the next attempt of a waiting delivery to now; false when it is not waiting. */
export async function hastenDelivery(tx: Db, of: ReplayOf, id: string): Promise<boolean> {
  const { rows } = await sql`
    update webhook_deliveries d set next_attempt_at = now()
     where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId} and d.id = ${id}
       and d.status = 'pending'
    returning d.id`.execute(tx);
  return rows.length > 0;
}

/**
 * Queues the event of a delivery that is over once more, as a delivery of its own that comes at once. Undefined: the
 * event is no longer kept, neither here nor (`isKept`) with the emails.
 */
export async function insertReplayOfDelivery(
  tx: Db,
  of: ReplayOf,
  id: string,
  { isKept }: { isKept: boolean },
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    with old as (
      update webhook_deliveries d set replayed_at = now()
       where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId} and d.id = ${id}
         and d.status <> 'pending' and not d.is_test
         and (${isKept}
           or exists (select from webhook_bodies b where b.workspace_id = d.workspace_id and b.event_id = d.event_id)
           or exists (select from workspace_events v where v.workspace_id = d.workspace_id and v.id = d.event_id))
      returning d.workspace_id, d.webhook_id, d.event_id, d.event_type
    )
    insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type)
    select workspace_id, ph_uuidv7(), webhook_id, event_id, event_type from old
    returning id`.execute(tx);
  return rows[0]?.id;
}

export interface HastenedPage {
  hastened: number;
  /** The last one that was looked at, by when it was due; null: there are no more. */
  last: { dueAt: string; id: string } | null;
}

/**
 * Moves a page of the deliveries of a range that wait for their next attempt to now, soonest first, behind what is new.
 * They are deliveries as they were: none is made beside them. Read along the index of what is due, live deliveries and
 * replays apart, so that a backlog that is due already is passed over unread.
 */
export async function hastenWaiting(
  tx: Db,
  of: ReplayOf,
  range: Omit<ReplayRange, 'after'> & { after: HastenedPage['last'] },
): Promise<HastenedPage> {
  const { after } = range;
  const { rows } = await sql<HastenedPage>`
    with waiting as (
      select w.id, w.event_type, w.next_attempt_at
        from unnest('{false,true}'::boolean[]) as kind (is_replay)
        cross join lateral (
          select d.id, d.event_type, d.next_attempt_at from webhook_deliveries d
           where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId} and d.status = 'pending'
             and d.is_replay = kind.is_replay
             and d.next_attempt_at > now() and d.next_attempt_at >= coalesce(${after?.dueAt ?? null}::timestamptz, now())
             and (d.next_attempt_at, d.id) > (coalesce(${after?.dueAt ?? null}::timestamptz, now()), coalesce(${after?.id ?? null}::uuid, ${FIRST_ID}))
           order by d.next_attempt_at, d.id limit ${range.limit}) w
    ), page as materialized (
      select * from waiting order by next_attempt_at, id limit ${range.limit}
    ), chosen as materialized (
      select d.id from webhook_deliveries d
       where d.workspace_id = ${of.workspaceId} and d.id in (
               select p.id from page p
                where p.id >= ${range.fromId}::uuid and p.id < ${range.untilId}::uuid
                  and (${range.eventTypes}::text[] is null or p.event_type = any (${range.eventTypes}::text[])))
         and d.status = 'pending' and d.next_attempt_at > now()
       order by d.id for update
    ), hastened as (
      update webhook_deliveries d set next_attempt_at = now(), is_replay = true from chosen c
       where d.workspace_id = ${of.workspaceId} and d.id = c.id
      returning 1
    )
    select (select count(*) from hastened) as hastened,
           (select json_build_object('dueAt', next_attempt_at, 'id', id)
              from page order by next_attempt_at desc, id desc limit 1) as last`.execute(tx);
  return rows[0] ?? { hastened: 0, last: null };
}

const FIRST_ID = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** Queues a page of failed deliveries anew, oldest first; each only once, so that asking twice sends nothing twice. */
export async function replayFailed(tx: Db, of: ReplayOf, range: ReplayRange): Promise<ReplayedPage> {
  const { rows } = await sql<ReplayedPage>`
    with page as (
      select d.id, d.event_id, d.event_type from webhook_deliveries d
       where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId} and d.status = 'failed'
         and d.replayed_at is null and not d.is_test
         and d.id >= ${range.fromId}::uuid and d.id < ${range.untilId}::uuid
         and (${range.after}::uuid is null or d.id > ${range.after}::uuid)
         and (${range.eventTypes}::text[] is null or d.event_type = any (${range.eventTypes}::text[]))
       order by d.id limit ${range.limit} for update
    ), old as (
      update webhook_deliveries d set replayed_at = now() from page p
       where d.workspace_id = ${of.workspaceId} and d.id = p.id
    ), queued as (
      insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, is_replay)
      select ${of.workspaceId}, ph_uuidv7(), ${of.webhookId}, event_id, event_type, true from page order by id
      returning 1
    )
    select (select count(*) from queued) as queued, (select id from page order by id desc limit 1) as last`.execute(tx);
  return rows[0] ?? { queued: 0, last: null };
}

/**
 * Queues a page of all events that the endpoint would be told today, whether it was told before or not; not those that
 * are waiting to be delivered to it.
 */
export async function replayAll(
  tx: Db,
  emailEvents: EmailEvents,
  of: ReplayOf,
  range: ReplayRange,
): Promise<ReplayedPage> {
  const shown = { withSystemMail: false, newsletterIds: [] };
  const span = { ...of, ...range, ascending: true, type: null, shown };
  const { rows } = await sql<ReplayedPage>`
    with endpoint as (
      select w.events, w.domain_ids, w.newsletter_ids from webhooks w
       where w.workspace_id = ${of.workspaceId} and w.id = ${of.webhookId}
    ), of_emails as (${emailEvents.subjects(span)}
    ), of_workspace as (
      select v.id, v.type, v.payload from workspace_events v
       where v.workspace_id = ${of.workspaceId} and v.id >= ${range.fromId}::uuid and v.id < ${range.untilId}::uuid
         and (${range.after}::uuid is null or v.id > ${range.after}::uuid)
       order by v.id limit ${range.limit}
    ), page as (
      select x.id, x.type, x.newsletter_id, x.domain_id
        from (select id, type, newsletter_id::text, domain_id::text from of_emails
              union all
              select id, type, payload #>> '{newsletter,id}', payload #>> '{domain,id}' from of_workspace) x
       order by x.id limit ${range.limit}
    ), wanted as (
      select p.id, p.type from page p cross join endpoint w
       where w.events && array[p.type, '*']
         and (${range.eventTypes}::text[] is null or p.type = any (${range.eventTypes}::text[]))
         and (w.newsletter_ids = '{}' or p.newsletter_id = any (w.newsletter_ids::text[]))
         and (w.domain_ids = '{}' or p.domain_id = any (w.domain_ids::text[]))
         and not exists (
           select from webhook_deliveries d
            where d.workspace_id = ${of.workspaceId} and d.webhook_id = ${of.webhookId} and d.status = 'pending'
              and d.event_id = p.id)
    ), queued as (
      insert into webhook_deliveries (workspace_id, id, webhook_id, event_id, event_type, is_replay)
      select ${of.workspaceId}, ph_uuidv7(), ${of.webhookId}, id, type, true from wanted order by id
      returning 1
    )
    select (select count(*) from queued) as queued, (select id from page order by id desc limit 1) as last`.execute(tx);
  return rows[0] ?? { queued: 0, last: null };
}
