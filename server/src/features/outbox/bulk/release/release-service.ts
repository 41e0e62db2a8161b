import type { Service } from '#platform/lifecycle.ts';
import { tallyService } from '#platform/tally/fold-tally.ts';
import { loop } from '#platform/work/loop.ts';
import type { Audience } from '../audience.ts';
import { bulkWork } from '../../bulk-signal.ts';
import { forgetStops } from '../stops/forget-stops.ts';
import { freezeSends } from '../freeze/freeze-sends.ts';
import { Releaser, type ReleaserOptions } from './releaser.ts';
import { sendTally } from '../counts-queries.ts';

export interface BulkOptions extends ReleaserOptions {
  /** The audiences that sends go to, one for each kind. */
  audiences: readonly Audience[];
  /** Half a second when left out. */
  everyMs?: number;
}

/** How soon another process continues after one was killed, or learns of a send that it did not open itself. */
const EVERY_MS = 500;
const FORGET_EVERY_MS = 3_600_000;
/** Each round folds one row for each page of claims and outcomes: about fifty for a fast send. */
const FOLD_EVERY_MS = 1_000;

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
  const releaser = new Releaser(options);
  const release = loop({
    name: 'bulk release',
    everyMs,
    beginsAtOnce: true,
    wokenBy: bulkWork,
    clock,
    log,
    failure: 'sends to many are not released; trying again',
    round: (goOn) => releaser.round(goOn),
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
  return [freezer, release, folder, forgetter];
}
