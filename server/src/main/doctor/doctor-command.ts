import { systemClock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { openDatabase } from '#platform/db/database.ts';
import { reachDatabase } from '#platform/db/reach-database.ts';
import { migrate } from '#platform/db/migrations/migrate.ts';
import type { Log } from '#platform/log.ts';
import { findRunningPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { createDoctor } from './doctor.ts';
import { printReport } from './print-report.ts';

/**
 * `doctor`: what `GET /v1/provider/check` answers, on the command line. It may run beside a running Posthorn, whose
 * embedded database it then uses; without one it starts the database for as long as it looks. False: an error was
 * found.
 */
export async function doctorCommand(options: {
  settings: Settings;
  log: Log;
  say(text: string): void;
}): Promise<boolean> {
  const { settings, log, say } = options;
  const running = settings.databaseUrl ?? (await findRunningPostgres(settings.dataDir));
  const postgres = running === undefined ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log }) : undefined;
  const url = postgres?.url ?? running ?? '';
  if (settings.databaseUrl !== null) await reachDatabase(url, 'DATABASE_URL');
  const database = openDatabase({ url, poolMax: 2, applicationName: 'posthorn doctor', log });
  try {
    // A running Posthorn has migrated; a newer program must not do it underneath it.
    if (postgres !== undefined) await migrate({ url, log, clock: systemClock });
    const report = await createDoctor({ db: database.db, settings, clock: systemClock })();
    say(printReport(report));
    return report.ok;
  } finally {
    await database.close();
    await postgres?.stop();
  }
}
