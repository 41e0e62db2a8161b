import path from 'node:path';
import pg from 'pg';
import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import { runIndexStep, usesPooler } from './build-index.ts';
import { sqlStateOf } from '../database-errors.ts';
import { isHashOf, type MigrationFile, readMigrations } from './migration-files.ts';
import { LIFT_TIME_LIMITS, lockMigrations, type MigrationLock } from './migration-lock.ts';

export interface MigrateOptions {
  url: string;
  log: Log;
  clock: Clock;
  /** Of a test; otherwise server/migrations. */
  folder?: string;
  /** The address was given as one without a pooler (DATABASE_DIRECT_URL), so it is not asked whether there is one. */
  direct?: boolean;
  /** Shorter for tests. */
  limits?: Partial<Limits>;
}

interface Limits {
  /**
   * How long a file may wait for the lock of a table. Everybody who wants that table meanwhile queues behind it, so
   * this is also how much longer an accept may take.
   */
  lockTimeoutMs: number;
  /** At least as long as the time-out: in between, what queued gets through. Doubles with each try. */
  firstPauseMs: number;
  longestPauseMs: number;
  /** After this long a start fails; until then whoever holds the lock may end, a backup for example. */
  patienceMs: number;
}

const LIMITS: Limits = { lockTimeoutMs: 2_000, firstPauseMs: 2_000, longestPauseMs: 30_000, patienceMs: 15 * 60_000 };
const FOLDER = path.join(import.meta.dirname, '../../../../migrations');

/**
 * Brings the schema up to date: plain SQL files, forward only, in the order of their names. Each file is a
 * transaction of its own that waits 2 s at most for a lock and then tries again later; a file that begins with `--
 * concurrently` builds its indexes outside a transaction. Earlier files stay when a later file fails. Racing starters
 * do the work once.
 *
 * A database with migrations that this code does not have, and a file that was changed after it ran (other than to a
 * text that does the same), are refused before anything runs: code and schema do not belong together.
 */
export async function migrate(options: MigrateOptions): Promise<void> {
  const files = await readMigrations(options.folder ?? FOLDER);
  await withConnections(options, async (client, lockClient) => {
    if ((await pendingOf(client, files)).length === 0) return;
    const lock = await lockMigrations(lockClient, options.log, options.clock);
    try {
      const pending = await pendingOf(client, files); // whoever had the lock before may have done all of it
      await refusePooler(client, pending, options);
      // A hundred lines of them would hide what a first start prints for its owner.
      const isFirst = pending.length === files.length;
      for (const file of pending) {
        await untilUnlocked(client, file, options, lock);
        if (!isFirst) options.log.info({ migration: file.name }, 'the database was migrated');
      }
      if (isFirst) options.log.info({ migrations: files.length }, 'the tables were made');
    } finally {
      await lock.release();
    }
  });
}

async function withConnections(
  { url }: MigrateOptions,
  work: (client: pg.Client, lockClient: pg.Client) => Promise<void>,
): Promise<void> {
  const connection = { connectionString: url, connectionTimeoutMillis: 10_000, keepAlive: true };
  const client = new pg.Client({ ...connection, application_name: 'posthorn migrations' });
  const lockClient = new pg.Client({ ...connection, application_name: 'posthorn migration lock' });
  for (const one of [client, lockClient]) one.on('error', () => undefined); // what is under way on it fails, and tells
  try {
    await client.connect();
    await lockClient.connect();
    await work(client, lockClient);
  } finally {
    await Promise.allSettled([client.end(), lockClient.end()]);
  }
}

/** The files that have not run. Throws when what has run and what is in the folder do not fit. */
async function pendingOf(client: pg.Client, files: readonly MigrationFile[]): Promise<MigrationFile[]> {
  const known = await client.query<{ there: boolean }>(
    `select to_regclass('schema_migration_files') is not null as there`,
  );
  if (known.rows[0]?.there !== true) return [...files];
  const { rows } = await client.query<{ name: string; sha256: string }>(
    'select name, sha256 from schema_migration_files order by name',
  );
  refuseUnknown(
    rows.map(({ name }) => name),
    files.at(-1)?.name ?? '',
    new Set(files.map(({ name }) => name)),
  );
  const hashes = new Map(rows.map((row) => [row.name, row.sha256]));
  const changed = files.filter((file) => !isHashOf(file, hashes.get(file.name) ?? file.sha256));
  if (changed.length > 0) {
    throw new Error(
      `Migrations were changed after they ran: ${changed.map(({ name }) => name).join(', ')}. Add a new file instead.`,
    );
  }
  const pending = files.filter((file) => !hashes.has(file.name));
  const last = rows.at(-1)?.name ?? '';
  const between = pending.find((file) => file.name < last);
  if (between !== undefined) {
    throw new Error(
      `The migration ${between.name} was added in front of ${last}, which has run. Give it a number behind the last.`,
    );
  }
  return pending;
}

function refuseUnknown(applied: readonly string[], ourLast: string, ours: ReadonlySet<string>): void {
  const unknown = applied.filter((name) => !ours.has(name));
  const [first] = unknown;
  if (first === undefined) return;
  const which = unknown.length === 1 ? first : `${first} and ${unknown.length - 1} more`;
  if (first > ourLast) {
    throw new Error(
      `The database was migrated by a newer version of Posthorn (${which}). Run that version or a newer one.`,
    );
  }
  throw new Error(
    `The database has migrations that this version of Posthorn does not know (${which}). It was made by a version ` +
      'before the first release, and there is no upgrade from those. Run the version that made it to export what you ' +
      'need, then start this one with an empty database: another POSTHORN_DATA_DIR, or another DATABASE_URL.',
  );
}

/** A pooler in between would hand what a session sets to others, and run the next statement on another session. */
async function refusePooler(
  client: pg.Client,
  pending: readonly MigrationFile[],
  { direct }: MigrateOptions,
): Promise<void> {
  const step = pending.find((file) => file.concurrently !== undefined);
  if (step === undefined || direct === true || !(await usesPooler(client))) return;
  throw new Error(
    `The migration ${step.name} builds an index outside a transaction, which does not work through a pooler. ` +
      'Set DATABASE_DIRECT_URL to the address of PostgreSQL itself.',
  );
}

/** Runs a file, and again after a pause when a lock was not free in time, until the patience is over. */
async function untilUnlocked(
  client: pg.Client,
  file: MigrationFile,
  { log, clock, limits: given }: MigrateOptions,
  lock: MigrationLock,
): Promise<void> {
  const limits = { ...LIMITS, ...given };
  let waitedMs = 0;
  for (let pauseMs = limits.firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, limits.longestPauseMs)) {
    lock.check();
    try {
      await (file.concurrently === undefined ? applyAsTransaction(client, file, limits) : applySteps(client, file));
      return;
    } catch (error) {
      const state = sqlStateOf(error);
      const isLocked = state === LOCK_NOT_AVAILABLE || state === DEADLOCK;
      if (!isLocked) throw failed(file, error);
      const oldest = await oldestTransactions(client);
      if (waitedMs >= limits.patienceMs) {
        throw new Error(
          `The database could not be migrated: ${file.name} needs a lock that was not free for ` +
            `${Math.round(waitedMs / 60_000)} minutes. The oldest transactions: ${oldest}.`,
          { cause: error },
        );
      }
      log.warn({ migration: file.name, pauseMs, oldest }, 'a table is locked; the migration is tried again');
      await clock.sleep(pauseMs);
      waitedMs += pauseMs + limits.lockTimeoutMs;
    }
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

async function applyAsTransaction(client: pg.Client, file: MigrationFile, limits: Limits): Promise<void> {
  await client.query('begin');
  try {
    await client.query(LIFT_TIME_LIMITS);
    await client.query(`set local lock_timeout = ${limits.lockTimeoutMs}`);
    await client.query(file.text);
    await note(client, file);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined); // a connection that is gone has rolled back
    throw error;
  }
}

async function applySteps(client: pg.Client, file: MigrationFile): Promise<void> {
  for (const step of file.concurrently ?? []) await runIndexStep(client, step);
  await note(client, file);
}

async function note(client: pg.Client, file: MigrationFile): Promise<void> {
  await client.query('create table if not exists schema_migration_files (name text primary key, sha256 text not null)');
  await client.query('insert into schema_migration_files (name, sha256) values ($1, $2)', [file.name, file.sha256]);
}

/** The sessions that may hold the lock: never with the text of a statement, which may have somebody's data. */
async function oldestTransactions(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ line: string }>(`
    select format('%s (pid %s, for %s s)', coalesce(nullif(application_name, ''), 'no name'), pid,
                  round(extract(epoch from clock_timestamp() - xact_start))) as line
      from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
       and application_name <> 'posthorn migration lock'
     order by xact_start limit 3`);
  return rows.length === 0 ? 'none any more' : rows.map(({ line }) => line).join(', ');
}

function failed(file: MigrationFile, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  const isWhole = file.concurrently === undefined;
  const position = error instanceof pg.DatabaseError && isWhole ? error.position : undefined;
  const line = position === undefined ? '' : `, line ${file.text.slice(0, Number(position)).split('\n').length}`;
  const kept = isWhole
    ? 'Nothing of that file was kept.'
    : 'Earlier indexes of that file stay, and the next start continues after them.';
  return new Error(`The database could not be migrated: ${reason} (${file.name}${line}). ${kept}`, { cause: error });
}
