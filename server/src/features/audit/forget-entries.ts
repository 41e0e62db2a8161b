import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import { deleteOldAuditEntries } from './queries.ts';

const EVERY_MS = 3_600_000;
/** Of each workspace in one statement. */
const PAGE = 1_000;

/** Removes entries that are older than so many days, page by page; 0 keeps them for ever. Returns how many. */
export async function forgetEntries(db: Db, auditDays: number, goOn: () => boolean = () => true): Promise<number> {
  let removed = 0;
  for (let page = auditDays > 0 ? 1 : 0; page > 0 && goOn(); removed += page) {
    page = await deleteOldAuditEntries(db, auditDays, PAGE);
  }
  return removed;
}

export const forgetEntriesService = (parts: {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'auditDays'>;
}): Service =>
  loop({
    name: 'old audit entries',
    everyMs: EVERY_MS,
    clock: parts.clock,
    log: parts.log,
    failure: 'old audit entries could not be removed; trying again later',
    round: (goOn) => forgetEntries(parts.db, parts.settings.auditDays, goOn),
  });
