import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { STRETCH_BACK_SECONDS } from '../pace-estimate.ts';

/** Counting stops here: a longer queue is "at least". Index-only, about 10 ms at the bound. */
export const COUNTED_MAX = 50_000;

/** Of emails that wait for another attempt, whose rows are read: over all lanes, once. */
export const DEFERRED_COUNTED_MAX = 10_000;

export interface LaneDepth {
  lane: number;
  waiting: number;
  /** Of those, the ones that wait for another attempt. */
  deferred: number;
}

/** The waiting emails of each lane, over all workspaces; without those that are held for a paused workspace. */
export async function countWaiting(db: Db): Promise<LaneDepth[]> {
  const { rows } = await sql<LaneDepth>`
    with deferred as materialized ( -- every workspace: there is one queue
      select lane, count(*) as n
        from (select lane from emails where status = 'deferred' and not_before < 'infinity' order by not_before limit ${DEFERRED_COUNTED_MAX}) as bounded
       group by lane
    )
    select l.lane, (q.n + coalesce(d.n, 0))::integer as waiting, coalesce(d.n, 0)::integer as deferred
      from (values (0), (1), (2)) as l (lane)
     cross join lateral (select count(*) as n from (
       select from emails where status = 'queued' and lane = l.lane limit ${COUNTED_MAX}) as bounded) as q
      left join deferred d on d.lane = l.lane`.execute(db);
  return rows;
}

/** Emails of everybody that leave before (lane, turn), counted up to the bound. */
export async function countBefore(db: Db, lane: number, turn: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from ( -- every workspace: there is one queue
      select from emails where status = 'queued' and (lane, turn) < (${lane}::smallint, ${turn}::bigint)
       limit ${COUNTED_MAX}) as bounded`.execute(db);
  return rows[0]?.n ?? 0;
}

/** The first turn of a workspace in the queue, or undefined when nothing of it waits. */
export async function findFirstTurn(db: Db, workspaceId: string): Promise<{ lane: number; turn: number } | undefined> {
  const { rows } = await sql<{ lane: number; turn: number }>`
    select lane, turn from emails where status = 'queued' and workspace_id = ${workspaceId}
     order by workspace_id, lane, turn limit 1`.execute(db);
  return rows[0];
}

/** First and last turn of what a send still has in the queue. */
export async function findTurnsOfSend(
  db: Db,
  workspaceId: string,
  jobId: string,
): Promise<{ lane: number; first: number; last: number } | undefined> {
  const { rows } = await sql<{ lane: number; first: number; last: number }>`
    select lane, min(turn) as first, max(turn) as last from emails
     where workspace_id = ${workspaceId} and send_id = ${jobId} and status = 'queued'
     group by lane order by lane limit 1`.execute(db);
  return rows[0];
}

/** The first turn of a bulk send in the queue. Passes over what its workspace has there before it. */
export async function findFirstTurnOfBulk(db: Db, workspaceId: string, sendId: string): Promise<number | undefined> {
  const { rows } = await sql<{ turn: number }>`
    select turn from emails
     where workspace_id = ${workspaceId} and lane = 2 and status = 'queued' and send_id is not distinct from ${sendId}::uuid
     order by workspace_id, lane, turn limit 1`.execute(db);
  return rows[0]?.turn;
}

/**
 * Age of the email that has waited longest among the heads of the lanes; 0 when nothing is due. An email of a bulk send
 * waits from its first event on, with which it enters the queue: it was written before, perhaps for a later time.
 */
export async function findOldestDueSeconds(db: Db): Promise<number> {
  const { rows } = await sql<{ seconds: number }>`
    select coalesce(max(extract(epoch from clock_timestamp() - coalesce(first.at, head.created_at))), 0)::double precision as seconds
      from (values (0), (1), (2)) as l (lane) -- every workspace: there is one queue
     cross join lateral (select workspace_id, id, created_at from emails where status = 'queued' and lane = l.lane
       order by lane, turn limit 1) as head
      left join lateral (select at from email_events v where v.workspace_id = head.workspace_id and v.email_id = head.id
       order by v.workspace_id, v.email_id, v.sequence limit 1) as first on true`.execute(db);
  return rows[0]?.seconds ?? 0;
}

export interface PaceRow {
  /** null: the provider has not said. */
  providerRate: number | null;
  /** The rate is divided by this at the moment of the answer: 1, or more after the provider throttled. */
  stretch: number;
  pausedUntil: Date | null;
  pauseReason: string | null;
  /** Until an operator confirms, nothing leaves. */
  heldSince: Date | null;
}

const UNKNOWN: PaceRow = { providerRate: null, stretch: 1, pausedUntil: null, pauseReason: null, heldSince: null };

/** The provider's rate, how far it slowed us down, and the reason if nothing is sent now. */
export async function findPace(db: Db): Promise<PaceRow> {
  const { rows } = await sql<PaceRow>`
    select provider_rate as "providerRate",
           greatest(1, stretch - greatest(0, extract(epoch from clock_timestamp() - stretched_at))
             / ${STRETCH_BACK_SECONDS}::double precision) as stretch,
           case when paused_until > clock_timestamp() then paused_until end as "pausedUntil",
           case when paused_until > clock_timestamp() then pause_reason end as "pauseReason",
           held_since as "heldSince" from send_pace`.execute(db);
  return rows[0] ?? UNKNOWN;
}
