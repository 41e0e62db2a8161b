import type { Clock } from '../clock.ts';
import { DatabaseClock } from '../db/database-clock.ts';
import type { Db } from '../db/database.ts';
import type { Log } from '../log.ts';
import { Moment } from '../moments.ts';
import { LaterTries } from './later-tries.ts';
import { type Loop, loop } from './loop.ts';

/** Something due starts at most this late, plus the time that starting takes. */
const EVERY_MS = 500;
const AT_ONCE = 100;

/** Longer after its time nothing is sent without being asked for: a server that comes back, a restored copy. */
const LATE_SECONDS_MAX = 86_400;

/** Why a record that is so late has failed; undefined while it may still start. */
export function missedWindow(
  lateSeconds: number,
  lateSecondsMax = LATE_SECONDS_MAX,
): { code: 'missed_window'; message: string } | undefined {
  if (lateSeconds <= lateSecondsMax) return undefined;
  const message = `missed_window: its time had passed by ${Math.floor(lateSeconds)} seconds, and at most ${lateSecondsMax} were allowed.`;
  return { code: 'missed_window', message };
}

/** Records that are to start at a time of theirs. */
interface DueWork<D extends { id: string }> {
  /** In the plural, for people: `scheduled issues`. */
  name: string;
  /**
   * The records whose time has come by a clock that is believed, the ones that wait longest first. `failed`: so many
   * could not be started, and may wait for another try.
   */
  list(asked: { limit: number; until: Date; failed: number }): Promise<D[]>;
  /** True: it was started or has failed. False: another process has it, or it is not due any more. */
  start(due: D): Promise<boolean>;
}

export interface DueService extends Loop {
  /** Starts everything that is due now. Returns how many were started or have failed. */
  runOnce(): Promise<number>;
  moments: { round: Moment<number> };
}

/**
 * Starts records when their time has come by the clock of the database, never earlier; they wait while that clock is
 * not believed, after a step forward. A record that was due while no process ran starts as soon as one runs; `start`
 * refuses one that is too late (`missedWindow`). One that cannot be started is tried again, later each time, and holds
 * no other up.
 */
export function createDueService<D extends { id: string }>(
  { db, clock, log }: { db: Db; clock: Clock; log: Log },
  { name, list, start }: DueWork<D>,
): DueService {
  const tries = new LaterTries(clock);
  const moments = { round: new Moment<number>() };
  const databaseClock = new DatabaseClock({ db, clock, log, holds: name });

  const settle = async (due: D): Promise<boolean> => {
    if (!tries.mayTry(due.id)) return false;
    try {
      const isSettled = await start(due);
      tries.settled(due.id);
      return isSettled;
    } catch (error) {
      tries.failed(due.id);
      log.error({ err: error, id: due.id }, `one of the ${name} could not be started; it is tried again`);
      return false;
    }
  };

  const runOnce = async (goOn: () => boolean = () => true): Promise<number> => {
    let settled = 0;
    const tried = new Set<string>();
    for (let isMore = true; isMore && goOn(); ) {
      const { until } = await databaseClock.look();
      const due = await list({ limit: AT_ONCE + tries.waiting, until, failed: tries.waiting });
      if (due.length === 0) tries.forgetAll();
      const listedMs = clock.monotonicMs();
      let [started, isOld] = [0, false];
      for (const one of due.filter(({ id }) => !tried.has(id))) {
        // The list is read again behind one that took long: another may be due by now, before all that are left.
        if (!goOn() || isOld) break;
        tried.add(one.id);
        if (await settle(one)) started += 1;
        isOld = clock.monotonicMs() - listedMs > EVERY_MS;
      }
      settled += started;
      isMore = isOld || started === AT_ONCE;
    }
    moments.round.occur(settled);
    return settled;
  };

  const service = loop({
    name,
    everyMs: EVERY_MS,
    clock,
    log,
    failure: `${name} cannot be looked for; trying again`,
    round: runOnce,
  });
  return { ...service, runOnce: () => runOnce(), moments };
}
