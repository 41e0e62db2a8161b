import { randomBytes } from 'node:crypto';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { sharedServerUrl } from './shared-server.ts';
import { takeDatabase } from './database-pool.ts';
import { ensureTemplate, onServer, withDatabase } from './template.ts';

export interface TestDatabase {
  db: Db;
  url: string;
  /** Closes the pool and drops the database. */
  close(): Promise<void>;
}

export interface TestDatabaseOptions {
  poolMax?: number;
  /** The limits of a statement; 30 s when left out. */
  queryTimeoutMs?: number;
  /** False: an empty database without our schema. */
  migrated?: boolean;
  /** Another template than the migrated one. */
  template?: string;
}

/**
 * What waits for a connection is told 503 after two seconds, which is not what a test of many callers asks about. A
 * caller that holds one connection and asks for another is still found: nobody gives it one for half a minute.
 */
const CONNECT_PATIENCE_MS = 30_000;

let server: Promise<string> | undefined;

/** Set by `npm test`, which starts one PostgreSQL for the whole run; a single file uses the shared server. */
function serverUrl(): Promise<string> {
  const url = process.env['POSTHORN_TEST_DATABASE_URL'];
  return (server ??= url ? Promise.resolve(url) : sharedServerUrl());
}

/** A database of this test file alone, copied from the migrated template in about 20 ms. Real PostgreSQL, fsync off. */
export async function createTestDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const server = await serverUrl();
  const template = options.template ?? (options.migrated === false ? 'template1' : await ensureTemplate(server));
  const name = `test_${process.pid}_${randomBytes(4).toString('hex')}`;
  await takeDatabase(server, name, template);
  const url = withDatabase(server, name);
  const log = createLog({ level: 'silent' });
  const database = openDatabase({
    url,
    poolMax: options.poolMax ?? 10,
    applicationName: 'test',
    log,
    connectTimeoutMs: CONNECT_PATIENCE_MS,
    ...(options.queryTimeoutMs === undefined ? {} : { queryTimeoutMs: options.queryTimeoutMs }),
  });
  return {
    db: database.db,
    url,
    async close() {
      await database.close();
      await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
    },
  };
}
