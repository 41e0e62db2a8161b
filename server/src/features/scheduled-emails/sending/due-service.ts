import { queue } from '#features/outbox';
import { DatabaseClock } from '#platform/db/database-clock.ts';
import { Moment } from '#platform/moments.ts';
import { LaterTries } from '#platform/work/later-tries.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { listDueEmails } from '../queries/due.ts';
import type { ScheduledWiring } from '../wiring.ts';
import { startDue } from './start-due.ts';

/** An email starts at most this late, plus the time that starting takes. */
const EVERY_MS = 500;
const AT_ONCE = 100;

export interface DueService extends Loop {
  /** Starts the emails that are due now. Returns how many were started or have failed. */
  runOnce(): Promise<number>;
  moments: { round: Moment<number> };
}

/**
 * Starts scheduled emails when their time has come by the clock of the database, never earlier. They wait while that
 * clock is not believed, after a step forward. Emails that were due while no process ran start late, the oldest first,
 * unless they are too late. While sending is held, after a restore, none starts.
 */
export function createDueService(wiring: ScheduledWiring): DueService {
  const tries = new LaterTries(wiring.clock);
  const moments = { round: new Moment<number>() };
  const databaseClock = new DatabaseClock({ ...wiring, holds: 'scheduled emails' });

  const settle = async (due: { workspaceId: string; id: string }): Promise<boolean> => {
    if (!tries.mayTry(due.id)) return false;
    try {
      const isSettled = await startDue(wiring, due);
      tries.settled(due.id);
      return isSettled;
    } catch (error) {
      tries.failed(due.id);
      wiring.log.error(
        { err: error, scheduledId: due.id },
        'a scheduled email could not be started; it is tried again',
      );
      return false;
    }
  };

  const runOnce = async (goOn: () => boolean = () => true): Promise<number> => {
    let settled = 0;
    const isHeld = (await queue.hold.find(wiring.db)) !== undefined;
    for (let started = AT_ONCE; started === AT_ONCE && goOn() && !isHeld; ) {
      const { until } = await databaseClock.look();
      const due = await listDueEmails(wiring.db, { limit: AT_ONCE + tries.waiting, until });
      if (due.length === 0) tries.forgetAll();
      started = 0;
      for (const email of due) {
        if (!goOn()) break;
        if (await settle(email)) started += 1;
      }
      settled += started;
    }
    moments.round.occur(settled);
    return settled;
  };

  const service = loop({
    name: 'scheduled emails',
    everyMs: EVERY_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'scheduled emails cannot be looked for; trying again',
    round: runOnce,
  });
  return { ...service, runOnce: () => runOnce(), moments };
}
