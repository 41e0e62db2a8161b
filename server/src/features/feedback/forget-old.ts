import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loopByAge } from '#platform/work/loop-by-age.ts';
import { deleteOldNotifications, emptyOldBodies } from './notifications/queries.ts';
import { MESSAGE_AGE_MAX_DAYS } from './notifications/sns/receive-sns-message.ts';
import { deleteOldBulkHealth } from './suppressing/bulk-health-queries.ts';
import { deleteOldRefusals } from './suppressing/policy-refusals-queries.ts';
import { deleteOldEvents } from './queries/delete-old-events.ts';

const EVERY_MS = 3_600_000;
const PAGE = 1_000;
const BODIES_DAYS = 7;
/** Longer than a message may be on its way, so that one that is played again is known. */
const NOTIFICATIONS_DAYS = MESSAGE_AGE_MAX_DAYS + 1;
const EVENTS_DAYS = 30;
/** Issues are stopped by it while they are sent, and for days afterwards. */
const HEALTH_DAYS = 90;
const REFUSALS_DAYS = 7;

/** The last notification whose body a process has emptied or found empty. Its first look begins two days before. */
interface Emptied {
  upTo: string | null;
}

/**
 * One round: raw bodies after a week, what was applied after a month, the health of bulk sends after three, refusals
 * after a week. A step that fails does not keep the others from their work; its error is thrown at the end. Any number
 * of processes may do it.
 */
export async function forgetOld(db: Db, goOn: () => boolean, emptied: Emptied = { upTo: null }): Promise<void> {
  const steps = [
    async () => {
      for (let isMore = true; isMore && goOn(); ) {
        const { last } = await emptyOldBodies(db, BODIES_DAYS, emptied.upTo, PAGE);
        emptied.upTo = last ?? emptied.upTo;
        isMore = last !== null;
      }
    },
    async () => {
      while (goOn() && (await deleteOldNotifications(db, NOTIFICATIONS_DAYS, PAGE)) === PAGE);
    },
    async () => {
      while (goOn() && (await deleteOldEvents(db, EVENTS_DAYS, PAGE)) >= PAGE);
    },
    async () => {
      while (goOn() && (await deleteOldBulkHealth(db, HEALTH_DAYS, PAGE)) === PAGE);
    },
    async () => {
      while (goOn() && (await deleteOldRefusals(db, REFUSALS_DAYS, PAGE)) === PAGE);
    },
  ];
  const failed: unknown[] = [];
  for (const step of steps) {
    if (!goOn()) break;
    await step().catch((error: unknown) => failed.push(error));
  }
  if (failed.length > 0) throw new AggregateError(failed, 'a step of forgetting failed');
}

export function forgetOldService({ db, log, clock }: { db: Db; log: Log; clock: Clock }): Service {
  const emptied: Emptied = { upTo: null };
  return loopByAge({
    db,
    name: 'forgetting old notifications',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'old notifications could not be removed; trying again later',
    round: (goOn) => forgetOld(db, goOn, emptied),
  });
}
