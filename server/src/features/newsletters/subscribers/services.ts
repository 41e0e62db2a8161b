import type { Service } from '#platform/lifecycle.ts';
import { periodic } from '#platform/periodic.ts';
import type { NewslettersWiring } from '../wiring.ts';
import { brakeConfirmations } from './confirmation/confirmation-brake.ts';
import { eraseTraces } from './consent/erase-traces.ts';
import { purgePending } from './removal/purge-pending.ts';

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** What a process with the worker role runs. Any number of processes may. */
export const subscriberServices = (wiring: NewslettersWiring): Service[] => [
  periodic({
    name: 'forgetting who never confirmed',
    everyMs: HOUR_MS,
    log: wiring.log,
    failure: 'subscribers who never confirmed could not be removed; trying again later',
    work: (goOn) => purgePending(wiring, goOn),
  }),
  periodic({
    name: 'erasing traces of subscribers',
    everyMs: HOUR_MS,
    log: wiring.log,
    failure: 'traces of erased subscribers could not be removed; trying again later',
    work: (goOn) => eraseTraces(wiring, goOn),
  }),
  periodic({
    name: 'confirmation brake',
    everyMs: MINUTE_MS,
    log: wiring.log,
    failure: 'it could not be seen whether sign-ups come unusually fast; trying again later',
    work: () => brakeConfirmations(wiring),
  }),
];
