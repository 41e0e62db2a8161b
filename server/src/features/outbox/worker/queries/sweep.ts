import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { tellEvents } from '../../events/queries/tell-events.ts';
import { turnsOfEntering } from '../../queries/turns.ts';
import { isSuppressed } from '../../queries/what-stops.ts';

/**
 * Changes that only the passing of time causes, in pages. Each statement takes at most `limit` rows, skips rows that
 * another process works on, and may run in any number of processes at once. All of them read only the clock of the
 * database, and believe it up to a moment that the caller knows. Conditions use now() and not clock_timestamp(),
 * because an index scan cannot start at a volatile value.
 *
 * An email that comes back enters at the head of its lane, behind those of its workspace that came back before and
 * still wait: one per round. It does not wait behind the other mail that its workspace has queued. So a workspace whose
 * emails come back has two in a round, and never more. Such an email keeps `not_before`, from when on it was due.
 */

export interface Sweep {
  limit: number;
  /** The time that has passed for certain: the clock of the database may have been set forward. */
  until: Date;
}

/**
 * Emails whose lease ran out before their hand-off began: back to their old turn, as if they had never been claimed.
 */
export async function requeueUnbegun(db: Db, { limit, until }: Sweep): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with lost as materialized (
      select workspace_id, id from emails
       where status = 'sending' and handoff_at is null and lease_until < least(now(), ${until})
       order by lease_until limit ${limit} for update skip locked
    ), back as (
      update emails e set status = 'queued', lease_token = null, lease_until = null
        from lost l where e.workspace_id = l.workspace_id and e.id = l.id
      returning e.id
    )
    select count(*)::integer as n from back`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Emails whose lease ran out after their hand-off began. It is unknown whether the message left, and this is recorded.
 */
export async function markUnconfirmed(db: Db, { limit, until }: Sweep): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with lost as materialized (
      select workspace_id, id from emails
       where status = 'sending' and handoff_at is not null and lease_until < least(now(), ${until})
       order by lease_until limit ${limit} for update skip locked
    ), unconfirmed as (
      update emails e set status = 'unconfirmed', unconfirmed_at = clock_timestamp(), lease_token = null, lease_until = null,
             attempts = e.attempts + 1, first_attempt_at = coalesce(e.first_attempt_at, e.handoff_at),
             error = 'the process ended during the hand-off'
        from lost l where e.workspace_id = l.workspace_id and e.id = l.id
      returning e.workspace_id, e.id, e.attempts, e.handoff_at
    ), records as (
      insert into email_attempts (workspace_id, id, email_id, attempt, started_at, outcome, response)
      select workspace_id, ph_uuidv7(), id, attempts, handoff_at, 'unconfirmed', 'the process ended during the hand-off'
        from unconfirmed
    )
    select count(*)::integer as n from unconfirmed`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Emails whose next attempt is due. */
export async function requeueDeferred(db: Db, { limit, until }: Sweep): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with entering as materialized (
      select workspace_id, id, lane from emails
       where status = 'deferred' and not_before <= least(now(), ${until})
       order by not_before limit ${limit} for update skip locked
    ), ${turnsOfEntering({ comesBack: true })}, back as (
      update emails e set status = 'queued', turn = t.next_turn
        from turns t where e.workspace_id = t.workspace_id and e.id = t.id
      returning e.id
    )
    select count(*)::integer as n from back`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * Unconfirmed emails that have waited long enough for an event of the provider. Mail of the system and transactional
 * mail is sent once more with the same Message-ID; this is recorded before it can leave. Bulk mail, mail that was
 * sent twice already, and mail that was cancelled, suppressed or has expired in the meantime stays as it is:
 * `unconfirmed_at` null says that the wait is over. In the queue it would be settled as never sent, which nobody
 * knows.
 */
export async function resendUnconfirmed(db: Db, waitSeconds: number, { limit, until }: Sweep): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with waited as materialized (
      select e.workspace_id, e.id, e.lane, e.send_id, e.recipient, e.expires_at from emails e
       where e.status = 'unconfirmed' and e.unconfirmed_at < least(now(), ${until}) - make_interval(secs => ${waitSeconds})
       order by e.unconfirmed_at limit ${limit} for update skip locked
    ), judged as materialized (
      select e.workspace_id, e.id, e.lane, e.lane < 2 and r.cancelled_at is null and coalesce(e.expires_at > now(), true)
        and not exists (
          select from email_attempts a where a.workspace_id = e.workspace_id and a.email_id = e.id and a.outcome = 'resent')
        and not ${isSuppressed} as again
        from waited e left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
    ), entering as (
      select j.workspace_id, j.id, j.lane from judged j where j.again
    ), ${turnsOfEntering({ comesBack: true })}, moved as (
      update emails e set unconfirmed_at = null,
             status = case when j.again then 'queued' else e.status end,
             turn = coalesce(j.next_turn, e.turn),
             not_before = case when j.again then now() end,
             handoff_at = case when j.again then null else e.handoff_at end
        from (select t.workspace_id, t.id, true as again, t.next_turn from turns t
              union all
              select o.workspace_id, o.id, false, null from judged o where not o.again) as j
       where e.workspace_id = j.workspace_id and e.id = j.id
      returning e.workspace_id, e.id, e.attempts, j.again
    ), records as (
      insert into email_attempts (workspace_id, id, email_id, attempt, outcome, response)
      select workspace_id, ph_uuidv7(), id, attempts + 1, 'resent', 'no event of the provider came: sent once more' from moved where again
    )
    select count(*)::integer as n from moved`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Waiting emails that have expired. */
export async function failExpired(db: Db, { limit, until }: Sweep): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with late as materialized (
      select workspace_id, id from emails
       where expires_at is not null and status in ('queued', 'deferred') and expires_at <= least(now(), ${until})
       order by expires_at limit ${limit} for update skip locked
    ), failed as (
      update emails e set status = 'failed', error = 'expired', not_before = null, last_event_at = clock_timestamp()
        from late l where e.workspace_id = l.workspace_id and e.id = l.id
      returning e.workspace_id, e.id, e.recipient, e.grouped
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select f.workspace_id, ph_uuidv7(), f.id, 'reject', a.address, '{"reject":{"reason":"expired"}}'
        from failed f
        cross join lateral (
          select distinct lower(g.entry ->> 'address') as address from jsonb_path_query(f.grouped, '$.*[*]') as g (entry)
          union all
          select f.recipient where f.grouped is null
        ) a
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select count(*)::integer as n from failed`.execute(db);
  return rows[0]?.n ?? 0;
}
