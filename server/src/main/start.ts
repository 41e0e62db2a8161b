import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { createSecrets } from '#platform/crypto/secrets.ts';
import { systemClock } from '#platform/clock.ts';
import { type Settings, SettingsError } from '#platform/config/settings.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createListener } from '#platform/db/listener.ts';
import { migrate } from '#platform/db/migrate.ts';
import { type Service, startAll } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Role } from './arguments.ts';
import { closeHttpGently } from './close-http.ts';
import { composePosthorn } from './compose.ts';
import { announceStart } from './first-start.ts';
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
  announce(say: (text: string) => void): void;
  /** Stops accepting, finishes what is in hand, gives the rest back. */
  stop(): Promise<void>;
}

/** Everything a process is, started upward: database, schema, first start, services, and the listener last. */
export async function startPosthorn(options: StartOptions): Promise<RunningPosthorn> {
  const { settings, roles, log } = options;
  const faults = providerFaults(settings);
  if (faults.length > 0) throw new SettingsError(faults);
  const undo: Service[] = [];
  const started = (name: string, stop: () => Promise<void>): void => {
    undo.push({ name, start: async () => undefined, stop });
  };
  const stopAll = async (): Promise<void> => {
    for (const service of undo.reverse()) {
      await service
        .stop()
        .catch((error: unknown) => log.error({ err: error, service: service.name }, 'did not stop cleanly'));
    }
  };
  try {
    let databaseUrl = settings.databaseUrl;
    if (databaseUrl === null) {
      const postgres = await startEmbeddedPostgres({ dataDir: settings.dataDir, log });
      started('embedded PostgreSQL', () => postgres.stop());
      databaseUrl = postgres.url;
    }
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
    await migrate({ url: directUrl, log, direct: settings.databaseDirectUrl !== null });
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
    const announcement = await posthorn.firstStart();
    const services = await startAll([listener, ...posthorn.services], log);
    started('services', services.stop);

    let url: string | undefined;
    if (roles.includes('api')) {
      const closeHttp = closeHttpGently(posthorn.app);
      await posthorn.app.listen({ port: settings.port, host: settings.host });
      started('http', closeHttp);
      const address = posthorn.app.server.address();
      url = `http://${settings.host}:${typeof address === 'object' && address !== null ? address.port : settings.port}`;
    }
    return { url, announce: (say) => announceStart({ say, settings, roles, url, announcement }), stop: stopAll };
  } catch (error) {
    await stopAll();
    throw error;
  }
}
