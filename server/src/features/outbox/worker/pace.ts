import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { LaneStarts } from './queries/lane-starts.ts';
import { reserveSlots } from './queries/pace.ts';

/** The right to begin handing one recipient over, at one moment. */
export interface Slot {
  /** On this process's monotonic clock. */
  at: number;
  /** Every fifth slot of the shared count asks bulk first. */
  prefersBulk: boolean;
}

/** A slot missed by more is given up: a stalled process must not make good for it with a burst. */
export const MISSED_AFTER_MS = 50;
const BULK_SHARE = 5;
// One reservation; at 1,000 a second and more it is the half second ahead that would be large.
const RESERVED_MAX = 1_000;

export interface Pace {
  /** Slots in hand that have not been missed, earliest first. Take them out with shift or splice. */
  readonly held: Slot[];
  /** Drops missed slots. */
  giveUpMissed(): void;
  /**
   * Asks for slots; returns how long to wait before asking again (0: slots were given), or undefined: nothing is due.
   */
  reserve(asked: { wanted: number; pledged: number; from?: LaneStarts }): Promise<number | undefined>;
}

/**
 * Slots of this process. The answer of the database is relative to its own clock; it becomes a moment of the monotonic
 * clock when it arrives, so a slot is at most the way back too late, and never early.
 */
export function createPace(options: { db: Db; clock: Clock; ratePerSecond: number }): Pace {
  const { db, clock, ratePerSecond } = options;
  const held: Slot[] = [];
  let lastAt = Number.NEGATIVE_INFINITY;
  return {
    held,
    giveUpMissed() {
      const limit = clock.monotonicMs() - MISSED_AFTER_MS;
      while (held[0] !== undefined && held[0].at < limit) held.shift();
    },
    async reserve(asked) {
      const { pledged } = asked;
      const wanted = Math.min(asked.wanted, RESERVED_MAX);
      const grant = await reserveSlots(db, { ...asked, wanted, ratePerSecond });
      if (grant.granted === 0) return grant.due + pledged === 0 ? undefined : Math.max(1, grant.waitMs);
      let first = clock.monotonicMs() + grant.firstInMs;
      // The database clock was set forward: what it calls free, this process has already used.
      if (first < lastAt + grant.stepMs - MISSED_AFTER_MS) first = lastAt + grant.stepMs;
      for (let index = 0; index < grant.granted; index += 1) {
        lastAt = first + index * grant.stepMs;
        held.push({ at: lastAt, prefersBulk: (grant.firstSlot + index) % BULK_SHARE === 0 });
      }
      return 0;
    },
  };
}
