import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { deleteOldUsage } from './queries.ts';

const EVERY_MS = 3_600_000;
const PAGE = 5_000;
const DAY_MS = 86_400_000;
// The longest window is a month of 31 days; the rest is room for clocks that differ.
const KEPT_DAYS = { hourly: 2, others: 40 };

/** Deletes windows that are over: without it a busy key would leave 750 rows a month. Safe to run anywhere, any number of times. */
export function createUsageSweeper(deps: { db: Db; clock: Clock; log: Log }): Service & { runOnce(): Promise<number> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const runOnce = async (): Promise<number> => {
    const now = deps.clock.now().getTime();
    const before = {
      hourly: new Date(now - KEPT_DAYS.hourly * DAY_MS),
      others: new Date(now - KEPT_DAYS.others * DAY_MS),
    };
    let deleted = 0;
    for (let page = PAGE; page === PAGE; deleted += page) page = await deleteOldUsage(deps.db, before, PAGE);
    return deleted;
  };
  return {
    name: 'API key usage sweeper',
    runOnce,
    async start() {
      timer ??= setInterval(() => {
        running = runOnce().catch((error: unknown) => deps.log.warn({ err: error }, 'old usage was not deleted'));
      }, EVERY_MS);
      timer.unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}
