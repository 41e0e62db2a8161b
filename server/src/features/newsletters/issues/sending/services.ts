import type { Service } from '#platform/lifecycle.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { createDueService } from './due-service.ts';
import { createFinishService } from './finish-service.ts';
import { wallTimesService } from './wall-times.ts';

/** The services of a process with the worker role. Any number of processes may. */
export const issueServices = (wiring: NewslettersWiring): Service[] => [
  createDueService(wiring),
  createFinishService(wiring),
  wallTimesService(wiring),
];
