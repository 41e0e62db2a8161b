import { forgetEntries } from '#features/audit';
import { forgetRequests } from '#features/request-log';
import { forgetRelaySessions } from '#features/smtp-relay';
import { forgetSecurityLog } from '#features/workspaces';
import type { Clock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { hourlyService, inThisHour } from '#platform/work/hourly.ts';

const NAME = 'old entries of logs';

/**
 * Removes entries of the audit log and of the security log after `POSTHORN_AUDIT_DAYS`, requests and sessions of the
 * relay after their days.
 */
export const forgetOldLogsService = (parts: {
  db: Db;
  clock: Clock;
  log: Log;
  settings: Pick<Settings, 'auditDays'>;
}): Service => {
  const of = { ...parts, name: NAME };
  return hourlyService(of, 'old entries of logs could not be removed; trying again later', (goOn, stopping) =>
    inThisHour(
      of,
      async ({ everyPage }) => {
        for (const forget of [forgetEntries, forgetSecurityLog]) {
          await everyPage(async () => (await forget(parts.db, parts.settings.auditDays)) > 0);
        }
        for (const forget of [forgetRequests, forgetRelaySessions]) {
          await everyPage(async () => (await forget(parts.db)) > 0);
        }
      },
      goOn,
      stopping,
    ),
  );
};
