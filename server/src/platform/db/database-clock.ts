import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import { readDatabaseClock } from './clock-queries.ts';
import type { Db } from './database.ts';

/** Smaller steps are not told from slow answers and from corrections by NTP. */
export const STEP_MIN_MS = 30_000;
/** For so long, a clock that went forward must agree with the clock of this machine before it is believed. */
const HOLD_MS = 60_000;
/** A look that takes longer says too little about the moment of its answer. */
const SLOW_LOOK_MS = 5_000;
/** A round of work reads the clock itself, some time after the look. */
const ROUND_MS = 1_000;

/** One look at the clock of the database. */
export interface DatabaseTime {
  /** Work whose time is later than this is not due, whatever the clock of the database says. */
  until: Date;
  /**
   * The clock was set back since the last look, or this is the first look. Times that were written before may lie
   * further ahead than any wait.
   */
  wasSetBack: boolean;
  /** The clock went forward, and is not believed. */
  isHeld: boolean;
}

export interface DatabaseClockOptions {
  db: Db;
  clock: Clock;
  log: Log;
  /** The work that waits while the clock is not believed, for the log. */
  holds: string;
  /** Longer than any lease that is held now; 60 s. */
  holdMs?: number;
}

/**
 * Watches the clock of the database by the monotonic clock of this process. After a step forward of more than 30 s it
 * goes on counting from the time before the step. It believes the new time when that agrees with the clock of this
 * machine for a minute, and the old time when the step is taken back. A step back is believed at once, because it makes
 * nothing early. A process that starts believes the time that it finds.
 */
export class DatabaseClock {
  readonly #options: DatabaseClockOptions;
  /** The believed time of the database, less the monotonic time of this process. */
  #offsetMs: number | undefined;
  /** When the clock was first seen ahead of the believed time. */
  #aheadSinceMs: number | undefined;

  constructor(options: DatabaseClockOptions) {
    this.#options = options;
  }

  async look(): Promise<DatabaseTime> {
    const { db, clock, log, holds } = this.#options;
    const askedMs = clock.monotonicMs();
    const databaseMs = await readDatabaseClock(db);
    const nowMs = clock.monotonicMs();
    const believe = (wasSetBack: boolean): DatabaseTime => this.#believe(databaseMs, nowMs, wasSetBack);
    if (this.#offsetMs === undefined) return believe(true);

    const stepMs = databaseMs - nowMs - this.#offsetMs;
    if (stepMs > STEP_MIN_MS) return this.#isHeld(databaseMs, nowMs, stepMs) ? this.#goOn(nowMs, true) : believe(false);
    if (this.#aheadSinceMs !== undefined) {
      log.warn({ holds }, 'the clock of the database is back at the time before its step');
      return believe(true);
    }
    // Counted from the question: the answer may have come late.
    const stepBackMs = databaseMs - askedMs - this.#offsetMs;
    if (stepBackMs < -STEP_MIN_MS) {
      log.warn({ stepSeconds: Math.round(stepBackMs / 1_000) }, 'the clock of the database was set back');
      return believe(true);
    }
    return nowMs - askedMs > SLOW_LOOK_MS ? this.#goOn(nowMs, false) : believe(false);
  }

  #believe(databaseMs: number, nowMs: number, wasSetBack: boolean): DatabaseTime {
    this.#offsetMs = databaseMs - nowMs;
    this.#aheadSinceMs = undefined;
    return { until: new Date(databaseMs + ROUND_MS), wasSetBack, isHeld: false };
  }

  /** By the believed time. */
  #goOn(nowMs: number, isHeld: boolean): DatabaseTime {
    return { until: new Date((this.#offsetMs ?? 0) + nowMs), wasSetBack: false, isHeld };
  }

  #isHeld(databaseMs: number, nowMs: number, stepMs: number): boolean {
    const { clock, log, holds, holdMs = HOLD_MS } = this.#options;
    const about = { holds, stepSeconds: Math.round(stepMs / 1_000) };
    if (this.#aheadSinceMs === undefined) {
      this.#aheadSinceMs = nowMs;
      log.error(about, 'the clock of the database went forward; work that is due by it waits');
    }
    if (nowMs - this.#aheadSinceMs < holdMs) return true;
    if (Math.abs(clock.now().getTime() - databaseMs) > STEP_MIN_MS) {
      this.#aheadSinceMs = nowMs;
      log.error(about, 'the clocks of the database and of this machine differ; work that is due by the database waits');
      return true;
    }
    log.warn(about, 'the clock of the database agrees with that of this machine, and is believed');
    return false;
  }
}
