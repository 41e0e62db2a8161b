import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { deleteOldNotifications, emptyOldBodies } from './notifications/queries.ts';
import { MESSAGE_AGE_MAX_DAYS } from './notifications/sns/receive-sns-message.ts';
import { deleteOldEvents } from './queries/delete-old-events.ts';

const EVERY_MS = 3_600_000;
const PAGE = 1_000;
const BODIES_DAYS = 7;
/** Longer than a message may be on its way, so that one that is played again is known. */
const NOTIFICATIONS_DAYS = MESSAGE_AGE_MAX_DAYS + 1;
const EVENTS_DAYS = 30;

/** One round: raw bodies after a week, what was applied after a month. Any number of processes may do it. */
export async function forgetOld(db: Db, goOn: () => boolean): Promise<{ bodies: number }> {
  const bodies = await emptyOldBodies(db, BODIES_DAYS);
  while (goOn() && (await deleteOldNotifications(db, NOTIFICATIONS_DAYS, PAGE)) === PAGE);
  while (goOn() && (await deleteOldEvents(db, EVENTS_DAYS, PAGE)) >= PAGE);
  return { bodies };
}

export const forgetOldService = ({ db, log, clock }: { db: Db; log: Log; clock: Clock }): Service =>
  loop({
    name: 'forgetting old notifications',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'old notifications could not be removed; trying again later',
    round: (goOn) => forgetOld(db, goOn),
  });
