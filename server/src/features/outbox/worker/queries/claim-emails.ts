import { sql } from 'kysely';
import type { StoredMailbox } from '#mail/addresses/stored-mailbox.ts';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { tellEvents } from '../../events/queries/tell-events.ts';
import { whatStops } from '../../queries/what-stops.ts';
import { type LaneStarts, LOWEST } from './lane-starts.ts';

/** An email that only this process may hand over, until its lease runs out. */
export interface ClaimedEmail {
  workspaceId: string;
  id: string;
  contentId: string;
  /** null: it is of no send, or the record of its send is gone. */
  sendId: string | null;
  /** For a bulk send: the kind of its audience, and the id of the recipient there. */
  audienceKind: string | null;
  subscriberId: string | null;
  leaseToken: string;
  recipient: string;
  recipientName: string | null;
  /** The address as typed, for envelope and header. */
  recipientTyped: string | null;
  grouped: { to: StoredMailbox[]; cc: StoredMailbox[]; bcc: StoredMailbox[] } | null;
  /** Identities of a grouped message that were suppressed in the meantime: they are left out. */
  leftOut: string[] | null;
  cost: number;
  lane: number;
  turn: number;
  /** The kind of request that made it (`mail/email-sources.ts`). null: its send request is gone. */
  source: string | null;
  sandbox: boolean;
  attempts: number;
  /** null before the first counted attempt. */
  secondsSinceFirstAttempt: number | null;
  /** The claim put the beginning on record, too. */
  isOnRecord: boolean;
}

export interface Claim {
  emails: ClaimedEmail[];
  /**
   * Rows that were settled instead and cost no slot: suppressed, unsubscribed, expired, cancelled, paused, or with a
   * withdrawn domain.
   */
  settled: number;
}

/** The most that one claim takes. */
export const CLAIM_MAX = 200;
// In the text, so that a plan without parameters expects no more.
const CLAIM_LIMIT = sql.lit(CLAIM_MAX);

const queued = (lane: number, from: number) => sql`
        select e.workspace_id, e.id, e.turn, e.lane, e.content_id, e.send_id, e.subscriber_id, e.recipient, e.grouped, e.expires_at
          from emails e where e.status = 'queued' and e.lane = ${sql.lit(lane)} and e.turn >= ${from}::bigint -- every workspace: there is one queue
         order by e.turn`;

/**
 * Binds emails to slots, at most 200. The lowest (lane, turn) comes first; at least `bulk` are from the bulk lane when
 * it has any. The statement checks again everything that may have changed since acceptance (`what-stops.ts`). The lease
 * is committed with the claim. `handoff_at` is committed with it only when it is asked to: otherwise a crash before
 * `recordBegun` leaves an email that goes back to the queue. An email of a bulk send gets the content that the send has
 * at this moment, and the row says which version it is (decision 0137). Rows that another process is claiming are
 * skipped, never waited for.
 *
 * It uses an index scan in order for each lane, which stops at its limit and begins at `from`: see `QueueStart`.
 */
export async function claimEmails(
  db: Db,
  asked: {
    slots: number;
    bulk: number;
    leaseToken: string;
    leaseSeconds: number;
    onRecord?: boolean;
    from?: LaneStarts;
  },
): Promise<Claim> {
  const { onRecord = false, from: [systemFrom, transactionalFrom, bulkFrom] = LOWEST } = asked;
  const { rows } = await sql<ClaimedEmail & { status: string }>`${keepPlan}
    with system as materialized (
      select * from (${queued(0, systemFrom)} limit ${asked.slots} for update skip locked) as s limit ${CLAIM_LIMIT}
    ), transactional as materialized (
      select * from (${queued(1, transactionalFrom)}
         limit ${asked.slots}::bigint - (select count(*) from system) for update skip locked) as t limit ${CLAIM_LIMIT}
    ), bulk as materialized (
      select * from (${queued(2, bulkFrom)}
         limit greatest(${asked.bulk}::bigint, ${asked.slots}::bigint - (select count(*) from system) - (select count(*) from transactional))
           for update skip locked) as b limit ${CLAIM_LIMIT}
    ), chosen as (
      select * from bulk
      union all
      (select * from (select * from system union all select * from transactional) as front
        order by lane, turn limit ${asked.slots}::bigint - (select count(*) from bulk))
    ), judged as materialized (
      select e.workspace_id, e.id, e.recipient, r.source, r.audience_kind, k.left_out,
        case when r.bulk_state is not null then r.content_id end as content_id, r.content_version,
        case when k.everybody then coalesce(w.stop, 'suppressed') else w.stop end as stop
        from chosen e
        left join contents t on t.workspace_id = e.workspace_id and t.id = e.content_id
        left join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
        left join domains d on d.workspace_id = e.workspace_id and d.id = t.domain_id
        left join lateral (
          select array_agg(s.email) filter (where s.email is not null) as left_out, bool_and(s.email is not null) as everybody
            from jsonb_path_query(e.grouped, '$.*[*]') as a (entry)
            left join suppressions s on s.workspace_id = e.workspace_id and s.email = lower(a.entry ->> 'address')
              and (s.expires_at is null or s.expires_at > now())
        ) k on e.grouped is not null
        cross join lateral (select ${whatStops} as stop) w
    ), claimed as (
      update emails e set
        status = case j.stop when 'cancelled' then 'cancelled' when 'suppressed' then 'suppressed' when 'unsubscribed' then 'suppressed' when 'paused' then 'pending' when 'held' then 'deferred'
          when 'expired' then 'failed' when 'domain_unverified' then 'failed' when 'content_missing' then 'failed' else 'sending' end,
        content_id = case when j.stop is null then coalesce(j.content_id, e.content_id) else e.content_id end,
        content_version = case when j.stop is null and j.content_id is not null then j.content_version else e.content_version end,
        error = case when j.stop in ('paused', 'held') then e.error else j.stop end,
        lease_token = case when j.stop is null then ${asked.leaseToken}::uuid end,
        lease_until = case when j.stop is null then clock_timestamp() + make_interval(secs => ${asked.leaseSeconds}) end,
        handoff_at = case when j.stop is null and ${onRecord}::boolean then now() end, -- changes after this moment are not seen
        not_before = case when j.stop is null then e.not_before when j.stop = 'held' then 'infinity'::timestamptz end,
        last_event_at = case when coalesce(j.stop, 'paused') in ('paused', 'held') then e.last_event_at else clock_timestamp() end
        from judged j where e.workspace_id = j.workspace_id and e.id = j.id
      returning e.workspace_id, e.id, e.content_id, e.send_id, e.subscriber_id, e.lease_token, e.recipient, e.recipient_name, e.recipient_typed,
        e.grouped, j.left_out, j.source, j.audience_kind, e.cost, e.lane, e.turn, e.sandbox, e.attempts, e.first_attempt_at, e.status, j.stop
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select c.workspace_id, ph_uuidv7(), c.id, 'reject', a.address, jsonb_build_object('reject', jsonb_build_object('reason', c.stop))
        from claimed c
        cross join lateral (
          select distinct lower(g.entry ->> 'address') as address from jsonb_path_query(c.grouped, '$.*[*]') as g (entry)
          union all
          select c.recipient where c.grouped is null
        ) a
       where c.stop in ('expired', 'domain_unverified', 'content_missing', 'suppressed', 'unsubscribed')
      returning workspace_id, id, email_id, type
    ), ${tellEvents}
    select workspace_id as "workspaceId", id, content_id as "contentId", send_id as "sendId",
           subscriber_id as "subscriberId", lease_token as "leaseToken", recipient,
           recipient_name as "recipientName", recipient_typed as "recipientTyped", grouped, left_out as "leftOut", cost,
           ${onRecord}::boolean as "isOnRecord", lane, turn, source, audience_kind as "audienceKind", sandbox, attempts, status,
           extract(epoch from clock_timestamp() - first_attempt_at)::double precision as "secondsSinceFirstAttempt"
      from claimed order by lane, turn`.execute(db);
  const emails = rows.filter((row) => row.status === 'sending');
  return { emails, settled: rows.length - emails.length };
}
