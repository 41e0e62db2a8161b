/**
 * A real PostgreSQL server of our own, for everybody who has not set DATABASE_URL. It listens on a Unix socket only,
 * asks for a password, syncs every commit to disk, and keeps its data in `<dataDir>/postgres`.
 *
 * What holds whatever happened before: one Posthorn process at a time owns a data directory; a server that outlived
 * its owner is adopted, not started twice; no failure changes the data.
 */
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { reach } from '../fault-points.ts';
import { makeFolder } from '../lasting-files.ts';
import { findBinaries } from './binaries.ts';
import { clusterExists, createCluster, DATABASE, readPassword, requireMajorVersion, SUPERUSER } from './cluster.ts';
import { diskFull, explainDataDir, isDiskFull } from './explain-failure.ts';
import { type LockResult, takeOwnerLock } from './owner-lock.ts';
import { placeBinaries, placeCluster, type PlacementRoots } from './placement.ts';
import { findPostmaster, type Postmaster, startPostmaster, stopPostmaster, untilReady } from './postmaster.ts';
import { chooseServerUser } from './server-user.ts';
import { makeSocketDir, PORT } from './socket-dir.ts';
import { DataDirInUse } from './start-error.ts';

export interface EmbeddedPostgres {
  /** `host` is the folder of the Unix socket. */
  connection: { host: string; port: number; user: string; password: string; database: string };
  /** The same as one URL for `pg`; holds the password. */
  url: string;
  /** True when a server that outlived its owner was taken over. */
  adopted: boolean;
  /** Where the data really is: elsewhere than asked when root's server could not reach it there. */
  cluster: string;
  /** Fast shutdown; everything committed is on disk afterwards. May be called twice. */
  stop(): Promise<void>;
  /** Gives up the data directory with the server still running, for the next start to adopt. */
  leaveRunning(): void;
}

export interface EmbeddedPostgresOptions {
  dataDir: string;
  log: { info(message: string): void };
  /** Server settings on top of ours; the tests turn fsync off. */
  settings?: Record<string, string>;
  /** More environment of the server; the tests preload a library that moves its clock. */
  environment?: Record<string, string>;
  /** Where root's server goes when it cannot reach the data directory. */
  roots?: PlacementRoots;
  /** Gives the start up: it rejects once nothing that it started runs any more. */
  signal?: AbortSignal;
}

// Said on the command line, where they win over postgresql.conf: a 2xx means "on disk" (what Posthorn promises).
const SETTINGS = {
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_checkpoints: 'off',
};

export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  try {
    const { dataDir, lock } = takeDataDir(options.dataDir);
    if (!lock.held) {
      throw new DataDirInUse(
        `Another Posthorn (process ${lock.ownerPid}) is using ${dataDir}. Stop it first, or give this one a data directory ` +
          'of its own (POSTHORN_DATA_DIR). Several processes can share one database through DATABASE_URL.',
      );
    }
    try {
      return await startOwned(dataDir, options, lock.release);
    } catch (error) {
      lock.release();
      throw error;
    }
  } catch (error) {
    throw isDiskFull(error) ? diskFull(options.dataDir) : error;
  }
}

function takeDataDir(wanted: string): { dataDir: string; lock: LockResult } {
  try {
    makeFolder(wanted);
    const dataDir = realpathSync(wanted);
    return { dataDir, lock: takeOwnerLock(join(dataDir, 'postgres.lock')) };
  } catch (error) {
    throw explainDataDir(error, wanted) ?? error;
  }
}

/**
 * The URL of the server on this data directory, when one takes connections now: for a look at what another process
 * owns. Nothing is started, locked or kept.
 */
export async function findRunningPostgres(dataDir: string): Promise<string | undefined> {
  const usual = join(dataDir, 'postgres');
  if (!existsSync(usual)) return undefined;
  const cluster = realpathSync(usual);
  const running = findPostmaster(cluster) && (await untilReady(cluster));
  return running && urlOf(running.socketDir, readPassword(cluster, findBinaries().dir));
}

const urlOf = (socketDir: string, password: string): string =>
  `postgresql://${SUPERUSER}:${password}@/${DATABASE}?host=${encodeURIComponent(socketDir)}&port=${PORT}`;

async function startOwned(
  dataDir: string,
  options: EmbeddedPostgresOptions,
  release: () => void,
): Promise<EmbeddedPostgres> {
  const { log, roots } = options;
  const binaries = findBinaries();
  const existing = join(dataDir, 'postgres');
  const user = chooseServerUser(existsSync(existing) ? existing : undefined);
  const cluster = placeCluster(dataDir, user, log, roots);
  const native = placeBinaries(binaries, dataDir, user, log, roots);
  if (clusterExists(cluster)) requireMajorVersion(cluster, binaries.major);
  else {
    log.info(`Making a new PostgreSQL ${binaries.major} database in ${cluster}.`);
    createCluster(cluster, native, user);
  }
  options.signal?.throwIfAborted();
  const password = readPassword(cluster, native);
  const adopted = await adopt(cluster, password, options);
  const running =
    adopted ??
    (await startPostmaster(
      {
        cluster,
        native,
        socketDir: makeSocketDir(cluster, user),
        logFile: join(dataDir, 'postgres.log'),
        user,
        settings: { ...SETTINGS, ...options.settings },
        environment: options.environment ?? {},
        signal: options.signal,
      },
      log,
    ));
  const connection = { host: running.socketDir, port: PORT, user: SUPERUSER, password, database: DATABASE };
  try {
    await reach('postgres.after-postmaster');
    await ensureDatabase(connection);
    options.signal?.throwIfAborted();
  } catch (error) {
    await stopPostmaster(running);
    throw error;
  }
  log.info(
    `PostgreSQL ${binaries.major} ${adopted ? 'was still running and is used again' : 'runs'}; its socket is in ${running.socketDir}.`,
  );
  let stopping: Promise<void> | undefined;
  return {
    connection,
    url: urlOf(running.socketDir, password),
    adopted: adopted !== undefined,
    cluster,
    stop: () => (stopping ??= stopPostmaster(running).finally(release)),
    leaveRunning: release,
  };
}

/** A live server is used when it answers with our password; one that cannot be talked to is shut down in order. */
async function adopt(
  cluster: string,
  password: string,
  { log, signal }: EmbeddedPostgresOptions,
): Promise<Postmaster | undefined> {
  if (!findPostmaster(cluster)) return undefined;
  log.info('A PostgreSQL of an earlier start is still running on this data directory.');
  const running = await untilReady(cluster, signal);
  if (!running) return undefined;
  const client = new pg.Client({
    host: running.socketDir,
    port: PORT,
    user: SUPERUSER,
    password,
    database: 'postgres',
    connectionTimeoutMillis: 5000,
  });
  try {
    await client.connect();
    await client.end();
    return running;
  } catch {
    await stopPostmaster(running);
    return undefined;
  }
}

async function ensureDatabase(connection: EmbeddedPostgres['connection']): Promise<void> {
  const client = new pg.Client({ ...connection, database: 'postgres' });
  await client.connect();
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [connection.database]);
    if (rowCount === 0) await client.query(`create database ${connection.database}`);
  } finally {
    await client.end();
  }
}
