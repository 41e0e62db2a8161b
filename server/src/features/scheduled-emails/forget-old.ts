import type { Service } from '#platform/lifecycle.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { deleteOldScheduled } from './queries/removal.ts';
import type { ScheduledWiring } from './wiring.ts';

const NAME = 'old scheduled emails';
const PAGE = 500;

/** Removes scheduled emails `POSTHORN_RETENTION_DAYS` after their end, and those of deleted workspaces. */
export const forgetOldService = (wiring: Pick<ScheduledWiring, 'db' | 'clock' | 'log' | 'settings'>): Service => {
  const of = { ...wiring, name: NAME };
  return hourlyService(of, 'old scheduled emails could not be removed; trying again later', (goOn, stopping) =>
    inThisHour(
      of,
      ({ everyPage }) =>
        everyPage(async () => (await deleteOldScheduled(wiring.db, wiring.settings.retentionDays, PAGE)) > 0),
      goOn,
      stopping,
    ),
  );
};
