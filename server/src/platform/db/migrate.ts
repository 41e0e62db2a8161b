import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { type Migration, type MigrationProvider, Migrator } from 'kysely/migration';
import type { Db } from './database.ts';

const FOLDER = path.join(import.meta.dirname, '../../../migrations');

interface MigrationFile {
  name: string;
  text: string;
  sha256: string;
}

async function readMigrations(folder: string): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(path.join(folder, name), 'utf8');
      return { name: name.slice(0, -4), text, sha256: createHash('sha256').update(text).digest('hex') };
    }),
  );
}

/**
 * Brings the schema up to date: plain SQL files, forward only, all pending ones in one transaction under Kysely's
 * advisory lock, so that racing starters do the work once and the others find it done. A file that was changed after
 * it ran, and a database newer than this code, are refused: both mean that code and schema do not belong together.
 */
export async function migrate(db: Db, folder: string = FOLDER): Promise<void> {
  const files = await readMigrations(folder);
  const provider: MigrationProvider = {
    async getMigrations() {
      return Object.fromEntries(files.map((file): [string, Migration] => [file.name, { up: (tx) => apply(tx, file) }]));
    },
  };
  const migrator = new Migrator({
    db,
    provider,
    migrationTableName: 'schema_migrations',
    migrationLockTableName: 'schema_migrations_lock',
  });
  await refuseChangedFiles(db, files); // before anything new is laid on top
  const { error } = await migrator.migrateToLatest();
  if (error !== undefined) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      reason.includes('is missing')
        ? `The database was migrated by a newer version of Posthorn (${reason}). Run that version or a newer one.`
        : `The database could not be migrated: ${reason}`,
      { cause: error },
    );
  }
  await refuseChangedFiles(db, files);
}

async function apply(tx: Db, file: MigrationFile): Promise<void> {
  await sql`create table if not exists schema_migration_files (name text primary key, sha256 text not null)`.execute(
    tx,
  );
  await sql.raw(file.text).execute(tx);
  await sql`insert into schema_migration_files (name, sha256) values (${file.name}, ${file.sha256})`.execute(tx);
}

async function refuseChangedFiles(db: Db, files: readonly MigrationFile[]): Promise<void> {
  const { rows } = await sql<{
    there: boolean;
  }>`select to_regclass('schema_migration_files') is not null as there`.execute(db);
  if (rows[0]?.there !== true) return;
  const applied = await sql<{ name: string; sha256: string }>`select name, sha256 from schema_migration_files`.execute(
    db,
  );
  const hashes = new Map(applied.rows.map((row) => [row.name, row.sha256]));
  const changed = files
    .filter((file) => (hashes.get(file.name) ?? file.sha256) !== file.sha256)
    .map((file) => file.name);
  if (changed.length > 0) {
    throw new Error(`Migrations were changed after they ran: ${changed.join(', ')}. Add a new file instead.`);
  }
}
