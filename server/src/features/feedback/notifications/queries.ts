import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { removePage } from '#platform/db/remove-page.ts';
import type { StoredNotification } from './notification.ts';

export type NewNotification = Omit<StoredNotification, 'receivedAt'>;

/** Stores notifications in one statement; returns those that were not known before. */
export async function insertNotifications(
  db: Db,
  given: readonly NewNotification[],
): Promise<{ source: string; id: string }[]> {
  const column = <T>(pick: (one: NewNotification) => T): T[] => given.map(pick);
  // The bodies go as one parameter, which the driver sends as it is; an array of them it would spell out in
  // hexadecimal.
  const starts = given.map((_, index) => given.slice(0, index).reduce((sum, one) => sum + one.body.length, 1));
  const { rows } = await sql<{ source: string; id: string }>`
    insert into provider_notifications (source, id, topic, body, envelope_to)
    select n.source, n.id, n.topic, substring(b.bodies from n.start for n.size), n.envelope_to
      from (values (${Buffer.concat(column((n) => n.body))}::bytea)) as b (bodies),
           unnest(${column((n) => n.source)}::text[], ${column((n) => n.id)}::text[], ${column((n) => n.topic)}::text[],
             ${starts}::integer[], ${column((n) => n.body.length)}::integer[], ${column((n) => n.envelopeTo)}::text[])
             as n (source, id, topic, start, size, envelope_to)
    on conflict (source, id) do nothing
    returning source, id`.execute(db);
  return rows;
}

export interface WaitingNotification extends StoredNotification {
  tries: number;
  /** It has waited for its email as long as it may. */
  isLastTry: boolean;
  nextTryAt: Date;
}

/**
 * The due notifications from `from` on (null: all), oldest first. SKIP LOCKED: several processes share the work.
 */
export async function lockDueNotifications(
  db: Db,
  limit: number,
  giveUpAfterHours: number,
  from: Date | null,
): Promise<WaitingNotification[]> {
  const { rows } = await sql<WaitingNotification>`
    select source, id, topic, body, envelope_to as "envelopeTo", received_at as "receivedAt", tries,
           received_at < clock_timestamp() - make_interval(hours => ${giveUpAfterHours}::integer) as "isLastTry",
           next_try_at as "nextTryAt"
      from provider_notifications
     where processed_at is null and next_try_at <= statement_timestamp()
       and next_try_at >= ${from ?? '-infinity'}::timestamptz
     order by next_try_at
     limit ${limit}
       for update skip locked`.execute(db);
  return rows;
}

/** The same for one of them, if it still waits. */
export async function lockNotification(
  db: Db,
  key: { source: string; id: string },
  giveUpAfterHours: number,
): Promise<WaitingNotification | undefined> {
  const { rows } = await sql<WaitingNotification>`
    select source, id, topic, body, envelope_to as "envelopeTo", received_at as "receivedAt", tries,
           received_at < clock_timestamp() - make_interval(hours => ${giveUpAfterHours}::integer) as "isLastTry",
           next_try_at as "nextTryAt"
      from provider_notifications
     where source = ${key.source} and id = ${key.id} and processed_at is null
       for update skip locked`.execute(db);
  return rows[0];
}

/** The result of one notification. `outcome` null: it is tried again after `waitSeconds`. */
export interface Processed {
  source: string;
  id: string;
  outcome: 'applied' | 'unmatched' | 'ignored' | 'malformed' | null;
  note: string | null;
  waitSeconds: number;
  /** Its body is not worth keeping. */
  isEmptied: boolean;
}

export async function markProcessed(db: Db, processed: readonly Processed[]): Promise<void> {
  const input = processed.map(({ source, id, outcome, note, waitSeconds, isEmptied }) => ({
    source,
    id,
    outcome,
    note,
    wait: waitSeconds,
    emptied: isEmptied,
  }));
  await sql`
    update provider_notifications n
       set outcome = p.outcome, note = p.note, tries = n.tries + 1,
           processed_at = case when p.outcome is not null then clock_timestamp() end,
           next_try_at = clock_timestamp() + make_interval(secs => p.wait),
           body = case when p.emptied then '' else n.body end
      from jsonb_to_recordset(${JSON.stringify(input)}::jsonb)
        as p (source text, id text, outcome text, note text, wait double precision, emptied boolean)
     where n.source = p.source and n.id = p.id`.execute(db);
}

export interface FoundWork {
  notifications: boolean;
  events: boolean;
  /** Bulk sends that are to be paused: their round was committed, and the process died before the pause. */
  pauses: boolean;
  /** Owners are to be told of refusals, likewise. */
  alarms: boolean;
  /** All that was stored before this moment is seen by a look now, unless its transaction takes longer than that. */
  settledAt: Date;
}

const SETTLED_SECONDS = 10;

/** One look at an idle database, in place of two empty rounds: for what is due from these moments on (null: all). */
export async function findWork(db: Db, from: { notifications: Date | null; events: Date | null }): Promise<FoundWork> {
  const { rows } = await sql<FoundWork>`
    -- every workspace: what waits is anybody's
    select exists (select from provider_notifications
                    where processed_at is null and next_try_at <= statement_timestamp()
                      and next_try_at >= ${from.notifications ?? '-infinity'}::timestamptz) as notifications,
           exists (select from provider_events
                    where applied_at is null and at <= statement_timestamp()
                      and at >= ${from.events ?? '-infinity'}::timestamptz
                      and (not_before is null or not_before <= statement_timestamp())) as events,
           exists (select from bulk_health where pause_reason is not null) as pauses,
           exists (select from policy_refusals where to_tell) as alarms,
           statement_timestamp() - make_interval(secs => ${SETTLED_SECONDS}::integer) as "settledAt"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('a statement that always returns a row returned none');
  return row;
}

/**
 * Removes the raw bodies of a page of notifications that were processed long ago, behind `after`; null: from the oldest
 * of the last two days that are due. Returns how many it emptied, and where the next page begins; null: nowhere yet.
 * By the time of the statement, so that the index is searched for it.
 */
export async function emptyOldBodies(
  db: Db,
  olderThanDays: number,
  after: string | null,
  limit: number,
): Promise<{ emptied: number; last: string | null }> {
  const { rows } = await sql<{ emptied: number; last: string | null }>`
    with page as materialized (
      select n.source, n.id, n.received_at, n.processed_at is not null and n.body <> '' as is_due
        from provider_notifications n
       where n.received_at < statement_timestamp() - make_interval(days => ${olderThanDays}::integer)
         and n.received_at > coalesce(${after}::timestamptz, statement_timestamp() - make_interval(days => ${olderThanDays + 2}::integer))
       order by n.received_at fetch first ${limit} rows with ties
    ), emptied as (
      update provider_notifications n set body = '', envelope_to = null from page p
       where n.source = p.source and n.id = p.id and p.is_due returning n.id
    )
    select (select count(*)::integer from emptied) as emptied, (select max(received_at)::text from page) as last`.execute(
    db,
  );
  return rows[0] ?? { emptied: 0, last: null };
}

/** Forgets a page of notifications altogether, the oldest first. Returns how many it found. */
export const deleteOldNotifications = (db: Db, olderThanDays: number, limit: number): Promise<number> =>
  removePage(
    db,
    sql`
      select source, id from provider_notifications
       where received_at < statement_timestamp() - make_interval(days => ${olderThanDays}::integer)
         and processed_at is not null
       order by received_at
       limit ${limit}`,
    sql`delete from provider_notifications where (source, id) in (select source, id from page)`,
  );
