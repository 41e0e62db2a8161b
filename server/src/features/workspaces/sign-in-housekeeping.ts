import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { deleteSignInLeftovers } from './accounts/session-queries.ts';

const EVERY_MS = 600_000;
const KEPT_MS = 30 * 86_400_000;

/** Deletes sessions, links and attempt counts that are over. Any number of processes may do it at once. */
export function createSignInHousekeeping(deps: {
  db: Db;
  clock: Clock;
  log: Log;
}): Service & { runOnce(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const runOnce = async (): Promise<void> => {
    const now = deps.clock.now();
    await deleteSignInLeftovers(deps.db, now, new Date(now.getTime() - KEPT_MS));
  };
  return {
    name: 'sign-in housekeeping',
    runOnce,
    async start() {
      timer ??= setInterval(() => {
        running = runOnce().catch((error: unknown) => deps.log.warn({ err: error }, 'old sign-ins were not deleted'));
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
