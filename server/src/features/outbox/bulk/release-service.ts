import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { bulkWork } from './bulk-signal.ts';
import { reopenReleased, selectUnderWay } from './release-queries.ts';
import { moveBulkSend } from './release-send.ts';
import { foldAllCounts } from './send-counts.ts';

export interface ReleaseOptions {
  db: Db;
  log: Log;
  clock: Clock;
  /** The setting: recipients per second of everybody. The provider's account may allow less. */
  ratePerSecond: number;
}

const EVERY_MS = 500;
/** With each round a row for each page of claims and outcomes is folded: about fifty, of a fast send. */
const FOLD_EVERY_MS = 1_000;

/** One round over all bulk sends that are under way, the one that has waited longest first. */
export async function moveBulkSends(
  { db, ratePerSecond }: Pick<ReleaseOptions, 'db' | 'ratePerSecond'>,
  goOn: () => boolean = () => true,
): Promise<void> {
  await reopenReleased(db);
  for (const key of await selectUnderWay(db)) {
    if (!goOn()) return;
    await moveBulkSend(db, key, ratePerSecond, goOn);
  }
}

/** What bulk sends need beside the claim: their release, the end of a cancel, and the sums of their statistics. */
export function bulkServices(options: ReleaseOptions): Service[] {
  const { db, log, clock } = options;
  const releaser = loop({
    name: 'bulk release',
    everyMs: EVERY_MS,
    beginsAtOnce: true,
    wokenBy: bulkWork,
    clock,
    log,
    failure: 'sends to many are not released; trying again',
    round: (goOn) => moveBulkSends(options, goOn),
  });
  const folder = loop({
    name: 'statistics of sends',
    everyMs: FOLD_EVERY_MS,
    clock,
    log,
    failure: 'statistics of sends are not folded; trying again',
    round: (goOn) => foldAllCounts(db, goOn),
  });
  return [releaser, folder];
}
