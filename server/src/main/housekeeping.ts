import { deletePastCounts } from '#platform/attempts/queries.ts';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { deleteLapsedClaims } from '#platform/http/idempotency/claim-queries.ts';
import { deleteExpiredAnswers } from '#platform/http/idempotency/queries.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loopByAge } from '#platform/work/loop-by-age.ts';

const EVERY_MS = 600_000;
const PAGE = 1_000;

/**
 * Removes kept answers whose 24 hours are over, claims of keys whose lease has run out, and counts whose window is
 * over. Any number of processes may do it; each page is its own commit.
 */
export function createHousekeeping({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Service {
  return loopByAge({
    db,
    name: 'housekeeping',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'what has expired could not be removed; trying again later',
    async round(goOn) {
      while (goOn() && (await deleteExpiredAnswers(db, PAGE)) === PAGE);
      while (goOn() && (await deleteLapsedClaims(db, PAGE)) === PAGE);
      while (goOn() && (await deletePastCounts(db, clock.now(), PAGE)) === PAGE);
    },
  });
}
