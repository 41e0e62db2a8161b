import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import type { PauseCode } from '../../pause/pause.ts';
import type { BulkState, SendKey } from '../bulk-send.ts';
import type { PartOfSend } from '../parts.ts';

/** Everything that decides whether a bulk send moves, in one snapshot. Times are the database's. */
export interface Circumstances {
  state: BulkState;
  isWithdrawn: boolean;
  now: Date;
  progressAt: Date | null;
  sendPausedAt: Date | null;
  sendPauseReason: string | null;
  sendPauseCode: PauseCode | null;
  resumesAt: Date | null;
  /** null: all of it may leave at once. */
  parts: PartOfSend[] | null;
  /** An email is pending that may leave: with parts, one of a part that has begun. */
  mayRelease: boolean;
  /** The operator has paused or blocked its workspace, and since when. */
  gate: 'paused' | 'blocked' | null;
  gateChangedAt: Date | null;
  waiting: number;
  queued: number;
  sending: number;
  deferred: number;
  /** The provider's answer about an email that waits for another attempt, and the time of that attempt. */
  deferredError: string | null;
  deferredUntil: Date | null;
  /** Mail of higher lanes that goes first, counted up to a bound. */
  ahead: number;
  pacePausedUntil: Date | null;
  pacePauseReason: string | null;
  providerRate: number | null;
  /** When a process that hands mail over was last seen; null: none in the last hour. */
  workerSeenAt: Date | null;
  workerIsAlive: boolean;
}

/** Bounded counts only: a page of the dashboard asks this every few seconds. */
export async function selectCircumstances(
  db: Db,
  { workspaceId, sendId }: SendKey,
  aheadMax: number,
): Promise<Circumstances | undefined> {
  const { rows } = await sql<Circumstances>`
    select r.bulk_state as state, r.cancelled_at is not null as "isWithdrawn", clock_timestamp() as now,
           r.progress_at as "progressAt", r.paused_at as "sendPausedAt", r.pause_reason as "sendPauseReason",
           r.pause_code as "sendPauseCode", r.resumes_at as "resumesAt", r.parts,
           case when r.parts is null then coalesce(c.waiting, 0) > 0
                else exists (select from emails e
                              where e.workspace_id = r.workspace_id and e.send_id = r.id and e.status = 'pending'
                                and e.id <= o.last_id and (e.not_before is null or e.not_before <= clock_timestamp()))
           end as "mayRelease",
           nullif(g.state, 'resuming') as gate,
           g.changed_at as "gateChangedAt",
           coalesce(c.waiting, 0)::integer as waiting, coalesce(c.queued, 0)::integer as queued,
           coalesce(c.sending, 0)::integer as sending,
           d.n as deferred, d.error as "deferredError", d.until as "deferredUntil",
           (select count(*)::integer from (
              select from emails e where e.status = 'queued' and e.lane < 2 -- every workspace: there is one queue
               limit ${aheadMax}) as bounded) as ahead,
           case when p.paused_until > clock_timestamp() then p.paused_until end as "pacePausedUntil",
           case when p.paused_until > clock_timestamp() then p.pause_reason end as "pacePauseReason",
           p.provider_rate as "providerRate", k.seen_at as "workerSeenAt",
           coalesce(k.seen_at > now() - interval '30 seconds', false) as "workerIsAlive"
      from send_requests r
      left join lateral (
        select max((p ->> 'last') collate "C")::uuid as last_id from jsonb_array_elements(r.parts) p
         where (p ->> 'at')::timestamptz <= clock_timestamp()) o on true
      left join lateral (
        select sum(n.waiting) as waiting, sum(n.queued) as queued, sum(n.sending) as sending from send_counts n
         where n.workspace_id = r.workspace_id and n.send_id = r.id) c on true
      left join lateral (
        select count(*)::integer as n, max(b.error) as error, min(b.not_before) as until from (
          select e.error, e.not_before from emails e
           where e.status = 'deferred' and e.workspace_id = r.workspace_id and e.send_id = r.id
           order by e.not_before limit ${aheadMax}) b) d on true
      left join send_pace p on true
      left join sending_gates g on g.workspace_id = r.workspace_id
      left join lateral (select max(last_seen_at) as seen_at from workers where 'worker' = any (roles)) k on true
     where r.workspace_id = ${workspaceId} and r.id = ${sendId} and r.bulk_state is not null`.execute(db);
  return rows[0];
}

/** The parts of a send in the order of their times; null: all of it may leave at once. */
export async function findParts(
  db: Db,
  { workspaceId, sendId }: SendKey,
): Promise<{ at: Date; recipients: number }[] | null> {
  const { rows } = await sql<{ parts: PartOfSend[] | null }>`
    select parts from send_requests where workspace_id = ${workspaceId} and id = ${sendId}`.execute(db);
  return rows[0]?.parts?.map(({ at, recipients }) => ({ at: new Date(at), recipients })) ?? null;
}
