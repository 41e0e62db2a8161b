import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { BulkState, SendKey } from '../bulk-send.ts';
import type { OpenParts, PartOfSend } from '../parts.ts';
import { turnsOfEntering } from '../../queries/turns.ts';
import { whatStopsRecipient } from '../../queries/what-stops.ts';
import { tellEvents } from '../../events/queries/tell-events.ts';

/**
 * The sends that are released or cancelled page by page. Reads a handful of rows by an index that holds nothing
 * else.
 */
export async function selectUnderWay(db: Db): Promise<SendKey[]> {
  const { rows } = await sql<SendKey>`
    select workspace_id as "workspaceId", id as "sendId" from send_requests
     where bulk_state in ('freezing', 'releasing', 'cancelling') and bulk_state <> 'freezing' -- every workspace: one process releases for all
     order by progress_at`.execute(db);
  return rows;
}

/**
 * Marks `released` sends with pending emails to be released once more: a pause or a withdrawn domain had put the
 * emails back. The counts say which sends may have some, so that the index of pending emails is read for those alone:
 * it keeps all that were released while a snapshot is held.
 */
export async function reopenReleased(db: Db): Promise<void> {
  await sql`
    with counted as materialized (
      select distinct c.workspace_id, c.send_id from send_counts c
       where c.waiting > 0 -- every workspace: one process releases for all
    ), released as materialized (
      select r.workspace_id, r.id from counted c
        join send_requests r on r.workspace_id = c.workspace_id and r.id = c.send_id
       where r.bulk_state = 'released' and r.paused_at is null and r.cancelled_at is null
    )
    update send_requests r set bulk_state = 'releasing'
      from released o
     where r.workspace_id = o.workspace_id and r.id = o.id and r.bulk_state = 'released' and r.paused_at is null
       and r.cancelled_at is null
       -- no "exists": the planner may make a join of it, which reads all pending emails
       and (select e.id from emails e where e.workspace_id = o.workspace_id and e.send_id = o.id and e.status = 'pending'
             order by e.workspace_id, e.send_id, e.id limit 1) is not null`.execute(db);
}

export interface LockedSend {
  state: BulkState | null;
  isPaused: boolean;
  isCancelled: boolean;
  wasReleased: boolean;
  hasContent: boolean;
  fromDomain: string;
  /** null: the domain belongs to the instance. */
  domain: 'verified' | 'unverified' | 'deleted' | null;
  domainId: string | null;
  /** The caps of the domain: recipients a day and a calendar month (UTC). null: none. */
  maxDaily: number | null;
  maxMonthly: number | null;
  /** The operator has paused or blocked its workspace. */
  gate: 'paused' | 'blocked' | null;
  /** The quota of its workspace: recipients a calendar month (UTC). null: none. */
  emailsPerMonth: number | null;
  /** Queued and being handed over. */
  underWay: number;
  /** null: the provider has not said. */
  providerRate: number | null;
  /** null: all of it may leave. */
  parts: PartOfSend[] | null;
  /** By the clock of the database. */
  now: Date;
}

/**
 * Locks the send until the transaction ends. undefined: another process holds it. The counts come from a second
 * statement. A trigger refuses pages of sends with parts in a transaction that has not said that it knows these.
 */
export async function lockSend(tx: Db, { workspaceId, sendId }: SendKey): Promise<LockedSend | undefined> {
  const { rows: locked } = await sql`
    select id, set_config('posthorn.knows_parts', 'yes', true) from send_requests where workspace_id = ${workspaceId} and id = ${sendId} for update skip locked`.execute(
    tx,
  );
  if (locked.length === 0) return undefined;
  // This statement is later than the lock, so it sees everything that was committed before the lock.
  const { rows } = await sql<LockedSend>`
    select r.bulk_state as state, r.paused_at is not null as "isPaused", r.cancelled_at is not null as "isCancelled",
           r.released_at is not null as "wasReleased", t.id is not null as "hasContent",
           coalesce(t.from_domain, '') as "fromDomain",
           case when t.domain_id is null then null when d.id is null then 'deleted'
                when d.sending_enabled then 'verified' else 'unverified' end as domain,
           d.id as "domainId", d.max_daily_emails as "maxDaily", d.max_monthly_emails as "maxMonthly",
           (select nullif(g.state, 'resuming') from sending_gates g where g.workspace_id = r.workspace_id) as gate,
           (select w.emails_per_month from workspaces w where w.id = r.workspace_id) as "emailsPerMonth",
           coalesce((select sum(c.queued + c.sending) from send_counts c
                      where c.workspace_id = r.workspace_id and c.send_id = r.id), 0)::integer as "underWay",
           (select provider_rate from send_pace) as "providerRate", r.parts, clock_timestamp() as now
      from send_requests r
      left join contents t on t.workspace_id = r.workspace_id and t.id = r.content_id
      left join domains d on d.workspace_id = t.workspace_id and d.id = t.domain_id
     where r.workspace_id = ${workspaceId} and r.id = ${sendId}`.execute(tx);
  return rows[0];
}

/**
 * Moves a page from `pending` to the queue. It goes behind the other emails of its workspace in the lane, and not
 * before the head of the lane. Each email that was never queued before gets its `send` event. The email of a
 * recipient who was suppressed or has left the list in the meantime is settled instead. At most `places` emails that
 * were never queued before are queued (null: any number); those that were have their places in limits already. Returns
 * how many rows were moved either way, and how many of the queued ones were never queued before. Emails are locked in
 * the order of their ids, as in the transactions that suppress an address or end a subscription: they wait for this
 * page, and then find its emails queued. The page begins with the email `from`, and has only emails of the open parts
 * (null: the send has no parts). These have the lower ids; the time beside the id is for a clock that was set back.
 */
export async function releasePage(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  { limit, places, from, open }: { limit: number; places: number | null; from: string; open: OpenParts | null },
): Promise<{ queued: number; fresh: number; settled: number }> {
  const { rows } = await sql<{ queued: number; fresh: number; settled: number }>`
    with page as materialized (
      select e.workspace_id, e.id, e.recipient, e.grouped, e.subscriber_id, e.lane, e.turn from emails e
       where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} and e.status = 'pending' and e.id >= ${from}::uuid
         and ${open === null ? sql`true` : sql`e.id <= ${open.last}::uuid and (e.not_before is null or e.not_before <= ${open.at})`}
       order by e.id limit ${limit} for update
    ), judged as materialized (
      select * from (
        select n.*, row_number() over (partition by n.stop is null and n.turn = -1 order by n.id) as nth from (
          select e.*, ${whatStopsRecipient} as stop
            from page e join send_requests r on r.workspace_id = e.workspace_id and r.id = ${sendId}) n) j
       where ${places}::integer is null or j.nth <= ${places}::integer or j.stop is not null or j.turn <> -1
    ), entering as (
      select j.workspace_id, j.id, j.lane, j.turn = -1 as is_new from judged j where j.stop is null
    ), ${turnsOfEntering({ comesBack: false })}, released as (
      update emails e set status = case when j.stop is null then 'queued' else 'suppressed' end,
             turn = coalesce(j.next_turn, e.turn),
             error = coalesce(j.stop, e.error), not_before = null,
             last_event_at = case when j.stop is null then e.last_event_at else clock_timestamp() end
        from (select t.workspace_id, t.id, null as stop, t.is_new, t.next_turn from turns t
              union all
              select o.workspace_id, o.id, o.stop, false, null from judged o where o.stop is not null) as j
       where e.workspace_id = ${workspaceId} and e.id = j.id
      returning e.workspace_id, e.id, e.recipient, j.stop, j.is_new
    ), events as (
      insert into email_events (workspace_id, id, email_id, type, recipient, event_data)
      select workspace_id, ph_uuidv7(), id, case when stop is null then 'send' else 'reject' end, recipient,
             case when stop is null then '{"send":{}}'::jsonb
               else jsonb_build_object('reject', jsonb_build_object('reason', stop)) end
        from released where stop is not null or is_new
      returning workspace_id, id, email_id, type
    ), ${tellEvents},
    moved as (
      update send_requests set progress_at = clock_timestamp(),
             started_at = case when exists (select from turns)
                               then coalesce(started_at, clock_timestamp()) else started_at end
       where workspace_id = ${workspaceId} and id = ${sendId} and exists (select from judged)
    )
    select (count(*) filter (where stop is null))::integer as queued,
           (count(*) filter (where is_new))::integer as fresh,
           (count(*) filter (where stop is not null))::integer as settled from released`.execute(tx);
  return rows[0] ?? { queued: 0, fresh: 0, settled: 0 };
}

/** The lowest id of a pending email of the send, from `from` on (null: of all), in a snapshot of its own. */
export async function lowestPending(
  tx: Db,
  { workspaceId, sendId }: SendKey,
  from: string | null,
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from emails
     where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'pending'
       and id >= coalesce(${from}::uuid, '00000000-0000-0000-0000-000000000000')
     order by workspace_id, send_id, id limit 1`.execute(tx);
  return rows[0]?.id;
}

export async function markReleased(tx: Db, { workspaceId, sendId }: SendKey): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    update send_requests set bulk_state = 'released', released_at = coalesce(released_at, clock_timestamp()),
           progress_at = clock_timestamp()
     where workspace_id = ${workspaceId} and id = ${sendId}
    returning total`.execute(tx);
  return rows[0]?.total ?? 0;
}

/** No email of it leaves any more, whoever has it in the queue. */
export async function markWithdrawn(tx: Db, { workspaceId, sendId }: SendKey): Promise<void> {
  await sql`
    update send_requests set cancelled_at = clock_timestamp()
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(tx);
}
