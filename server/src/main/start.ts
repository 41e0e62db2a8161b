import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { systemClock } from '#platform/clock.ts';
import { type Settings, SettingsError } from '#platform/config/settings.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createListener } from '#platform/db/listener.ts';
import { migrate } from '#platform/db/migrate.ts';
import { startAll } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Role } from './arguments.ts';
import { closeHttpGently } from './close-http.ts';
import { composePosthorn, type Posthorn } from './compose.ts';
import { sayStart } from './first-start.ts';
import { checkSecret, checkServer } from './instance/check-database.ts';
import { providerFaults } from './providers.ts';
import { masterKey } from './secret-key.ts';

export interface StartOptions {
  settings: Settings;
  roles: readonly Role[];
  log: Log;
}

export interface RunningPosthorn {
  /** Where the API listens; undefined when this process has no such role. */
  url: string | undefined;
  /** Says that it runs and where: whoever hears it may stop it at once, so say it when that can be done. */
  sayStart(say: (text: string) => void): void;
  /** Stops accepting, finishes what is in hand, gives the rest back. */
  stop(): Promise<void>;
}

/** Everything a process is, started upward: database, schema, first start, services, and the listener last. */
export async function startPosthorn(options: StartOptions): Promise<RunningPosthorn> {
  const { settings, roles, log } = options;
  const faults = providerFaults(settings);
  if (faults.length > 0) throw new SettingsError(faults);
  const { started, stopAll } = undoList(log);
  try {
    const databaseUrl = settings.databaseUrl ?? (await startOwnPostgres(options, started));
    const database = openDatabase({
      url: databaseUrl,
      poolMax: settings.databasePool,
      applicationName: `posthorn ${roles.join(' ')}`,
      log,
    });
    started('database', database.close);
    const health = openDatabase({ url: databaseUrl, poolMax: 1, applicationName: 'posthorn health', log });
    started('health database', health.close);
    await checkServer(database.db, log);
    const directUrl = settings.databaseDirectUrl ?? databaseUrl;
    await migrate({ url: directUrl, log, clock: systemClock, direct: settings.databaseDirectUrl !== null });
    const secrets = createSecrets(masterKey(settings), settings.previousSecretKeys);
    await checkSecret(database.db, secrets);

    const listener = createListener({ url: directUrl, log, clock: systemClock });
    const posthorn = await composePosthorn({
      db: database.db,
      healthDb: health.db,
      listener,
      settings,
      secrets,
      clock: systemClock,
      log,
      roles,
      metrics: createMetrics(),
    });
    const credentials = await posthorn.firstStart();
    const services = await startAll([listener, ...posthorn.services], log);
    started('services', services.stop);
    const url = roles.includes('api') ? await listen(posthorn, settings, started) : undefined;
    return { url, sayStart: (say) => sayStart({ say, settings, roles, url, credentials }), stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}

type Started = (name: string, stop: () => Promise<void>) => void;

/** Remembers how to stop each part that was started, and stops them in the opposite order. */
function undoList(log: Log): { started: Started; stopAll(): Promise<void> } {
  const undo: { name: string; stop(): Promise<void> }[] = [];
  return {
    started: (name, stop) => void undo.push({ name, stop }),
    async stopAll() {
      for (const service of undo.reverse()) {
        await service
          .stop()
          .catch((error: unknown) => log.error({ err: error, service: service.name }, 'did not stop cleanly'));
      }
    },
  };
}

/** Returns the URL of the embedded PostgreSQL. */
async function startOwnPostgres({ settings, log }: StartOptions, started: Started): Promise<string> {
  const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
  started('embedded PostgreSQL', () => postgres.stop());
  return postgres.url;
}

/** Returns the URL of the API, with the port that was free when the setting says 0. */
async function listen({ app }: Posthorn, settings: Settings, started: Started): Promise<string> {
  const closeHttp = closeHttpGently(app, systemClock);
  await app.listen({ port: settings.port, host: settings.host });
  started('http', closeHttp);
  const address = app.server.address();
  const port = typeof address === 'object' && address !== null ? address.port : settings.port;
  return `http://${settings.host}:${port}`;
}
