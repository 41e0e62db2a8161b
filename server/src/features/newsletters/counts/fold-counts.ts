import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { foldCounts, listUnfoldedCounts } from './counts-queries.ts';

const EVERY_MS = 5_000;
/** A sum of so few rows costs nothing; folding them for each sign-up would write more than it saves. */
const ROWS_MIN = 20;
const NEWSLETTERS_AT_ONCE = 1_000;
const ROWS_AT_ONCE = 10_000;

/** Folds the subscriber counts of every newsletter that has many rows of them. Returns how many rows went. */
export async function foldSubscriberCounts(db: Db, goOn: () => boolean = () => true): Promise<number> {
  let folded = 0;
  for (const { workspaceId, newsletterId } of await listUnfoldedCounts(db, {
    rowsMin: ROWS_MIN,
    limit: NEWSLETTERS_AT_ONCE,
  })) {
    for (let page = ROWS_AT_ONCE; page === ROWS_AT_ONCE; folded += page) {
      if (!goOn()) return folded;
      page = await foldCounts(db, workspaceId, newsletterId, ROWS_AT_ONCE);
    }
  }
  return folded;
}

/** The same every five seconds; any number of processes may. */
export const foldService = ({ db, log, clock }: { db: Db; log: Log; clock: Clock }): Service =>
  loop({
    name: 'folding of subscriber counts',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'subscriber counts could not be folded; trying again',
    round: (goOn) => foldSubscriberCounts(db, goOn),
  });
