import { hostname } from 'node:os';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import {
  recordHeartbeat,
  removeSilentWorkers,
  removeWorker,
  selectLiveWorkers,
  type WorkerRow,
} from './queries/workers.ts';

const EVERY_MS = 5_000;

/** Tells /health that this process is alive, and what it does. A stopped process leaves no row. */
export function createHeartbeat(options: { db: Db; log: Log; roles: readonly string[] }): Service {
  const worker = { id: newId(), roles: options.roles, host: hostname(), pid: process.pid };
  let timer: NodeJS.Timeout | undefined;
  let failing = false;
  const beat = async (): Promise<void> => {
    try {
      await recordHeartbeat(options.db, worker);
      failing = false;
    } catch (error) {
      if (!failing) options.log.warn({ err: error }, 'the heartbeat could not be written');
      failing = true;
    }
  };
  return {
    name: 'worker heartbeat',
    async start() {
      if (timer !== undefined) return;
      timer = setInterval(() => void beat(), EVERY_MS);
      await beat();
      await removeSilentWorkers(options.db).catch(() => undefined); // next start
    },
    async stop() {
      if (timer === undefined) return;
      clearInterval(timer);
      timer = undefined;
      await removeWorker(options.db, worker.id).catch(() => undefined); // an hour later another start removes it
    },
  };
}

/** Processes that were alive a minute ago, oldest first. */
export async function listWorkers(db: Db): Promise<WorkerRow[]> {
  return selectLiveWorkers(db);
}
