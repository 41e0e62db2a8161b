import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { loopByAge } from '#platform/work/loop-by-age.ts';
import type { NewslettersWiring } from '../wiring.ts';
import { brakeConfirmations } from './confirmation/confirmation-brake.ts';
import { sendReminders } from './confirmation/remind-pending.ts';
import { purgePending } from './removal/purge-pending.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A little often, so that a second that two processes share is not lost. */
const REMIND_MS = 500;

/** The services of a process with the worker role. Any number of processes may. */
export const subscriberServices = (wiring: NewslettersWiring): Service[] => [
  loopByAge({
    db: wiring.db,
    name: 'forgetting who never confirmed',
    everyMs: HOUR_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'subscribers who never confirmed could not be removed; trying again later',
    async round(goOn) {
      await purgePending(wiring, goOn);
    },
  }),
  loop({
    name: 'confirmation brake',
    everyMs: MINUTE_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'it could not be seen whether sign-ups come unusually fast; trying again later',
    round: () => brakeConfirmations(wiring),
  }),
  loop({
    name: 'reminders',
    everyMs: REMIND_MS,
    clock: wiring.clock,
    log: wiring.log,
    failure: 'pending subscribers are not reminded; trying again later',
    round: () => sendReminders(wiring),
  }),
];
