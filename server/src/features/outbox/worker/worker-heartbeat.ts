import { hostname } from 'node:os';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import {
  recordHeartbeat,
  removeSilentWorkers,
  removeWorker,
  selectLiveWorkers,
  type WorkerRow,
} from './queries/workers.ts';

const EVERY_MS = 5_000;

/** Tells /health that this process is alive, and what it does. A stopped process leaves no row. */
export function createHeartbeat(options: { db: Db; log: Log; clock: Clock; roles: readonly string[] }): Service {
  const { db, log, clock, roles } = options;
  const worker = { id: newId(), roles, host: hostname(), pid: process.pid };
  const beat = (): Promise<void> => recordHeartbeat(db, worker);
  const beats = loop({
    name: 'worker heartbeat',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'the heartbeat could not be written',
    round: beat,
  });
  return {
    ...beats,
    async start() {
      await beat().catch(() => undefined); // the next beat tells when that fails too
      await beats.start();
      await removeSilentWorkers(db).catch(() => undefined); // next start
    },
    async stop() {
      await beats.stop();
      await removeWorker(db, worker.id).catch(() => undefined); // an hour later another start removes it
    },
  };
}

/** Processes that were alive a minute ago, oldest first. */
export async function listWorkers(db: Db): Promise<WorkerRow[]> {
  return selectLiveWorkers(db);
}
