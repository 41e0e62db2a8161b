import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { trustInAges } from '#platform/work/loop-by-age.ts';
import { expireDeliveries } from './expire-deliveries.ts';
import { hastenDeliveries, shortenLeases } from './queries/correct-future-times.ts';
import { deleteLeasesOfNobody } from './queries/leases.ts';
import {
  deleteOldBodies,
  deleteOldDeliveries,
  deleteOldWorkspaceEvents,
  type ExpiryPlace,
} from './queries/retention.ts';

const EVERY_MS = 300_000;
const PAGE = 1_000;

/**
 * Removes deliveries, bodies and events that are older than 30 days, page by page, each its own commit. Safe to run in
 * any number of processes, and to be killed. Returns how many rows are gone.
 */
export async function removeOld(db: Db, goOn: () => boolean = () => true): Promise<number> {
  let removed = 0;
  for (const deletePage of [deleteOldDeliveries, deleteOldBodies, deleteOldWorkspaceEvents]) {
    for (let page = PAGE; page === PAGE && goOn(); removed += page) page = await deletePage(db, PAGE);
  }
  await deleteLeasesOfNobody(db);
  return removed;
}

/** Each round, because no step of the clock is noticed here: both look for rows that an index finds at once. */
export async function correctFutureTimes(db: Db, goOn: () => boolean = () => true): Promise<void> {
  await shortenLeases(db);
  for (let page = PAGE; page === PAGE && goOn(); ) page = await hastenDeliveries(db, PAGE);
}

export function createRetention(ports: { db: Db; log: Log; clock: Clock }): Service {
  const { db, log, clock } = ports;
  const isTrusted = trustInAges({ ...ports, name: 'webhook retention' });
  let place: ExpiryPlace | null = null;
  return loop({
    name: 'webhook retention',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'old webhook deliveries could not be removed; trying again later',
    async round(goOn) {
      await correctFutureTimes(db, goOn);
      if (!(await isTrusted())) return;
      ({ place } = await expireDeliveries(ports, place, goOn));
      await removeOld(db, goOn);
    },
  });
}
