import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { loopByAge } from '../work/loop-by-age.ts';
import { deleteOldUsage } from './queries.ts';

const EVERY_MS = 3_600_000;
const PAGE = 5_000;
const DAY_MS = 86_400_000;
// The longest window is a month of 31 days; the rest is room for clocks that differ.
const KEPT_DAYS = { hourly: 2, others: 40 };

/**
 * Deletes windows that are over: without it a busy key would leave 750 rows a month. Safe to run anywhere, any number
 * of times.
 */
export async function sweepUsage({ db, clock }: { db: Db; clock: Clock }): Promise<void> {
  const now = clock.now().getTime();
  const before = {
    hourly: new Date(now - KEPT_DAYS.hourly * DAY_MS),
    others: new Date(now - KEPT_DAYS.others * DAY_MS),
  };
  while ((await deleteOldUsage(db, before, PAGE)) === PAGE);
}

export function createUsageSweeper(deps: { db: Db; clock: Clock; log: Log }): Service {
  return loopByAge({
    db: deps.db,
    name: 'sweeper of limits',
    everyMs: EVERY_MS,
    clock: deps.clock,
    log: deps.log,
    failure: 'old usage was not deleted',
    round: () => sweepUsage(deps),
  });
}
