import type { Service } from '#platform/lifecycle.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { loop } from '#platform/work/loop.ts';
import { sweepJobs } from './job-queries.ts';
import { type BulkWiring, runBulkJob } from './run-bulk-job.ts';

const LOOK_MS = 500;
const SWEPT = 5_000;

/** The services of a process with the worker role. Any number of processes may. */
export function bulkServices(wiring: BulkWiring): Service[] {
  const { db, clock } = wiring;
  const sweep = { ...wiring, name: 'bulk actions on contacts that are over' };
  return [
    loop({
      ...wiring,
      name: 'bulk actions on contacts',
      everyMs: LOOK_MS,
      failure: 'bulk actions on contacts rest: they cannot be worked on',
      round: async (goOn) => {
        while (goOn() && (await runBulkJob(wiring, goOn)));
      },
    }),
    hourlyService(
      sweep,
      'bulk actions on contacts that are over could not be removed; trying again later',
      (goOn, stopping) =>
        inThisHour(
          sweep,
          ({ everyPage }) => everyPage(async () => (await sweepJobs(db, clock.now(), SWEPT)) > 0),
          goOn,
          stopping,
        ),
    ),
  ];
}
