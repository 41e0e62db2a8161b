import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { signal } from '#platform/work/signal.ts';
import type { AccountList } from './account-list.ts';
import { claimLifts, deleteLift, type Lift, postponeLift } from './queries.ts';

/** A suppression was lifted, and the provider is to be told. */
export const liftAsked = signal();

export interface LiftPorts {
  db: Db;
  clock: Clock;
  log: Log;
  accountList: AccountList;
}

const EVERY_MS = 2_000;
/** Amazon SES allows some calls a second. */
const AT_ONCE = 4;
const TRY_DAYS = 3;
const FIRST_WAIT_SECONDS = 15;
const WAIT_SECONDS_MAX = 3_600;

/** Tells the provider of lifted suppressions. Returns whether there may be more. Twice is once. */
async function tellLifts(ports: LiftPorts): Promise<boolean> {
  const lifts = await claimLifts(ports.db, { max: AT_ONCE, tryDays: TRY_DAYS });
  await Promise.all(lifts.map((lift) => tellLift(ports, lift)));
  return lifts.length === AT_ONCE;
}

async function tellLift({ db, log, accountList }: LiftPorts, lift: Lift): Promise<void> {
  try {
    await accountList.remove(db, lift);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    const seconds = Math.min(FIRST_WAIT_SECONDS * 2 ** Math.min(lift.tries - 1, 10), WAIT_SECONDS_MAX);
    if (!lift.isLastTry) {
      if (lift.tries === 1) log.warn({ reason }, 'an address stays on the list of the provider for now; trying again');
      return postponeLift(db, lift, seconds);
    }
    log.error({ reason }, 'an address could not be taken off the list of the provider; it is not tried again');
  }
  await deleteLift(db, lift);
}

/** Takes addresses off the provider's list after a suppression was lifted. Any number of processes may do it. */
export function createLiftService(ports: LiftPorts): Service {
  const rounds = loop<boolean>({
    name: 'lifted suppressions',
    everyMs: EVERY_MS,
    wokenBy: liftAsked,
    clock: ports.clock,
    log: ports.log,
    failure: 'the provider cannot be told of lifted suppressions; trying again',
    round: () => tellLifts(ports),
    waitMs: (isMore) => (isMore ? 0 : EVERY_MS),
  });
  return {
    name: rounds.name,
    start: () => rounds.start(),
    async stop() {
      const stopped = rounds.stop();
      // A call that is cut off is made again in a minute.
      ports.accountList.close();
      await stopped;
    },
  };
}
