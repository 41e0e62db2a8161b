import type { Service } from '#platform/lifecycle.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';
import { deleteOldRuns, deletePageOfDeleted } from './removal-queries.ts';
import type { AutomationsWiring } from './wiring.ts';

const NAME = 'old runs of automations';
const PAGE = 500;

/** Removes runs `POSTHORN_RETENTION_DAYS` after their end, and those of deleted automations. */
export const forgetOldService = (wiring: AutomationsWiring): Service => {
  const of = { ...wiring, name: NAME };
  return hourlyService(of, 'old runs of automations could not be removed; trying again later', (goOn, stopping) =>
    inThisHour(
      of,
      async ({ everyPage }) => {
        await everyPage(async () => (await deletePageOfDeleted(wiring.db, PAGE)) > 0);
        await everyPage(async () => (await deleteOldRuns(wiring.db, wiring.settings.retentionDays, PAGE)) > 0);
      },
      goOn,
      stopping,
    ),
  );
};
