import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { tallyService } from '#platform/tally/fold-tally.ts';
import { loop } from '#platform/work/loop.ts';
import type { Audience } from '../audience.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { forgetStops } from '../stops/forget-stops.ts';
import { freezeSends } from '../freeze/freeze-sends.ts';
import { endPauses } from './end-pauses.ts';
import { reopenReleased, selectUnderWay } from './release-queries.ts';
import { moveBulkSend } from './release-send.ts';
import { sendTally } from '../counts-queries.ts';

export interface BulkOptions {
  db: Db;
  log: Log;
  clock: Clock;
  /** The audiences that sends go to, one for each kind. */
  audiences: readonly Audience[];
  /** The setting: recipients per second of all workspaces. The account at the provider may allow less. */
  ratePerSecond: number;
  /** Half a second when left out. */
  everyMs?: number;
}

/** How soon another process continues after one was killed, or learns of a send that it did not open itself. */
const EVERY_MS = 500;
const FORGET_EVERY_MS = 3_600_000;
/** Each round folds one row for each page of claims and outcomes: about fifty for a fast send. */
const FOLD_EVERY_MS = 1_000;

/** Pages of one send in a round. Then the sends that had nothing to do are looked at again. */
const PAGES_OF_A_ROUND = 10;

/**
 * One round over all bulk sends that are under way. Each send has one page in turn, the one that has waited longest
 * first: settling a cancelled million holds nobody up. True: there is more to do at once.
 */
export async function moveBulkSends(
  { db, ratePerSecond }: Pick<BulkOptions, 'db' | 'ratePerSecond'>,
  goOn: () => boolean = () => true,
): Promise<boolean> {
  await endPauses(db, goOn);
  await reopenReleased(db);
  let turns = await selectUnderWay(db);
  for (let pages = 0; pages < PAGES_OF_A_ROUND && turns.length > 0; pages += 1) {
    const unfinished: typeof turns = [];
    for (const key of turns) {
      if (!goOn()) return false;
      if (await moveBulkSend(db, key, ratePerSecond)) unfinished.push(key);
    }
    turns = unfinished;
  }
  return turns.length > 0;
}

/**
 * The services that bulk sends need beside the claim: they freeze and release sends, finish cancels, fold the sums of
 * statistics and remove old stops.
 */
export function bulkServices(options: BulkOptions): Service[] {
  const { db, log, clock, everyMs = EVERY_MS } = options;
  const freezer = loop({
    name: 'bulk freeze',
    everyMs,
    beginsAtOnce: true,
    wokenBy: bulkWork,
    clock,
    log,
    failure: 'recipients of sends to many are not frozen; trying again',
    round: (goOn) => freezeSends(db, options.audiences, goOn),
  });
  const forgetter = loop({
    name: 'stops of audiences',
    everyMs: FORGET_EVERY_MS,
    clock,
    log,
    failure: 'stops that nothing needs any more could not be removed; trying again later',
    round: (goOn) => forgetStops(db, goOn),
  });
  const releaser = loop({
    name: 'bulk release',
    everyMs,
    beginsAtOnce: true,
    wokenBy: bulkWork,
    clock,
    log,
    failure: 'sends to many are not released; trying again',
    round: (goOn) => moveBulkSends(options, goOn),
    waitMs: (hasMore) => (hasMore ? 0 : everyMs),
  });
  const folder = tallyService(sendTally, {
    db,
    clock,
    log,
    name: 'statistics of sends',
    everyMs: FOLD_EVERY_MS,
    failure: 'statistics of sends are not folded; trying again',
  });
  return [freezer, releaser, folder, forgetter];
}
