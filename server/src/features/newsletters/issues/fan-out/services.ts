import { bulkSends } from '#features/outbox';
import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import type { NewslettersWiring } from '../../wiring.ts';
import { freezeIssues } from './freeze-issues.ts';

/** How soon another process goes on where one was killed, or hears of an issue that it did not send itself. */
const EVERY_MS = 500;

/** What a process with the worker role runs. Any number of processes may. */
export const fanOutServices = (
  { db, log, clock }: Pick<NewslettersWiring, 'db' | 'log' | 'clock'>,
  everyMs = EVERY_MS,
): Service[] => [
  loop({
    name: 'issue freeze',
    everyMs,
    beginsAtOnce: true,
    wokenBy: bulkSends.work,
    clock,
    log,
    failure: 'recipients of issues are not frozen; trying again',
    round: (goOn) => freezeIssues(db, goOn),
  }),
];
