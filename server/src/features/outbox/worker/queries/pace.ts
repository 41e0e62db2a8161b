import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { keepPlan } from '#platform/db/kept-plans.ts';
import { STRETCH_BACK_SECONDS } from '../../pace-estimate.ts';
import { type LaneStarts, LOWEST } from './lane-starts.ts';

/** The slots of a reservation, in time relative to the answer: clocks of processes never meet the database's. */
export interface SlotGrant {
  granted: number;
  /** Number of the first slot; the others follow. */
  firstSlot: number;
  firstInMs: number;
  stepMs: number;
  /** Emails waiting, counted up to what was asked for. */
  due: number;
  /** Nothing was granted although something is due: ask again after this long. */
  waitMs: number;
  pausedUntil: Date | null;
  pauseReason: string | null;
}

// How far ahead slots are given out, over all processes: what is given out and not used is lost to everybody.
const AHEAD_SECONDS = sql.lit(0.5);
const BACK_SECONDS = sql.lit(STRETCH_BACK_SECONDS);
// 12 a second becomes one a second; the provider's answer decides how long it stays there.
const STRETCH_MAX = sql.lit(12);
// A grouped message may cost 50 slots at once, so next_slot may be that far ahead and no further: beyond it the
// database clock was set back.
const COST_MAX = sql.lit(50);
// The longest pause is ten minutes.
const PAUSE_MAX_SECONDS = sql.lit(660);
// As long as a pause of its own, after which emails in hand go back to the queue; workers ask twice a second anyway.
const HELD_WAIT_SECONDS = sql.lit(5);

const queued = (lane: number, from: number) =>
  sql`select from emails where status = 'queued' and lane = ${sql.lit(lane)} and turn >= ${from}::bigint -- every workspace: there is one queue and one rate
    `;

/**
 * Reserves up to `wanted` evenly spaced slots for emails that are due, or for `pledged` emails in hand. One row, locked
 * for the time of the statement: the generic cell rate algorithm with the database clock as the only clock. Slots that
 * were not taken in time are not made up for. Nobody gets one while sending is held (decision 0144). A provider that
 * allows less than the setting makes the steps longer; one that allows more changes nothing. It looks at each lane from
 * `from` on: see `QueueStart`.
 *
 * A value further ahead than any that is written was written before the clock was set back; the first statement that
 * sees it corrects the row. The slots then start again a second from now, which cannot burst: nothing given out before
 * is more than half a second ahead.
 */
export async function reserveSlots(
  db: Db,
  asked: { wanted: number; pledged: number; ratePerSecond: number; from?: LaneStarts },
): Promise<SlotGrant> {
  const interval = 1 / asked.ratePerSecond;
  const { from: [system, transactional, bulk] = LOWEST } = asked;
  const { rows } = await sql<SlotGrant>`${keepPlan}
    with due as materialized ( -- every workspace: there is one queue and one rate
      select count(*)::integer as n
        from ((${queued(0, system)} limit ${asked.wanted}) union all (${queued(1, transactional)} limit ${asked.wanted}) union all
              (${queued(2, bulk)} limit ${asked.wanted}) limit ${asked.wanted}) as waiting
    ), locked as materialized (
      select next_slot, slot, stretch, stretched_at, paused_until, pause_reason, provider_rate, held_since from send_pace
       where (select n from due) + ${asked.pledged}::integer > 0 for update
    ), clock as materialized (
      -- Read after the lock: time spent waiting for it has passed.
      select locked.*, clock_timestamp() as now from locked
    ), possible as materialized (
      select next_slot, slot, stretch, case when stretched_at > now then now else stretched_at end as stretched_at,
             case when paused_until < now + make_interval(secs => ${PAUSE_MAX_SECONDS}) then paused_until end as paused_until,
             pause_reason, provider_rate, held_since, now from clock
    ), pace as materialized (
      select possible.*, greatest(${interval}::double precision, coalesce(1 / provider_rate, 0))
        * greatest(1, stretch - coalesce(extract(epoch from now - stretched_at), 0) / ${BACK_SECONDS}) as step
        from possible
    ), start as materialized (
      select pace.*, case
        when next_slot > now + make_interval(secs => 2 + ${AHEAD_SECONDS} + ${COST_MAX} * step) then now + interval '1 second'
        else greatest(next_slot, now) end as first
        from pace
    ), offer as materialized (
      select start.*, case
        when held_since is not null or coalesce(paused_until > now, false) or first >= now + make_interval(secs => ${AHEAD_SECONDS}) then 0
        else least(
          ${asked.wanted}::integer,
          (select n from due) + ${asked.pledged}::integer,
          1 + floor(extract(epoch from now + make_interval(secs => ${AHEAD_SECONDS}) - first) / step)::integer)
        end as n
        from start
    ), taken as (
      update send_pace set slot = send_pace.slot + offer.n, next_slot = offer.first + make_interval(secs => offer.n * offer.step),
             stretched_at = offer.stretched_at, paused_until = offer.paused_until
        from offer where offer.n > 0 or offer.first < send_pace.next_slot
          or offer.stretched_at < send_pace.stretched_at or offer.paused_until is distinct from send_pace.paused_until
      returning send_pace.slot
    )
    select coalesce(offer.n, 0) as granted, offer.slot + 1 as "firstSlot",
           extract(epoch from offer.first - offer.now)::double precision * 1000 as "firstInMs",
           offer.step * 1000 as "stepMs", due.n as due,
           extract(epoch from greatest(offer.paused_until, offer.first - make_interval(secs => ${AHEAD_SECONDS}),
             case when offer.held_since is not null then offer.now + make_interval(secs => ${HELD_WAIT_SECONDS}) end) - offer.now)
             ::double precision * 1000 as "waitMs",
           offer.paused_until as "pausedUntil", offer.pause_reason as "pauseReason"
      from due left join offer on true`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the pace row is missing');
  return row;
}

/** Takes further slots for a message that costs more than one: everybody's next slot moves back. */
export async function chargeSlots(db: Db, slots: number, ratePerSecond: number): Promise<void> {
  await sql`update send_pace
     set next_slot = greatest(next_slot, clock_timestamp())
       + make_interval(secs => ${slots}::double precision / least(${ratePerSecond}::double precision, provider_rate))`.execute(
    db,
  );
}

/**
 * The provider says that we are too fast: every process slows down. Answers of one second count once, since they were
 * all sent at the old rate. A first answer pauses for a second; one that comes while stretched pauses longer.
 */
export async function stretchPace(db: Db): Promise<void> {
  await sql`
    with pace as (
      select clock_timestamp() as now,
             greatest(1, stretch - greatest(0, extract(epoch from clock_timestamp() - stretched_at))
               / ${BACK_SECONDS}) as stretch
        from send_pace
    )
    update send_pace set
      stretch = least(${STRETCH_MAX}, pace.stretch * 1.5), stretched_at = pace.now,
      paused_until = greatest(send_pace.paused_until,
        pace.now + make_interval(secs => least(60, pace.stretch))),
      pause_reason = 'throttled'
    from pace
    where send_pace.stretched_at is null or send_pace.stretched_at < pace.now - interval '1 second'
       or send_pace.stretched_at > pace.now + interval '1 minute' -- the clock was set back`.execute(db);
}

/** Stops hand-offs everywhere until the time has passed (daily quota, refused credentials). */
export async function pausePace(db: Db, seconds: number, reason: string): Promise<void> {
  await sql`update send_pace
     set paused_until = greatest(paused_until, clock_timestamp() + make_interval(secs => ${seconds})),
         pause_reason = ${reason}`.execute(db);
}

/** The rate of the provider's account, in recipients per second; null: it does not say, so the setting alone counts. */
export async function setProviderRate(db: Db, ratePerSecond: number | null): Promise<void> {
  await sql`update send_pace set provider_rate = ${ratePerSecond}::double precision
     where provider_rate is distinct from ${ratePerSecond}::double precision`.execute(db);
}
