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

/**
 * One for each server. A new connection costs PostgreSQL 35 ms of a core on a slow virtual machine (November 2026), and
 * each test file asked for three. It holds up no end of the process.
 */
const serverPools = new Map<string, pg.Pool>();
const KEEP_MS = 60_000;

/** Runs statements that cannot be part of a transaction, one caller at a time. */
export async function onServer<T>(url: string, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  let pool = serverPools.get(url);
  if (pool === undefined) {
    pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: KEEP_MS, allowExitOnIdle: true });
    pool.on('error', () => undefined); // The server ended; the next caller gets a new connection, or is told.
    serverPools.set(url, pool);
  }
  const client = await pool.connect();
  let failed = true;
  try {
    const result = await work(client);
    failed = false;
    return result;
  } finally {
    client.release(failed); // Whatever a failed caller left behind, such as a lock, ends with its connection.
  }
}

const templates = new Map<string, Promise<string>>();

/** Makes the template unless it is there, and returns its name. A process asks a server once. */
export function ensureTemplate(serverUrl: string): Promise<string> {
  const known = templates.get(serverUrl) ?? findOrMakeTemplate(serverUrl);
  templates.set(serverUrl, known);
  return known;
}

async function findOrMakeTemplate(serverUrl: string): Promise<string> {
  const name = `template_${hashOfMigrations()}`;
  await onServer(serverUrl, async (client) => {
    if (await exists(client, name)) return;
    await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
    await makeTemplate(client, serverUrl, name);
    await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  });
  return name;
}

async function makeTemplate(client: pg.ClientBase, serverUrl: string, name: string): Promise<void> {
  if (await exists(client, name)) return;
  const draft = `${name}_draft`;
  await client.query(`drop database if exists ${draft} with (force)`);
  await client.query(`create database ${draft}`);
  await migrate({ url: withDatabase(serverUrl, draft), log: createLog({ level: 'silent' }), clock: systemClock });
  // Nobody may connect: a template with a connection cannot be copied.
  await client.query(`alter database ${draft} with allow_connections false`);
  await client.query(`alter database ${draft} rename to ${name}`);
}

async function exists(client: pg.ClientBase, name: string): Promise<boolean> {
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
