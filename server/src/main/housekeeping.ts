import type { Db } from '#platform/db/database.ts';
import { deleteExpiredAnswers } from '#platform/http/idempotency/queries.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';

const EVERY_MS = 600_000;
const PAGE = 1_000;

/** Removes kept answers whose 24 hours are over. Any number of processes may do it; each page is its own commit. */
export function createHousekeeping(options: { db: Db; log: Log }): Service {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const sweep = async (): Promise<void> => {
    try {
      while (timer !== undefined && (await deleteExpiredAnswers(options.db, PAGE)) === PAGE);
    } catch (error) {
      options.log.warn({ err: error }, 'expired idempotency answers could not be removed; trying again later');
    }
  };
  return {
    name: 'housekeeping',
    async start() {
      timer ??= setInterval(() => {
        running = sweep();
      }, EVERY_MS);
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}
