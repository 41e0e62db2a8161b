import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { type CountsCursor, putPageInEighths } from './count-eighths-queries.ts';

const NAME = 'counts of emails by eighths of a day';
const DAY_MS = 86_400_000;
/** A page takes about 0.2 s. */
const PAGE = 5_000;

interface PutOptions {
  db: Db;
  clock: Clock;
  log: Log;
}

/**
 * Puts the counts of all but the last day into their eighths of a day, so that a year is read in a sixth of its rows.
 * After a day almost everything has been reported: a later change takes its row out of the eighth until the next round.
 * It also puts the counts of before there were eighths, in as many pages as they need.
 */
export async function putCountsInEighths(
  { db, clock, page = PAGE }: Omit<PutOptions, 'log'> & { page?: number },
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<void> {
  await inThisHour(
    { db, clock, name: NAME },
    async ({ everyPage }) => {
      const before = new Date(clock.now().getTime() - DAY_MS);
      let after: CountsCursor | undefined;
      await everyPage(async () => {
        after = await putPageInEighths(db, { before, after, limit: page });
        return after !== undefined;
      });
    },
    goOn,
    stopping,
  );
}

export const putInEighthsService = (options: PutOptions): Service =>
  hourlyService(
    { ...options, name: NAME },
    'old counts of emails could not be put into eighths of a day; trying again later',
    (goOn, stopping) => putCountsInEighths(options, goOn, stopping),
  );
