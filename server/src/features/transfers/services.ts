import type { Service } from '#platform/lifecycle.ts';
import { loop } from '#platform/work/loop.ts';
import { loopByAge } from '#platform/work/loop-by-age.ts';
import type { TransfersWiring } from './wiring.ts';
import { FILE_HOURS } from './exports/export.ts';
import { sweepExports } from './exports/export-queries.ts';
import { runExport } from './exports/run-export.ts';
import { askImported } from './imports/ask-imported.ts';
import { RESULTS_DAYS } from './imports/import.ts';
import { sweepImports } from './imports/job-queries.ts';
import { runImport } from './imports/run-import.ts';

/** How long a process that was killed keeps what it worked on; each page renews it. */
const LEASE_SECONDS = 15;
const LOOK_MS = 500;
/** A little often, so that a second that two processes share is not lost. */
const ASK_MS = 500;
const SWEEP_MS = 60_000;
const SWEEP_ROWS = 20_000;

/** The services of a process with the worker role. Any number of processes may. */
export function transferServices(wiring: TransfersWiring): Service[] {
  const { db, clock, log } = wiring;
  const leased = { ...wiring, leaseSeconds: LEASE_SECONDS };
  return [
    loop({
      name: 'imports',
      everyMs: LOOK_MS,
      clock,
      log,
      failure: 'imports rest: they cannot be worked on',
      round: async (goOn) => {
        while (goOn() && (await runImport(leased, goOn)));
      },
    }),
    loop({
      name: 'exports',
      everyMs: LOOK_MS,
      clock,
      log,
      failure: 'exports rest: they cannot be worked on',
      round: async (goOn) => {
        while (goOn() && (await runExport(leased, goOn)));
      },
    }),
    loop({
      name: 'confirmation emails of imports',
      everyMs: ASK_MS,
      clock,
      log,
      failure: 'people of imports are not asked to confirm',
      round: () => askImported(wiring),
    }),
    loopByAge({
      db,
      name: 'sweeping of imports and exports',
      everyMs: SWEEP_MS,
      clock,
      log,
      failure: 'imports and exports that are over could not be removed',
      round: async (goOn) => {
        while (goOn() && (await sweepImports(db, RESULTS_DAYS, SWEEP_ROWS)) > 0);
        while (goOn() && (await sweepExports(db, FILE_HOURS)) > 0);
      },
    }),
  ];
}
