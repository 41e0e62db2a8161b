import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loopByAge } from '#platform/work/loop-by-age.ts';
import { deleteExpired } from './queries.ts';

const EVERY_MS = 3_600_000;
const PAGE = 1_000;

/** Removes suppressions that have run out: they count for nothing and are shown nowhere. Returns how many went. */
export async function forgetExpired(db: Db, goOn: () => boolean): Promise<number> {
  let sum = 0;
  for (let page = PAGE; page === PAGE && goOn(); sum += page) page = await deleteExpired(db, PAGE);
  return sum;
}

/** The same every hour. Any number of processes may do it; each page is its own commit. */
export const forgetExpiredService = ({ db, log, clock }: { db: Db; log: Log; clock: Clock }): Service =>
  loopByAge({
    db,
    name: 'forgetting expired suppressions',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'expired suppressions could not be removed; trying again later',
    async round(goOn) {
      await forgetExpired(db, goOn);
    },
  });
