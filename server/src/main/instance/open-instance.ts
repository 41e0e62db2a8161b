import { systemClock } from '#platform/clock.ts';
import type { Settings } from '#platform/config/settings.ts';
import { createSecrets, type Secrets } from '#platform/crypto/secrets.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { reachDatabase, START_PATIENCE_MS } from '#platform/db/reach-database.ts';
import { migrate } from '#platform/db/migrations/migrate.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { masterKey } from '../secret-key.ts';
import { type UndoList, unlessAborted } from '../undo-list.ts';
import { checkSecret, checkServer } from './check-database.ts';
import { findSecretCheck } from './queries.ts';

export interface OpenOptions {
  settings: Settings;
  log: Log;
  applicationName: string;
  poolMax: number;
  /** Everything that is opened here is added to it. */
  undo: UndoList;
  signal?: AbortSignal | undefined;
}

export interface Instance {
  db: Db;
  /** The address of the database; holds a password. */
  url: string;
  /** The same without a pooler in between. */
  directUrl: string;
  secrets: Secrets;
}

/** Opens the database of this instance: started when it is the embedded one, migrated, and fit for its secret. */
export async function openInstance(options: OpenOptions): Promise<Instance> {
  const { settings, log, undo, signal, applicationName, poolMax } = options;
  const url = settings.databaseUrl ?? (await startOwnPostgres(options));
  await reach('start.after-postgres');
  signal?.throwIfAborted();
  const direct = settings.databaseDirectUrl;
  await unlessAborted(signal, reachDatabase(url, 'DATABASE_URL'));
  if (direct !== null) await unlessAborted(signal, reachDatabase(direct, 'DATABASE_DIRECT_URL'));
  const { db, close } = openDatabase({
    url,
    poolMax,
    applicationName,
    log,
    firstConnectTimeoutMs: START_PATIENCE_MS,
  });
  undo.add('database', close);
  await unlessAborted(signal, checkServer(db, log, settings.unsafeDatabase === 'allow'));
  const directUrl = direct ?? url;
  await unlessAborted(signal, migrate({ url: directUrl, log, clock: systemClock, direct: direct !== null }));
  await reach('start.after-migrations');
  signal?.throwIfAborted();
  const isNew = (await findSecretCheck(db)) === undefined;
  const secrets = createSecrets(masterKey(settings, isNew), settings.previousSecretKeys);
  await reach('start.after-secret-key');
  await checkSecret(db, secrets);
  signal?.throwIfAborted();
  return { db, url, directUrl, secrets };
}

async function startOwnPostgres({ settings, log, undo, signal }: OpenOptions): Promise<string> {
  const starting = startEmbeddedPostgres({
    dataDir: settings.dataDir,
    log,
    ...(signal === undefined ? {} : { signal }),
  });
  // A start that fails has stopped its server itself.
  undo.add('embedded PostgreSQL', () =>
    starting.then(
      (postgres) => postgres.stop(),
      () => undefined,
    ),
  );
  return (await starting).url;
}
