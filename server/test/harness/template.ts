/**
 * A migrated database that every test database is copied from. Its name holds a hash of the migrations, so a changed
 * file makes a new template beside the old one; an advisory lock lets one of many test processes build it.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { systemClock } from '#platform/clock.ts';
import { migrate } from '#platform/db/migrations/migrate.ts';
import { createLog } from '#platform/log.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');
/** Any number that no other lock of ours uses. */
const TEMPLATE_LOCK = 74_001;

/** The same server, another database. */
export function withDatabase(url: string, database: string): string {
  return url.replace(/\/[^/?]*(\?|$)/, `/${database}$1`);
}

/** Runs statements that cannot be part of a transaction, in a connection of their own. */
export async function onServer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Makes the template unless it is there, and returns its name. */
export async function ensureTemplate(serverUrl: string): Promise<string> {
  const name = `template_${hashOfMigrations()}`;
  await onServer(serverUrl, async (client) => {
    if (await exists(client, name)) return;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]); // Released when the connection ends.
    if (await exists(client, name)) return;
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    await migrate({ url: withDatabase(serverUrl, draft), log: createLog({ level: 'silent' }), clock: systemClock });
    // Nobody may connect: a template with a connection cannot be copied.
    await client.query(`alter database ${draft} with allow_connections false`);
    await client.query(`alter database ${draft} rename to ${name}`);
  });
  return name;
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

function hashOfMigrations(): string {
  const hash = createHash('sha256');
  for (const file of readdirSync(MIGRATIONS).sort()) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(MIGRATIONS, file)));
  }
  return hash.digest('hex').slice(0, 16);
}
