import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { turnsOfEntering } from '../../queries/turns.ts';
import { type Pause, SELF_ENDING } from '../pause.ts';

/**
 * Undefined: no such send, or cancelled, or paused already. A pause that ends by itself gives way to one that does not.
 */
export async function markSendPaused(
  db: Db,
  workspaceId: string,
  sendId: string,
  { code, reason, resumesAt }: Pause,
): Promise<{ isBulk: boolean } | undefined> {
  const { rows } = await sql<{ isBulk: boolean }>`
    update send_requests set paused_at = clock_timestamp(), pause_reason = ${reason}, pause_code = ${code},
           resumes_at = ${resumesAt}
     where workspace_id = ${workspaceId} and id = ${sendId} and cancelled_at is null
       and (paused_at is null or (pause_code = any (${SELF_ENDING}::text[]) and (${code}::text = any (${SELF_ENDING}::text[])) is not true))
    returning bulk_state is not null as "isBulk"`.execute(db);
  return rows[0];
}

/** undefined: no such send. A bulk send that was cancelled stays paused: what it has in the queue is not to leave. */
export async function markSendResumed(
  db: Db,
  workspaceId: string,
  sendId: string,
): Promise<{ paused: boolean; isBulk: boolean } | undefined> {
  const { rows } = await sql<{ paused: boolean; isBulk: boolean }>`
    with was as (
      select id, paused_at, bulk_state is not null as is_bulk,
             coalesce(bulk_state in ('cancelling', 'cancelled'), false) as is_over
        from send_requests where workspace_id = ${workspaceId} and id = ${sendId} for update
    ), resumed as (
      update send_requests r set paused_at = null, pause_reason = null, pause_code = null, resumes_at = null,
             -- the time of the pause is not time in which it should have moved
             progress_at = case when was.is_bulk then clock_timestamp() else r.progress_at end
        from was where r.workspace_id = ${workspaceId} and r.id = was.id and was.paused_at is not null and not was.is_over
    )
    select paused_at is not null and not is_over as paused, is_bulk as "isBulk" from was`.execute(db);
  return rows[0];
}

/**
 * Takes what waits out of the queue. A row that a worker is claiming at this moment is passed over: it leaves, or the
 * next claim finds the send paused.
 */
export async function parkWaitingEmails(db: Db, workspaceId: string, sendId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with waiting as materialized (
      select workspace_id, id from emails
       where workspace_id = ${workspaceId} and send_id = ${sendId} and status in ('queued', 'deferred')
       order by id limit ${limit} for update skip locked
    ), parked as (
      update emails e set status = 'pending', not_before = null
        from waiting w where e.workspace_id = w.workspace_id and e.id = w.id
      returning e.id
    )
    select count(*)::integer as n from parked`.execute(db);
  return rows[0]?.n ?? 0;
}

/**
 * The same for a bulk send, which has a few seconds of drain in the queue and perhaps a million rows beside it: by the
 * index of what the workspace has queued, and not by that of the send.
 */
export async function parkQueuedOfBulk(db: Db, workspaceId: string, sendId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with queued as materialized (
      select workspace_id, id from emails
       where workspace_id = ${workspaceId} and lane = 2 and status = 'queued' and send_id = ${sendId}
       order by workspace_id, lane, turn limit ${limit} for update skip locked
    ), deferred as materialized (
      select workspace_id, id from emails
       where workspace_id = ${workspaceId} and lane = 2 and status = 'deferred' and send_id = ${sendId}
       order by not_before limit ${limit} for update skip locked
    ), parked as (
      update emails e set status = 'pending', not_before = null
        from (select * from queued union all select * from deferred) as w
       where e.workspace_id = w.workspace_id and e.id = w.id
      returning e.id
    )
    select count(*)::integer as n from parked`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Puts a page of them back, after what the workspace has in the lane and not before the head of it. */
export async function queueParkedEmails(db: Db, workspaceId: string, sendId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with entering as materialized (
      select workspace_id, id, lane from emails
       where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'pending'
       order by id limit ${limit} for update
    ), ${turnsOfEntering({ comesBack: false })}, back as (
      update emails e set status = 'queued', turn = t.next_turn
        from turns t where e.workspace_id = ${workspaceId} and e.id = t.id
      returning e.id
    )
    select count(*)::integer as n from back`.execute(db);
  return rows[0]?.n ?? 0;
}
