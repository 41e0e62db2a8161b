import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** False: no such send, or cancelled, or paused already. */
export async function markSendPaused(db: Db, workspaceId: string, sendId: string, reason: string): Promise<boolean> {
  const { rows } = await sql`
    update send_requests set paused_at = clock_timestamp(), pause_reason = ${reason}
     where workspace_id = ${workspaceId} and id = ${sendId} and paused_at is null and cancelled_at is null
    returning id`.execute(db);
  return rows.length > 0;
}

/** undefined: no such send. */
export async function markSendResumed(
  db: Db,
  workspaceId: string,
  sendId: string,
): Promise<{ paused: boolean } | undefined> {
  const { rows } = await sql<{ paused: boolean }>`
    with was as (
      select id, paused_at from send_requests where workspace_id = ${workspaceId} and id = ${sendId} for update
    )
    update send_requests r set paused_at = null, pause_reason = null
      from was where r.workspace_id = ${workspaceId} and r.id = was.id
    returning was.paused_at is not null as paused`.execute(db);
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

/** Puts a page of them back, after what the workspace has in the lane and not before the head of it. */
export async function queueParkedEmails(db: Db, workspaceId: string, sendId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with parked as materialized (
      select id, lane from emails
       where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'pending'
       order by id limit ${limit} for update
    ), base as materialized (
      select l.lane, greatest(
        -- every workspace: the head of the lane is everybody's
        (select e.turn from emails e where e.status = 'queued' and e.lane = l.lane order by e.lane, e.turn limit 1),
        (select e.turn + 1 from emails e where e.status = 'queued' and e.workspace_id = ${workspaceId} and e.lane = l.lane
          order by e.workspace_id desc, e.lane desc, e.turn desc limit 1),
        0) as turn
        from (select distinct lane from parked) as l
    ), turns as (
      select p.id, b.turn + row_number() over (partition by p.lane order by p.id) - 1 as turn
        from parked p join base b on b.lane = p.lane
    ), back as (
      update emails e set status = 'queued', turn = t.turn
        from turns t where e.workspace_id = ${workspaceId} and e.id = t.id
      returning e.id
    )
    select count(*)::integer as n from back`.execute(db);
  return rows[0]?.n ?? 0;
}
