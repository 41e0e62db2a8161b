import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';

/** The value of whoever came first: ours when the table was empty. */
export async function keepSecretCheck(db: Db, sealed: Buffer): Promise<Buffer> {
  await sql`insert into instance (secret_check) values (${sealed}) on conflict do nothing`.execute(db);
  const kept = await findSecretCheck(db);
  if (kept === undefined) throw new Error('the instance row was just written and is not there');
  return kept;
}

/** Undefined: this database was never used with a secret. */
export async function findSecretCheck(db: Db): Promise<Buffer | undefined> {
  const { rows } = await sql<{ sealed: Buffer }>`select secret_check as sealed from instance`.execute(db);
  return rows[0]?.sealed;
}

export interface ServerFacts {
  version: number;
  synchronousCommit: string;
  fsync: string;
  full_page_writes: string;
  /** Chosen when the cluster was made; off before PostgreSQL 18 unless somebody asked for them. */
  dataChecksums: string;
}

export async function readServerFacts(db: Db): Promise<ServerFacts> {
  const { rows } = await sql<ServerFacts>`
    select current_setting('server_version_num')::int as version,
      current_setting('synchronous_commit') as "synchronousCommit", current_setting('fsync') as fsync,
      current_setting('full_page_writes') as full_page_writes, current_setting('data_checksums') as "dataChecksums"`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not answer what it is');
  return row;
}

export interface DatabaseState {
  version: string;
  sizeBytes: number;
}

/** The size is that of its files, which PostgreSQL adds up. No row is read. */
export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    select current_setting('server_version') as version,
      pg_database_size(current_database())::float8 as "sizeBytes"`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('the server did not answer what it is');
  return row;
}

/** The workspace of the first start; there is always one once a process serves. */
export async function findHomeWorkspaceId(db: Db): Promise<string> {
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('this database has no home workspace');
  return row.id;
}
