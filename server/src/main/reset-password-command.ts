import { resetPasswordByAdmin } from '#features/workspaces';
import { systemClock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { openDatabase } from '#platform/db/database.ts';
import { migrate } from '#platform/db/migrate.ts';
import type { Log } from '#platform/log.ts';
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';

/**
 * `admin reset-password EMAIL`: the way back in that needs no mail. With the embedded database, stop the running
 * Posthorn first: only one process may own the data directory.
 */
export async function resetPasswordCommand(options: {
  settings: Settings;
  log: Log;
  say(text: string): void;
  email: string;
}): Promise<void> {
  const { settings, log, say, email } = options;
  const postgres =
    settings.databaseUrl === null ? await startEmbeddedPostgres({ dataDir: settings.dataDir, log }) : undefined;
  const url = postgres?.url ?? settings.databaseUrl ?? '';
  const database = openDatabase({ url, poolMax: 2, applicationName: 'posthorn admin', log });
  try {
    const direct = settings.databaseDirectUrl;
    await migrate({ url: direct ?? url, log, clock: systemClock, direct: direct !== null });
    const reset = await resetPasswordByAdmin({ db: database.db, clock: systemClock }, email);
    if (reset === undefined) throw new Error(`Nobody signs in with ${email}.`);
    say(`New password of ${reset.email}: ${reset.password}\nEvery session of this person was ended.`);
  } finally {
    await database.close();
    await postgres?.stop();
  }
}
