import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { periodic } from '#platform/periodic.ts';
import { onBulkWork } from './bulk-signal.ts';
import { reopenReleased, selectUnderWay } from './release-queries.ts';
import { moveBulkSend } from './release-send.ts';
import { foldAllCounts } from './send-counts.ts';

export interface ReleaseOptions {
  db: Db;
  log: Log;
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
  const { db, log } = options;
  const releaser = periodic({
    name: 'bulk release',
    everyMs: EVERY_MS,
    log,
    failure: 'sends to many are not released; trying again',
    work: (goOn) => moveBulkSends(options, goOn),
  });
  const folder = periodic({
    name: 'statistics of sends',
    everyMs: FOLD_EVERY_MS,
    log,
    failure: 'statistics of sends are not folded; trying again',
    work: (goOn) => foldAllCounts(db, goOn),
  });
  return [wokenByBulkWork(releaser), folder];
}

/** The service, begun at once when this process has made work for it. */
function wokenByBulkWork(service: ReturnType<typeof periodic>): Service {
  let off: (() => void) | undefined;
  return {
    name: service.name,
    async start() {
      await service.start();
      off ??= onBulkWork(() => service.wake());
      service.wake();
    },
    async stop() {
      off?.();
      off = undefined;
      await service.stop();
    },
  };
}
