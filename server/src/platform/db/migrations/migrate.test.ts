import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { startTransactionPooler } from '../../../../test/harness/transaction-pooler.ts';
import { systemClock } from '../../clock.ts';
import { createLog, type Log } from '../../log.ts';
import { migrate, type MigrateOptions } from './migrate.ts';

const silent = createLog({ level: 'silent' });
let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  database = await createTestDatabase({ migrated: false, queryTimeoutMs: 0 });
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-migrations-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);
const run = (options: Partial<MigrateOptions> = {}) =>
  migrate({ url: database.url, log: silent, clock: systemClock, folder, ...options });

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'schema_migration%' order by 1`.execute(
    database.db,
  );
  return rows.map((row) => row.name);
}

async function indexes(): Promise<{ name: string; valid: boolean; id: number }[]> {
  const { rows } = await sql<{ name: string; valid: boolean; id: number }>`
    select c.relname as name, x.indisvalid as valid, c.oid::int as id
      from pg_index x join pg_class c on c.oid = x.indexrelid
     where c.relnamespace = 'public'::regnamespace and not x.indisprimary order by 1`.execute(database.db);
  return rows;
}

const steps = async (): Promise<unknown[]> =>
  (await sql<{ step: number }>`select step from log order by step`.execute(database.db)).rows.map(({ step }) => step);

test('files run once, in the order of their names, with several statements each', async () => {
  await write('0002_b.sql', 'insert into log values (2);');
  await write('0001_a.sql', 'create table log (step int); insert into log values (1);');
  await write('README.md', 'not a migration');
  await run();
  await run();
  await write('0003_c.sql', 'insert into log values (3);');
  await run();
  assert.deepEqual(await steps(), [1, 2, 3]);
});

test('a first start says in one line that the tables were made, and a later one names each file that it ran', async () => {
  const lines: string[] = [];
  const log = createLog({ level: 'info', destination: { write: (line) => lines.push(line) } });
  await write('0001_a.sql', 'create table log (step int);');
  await write('0002_b.sql', 'insert into log values (2);');
  await run({ log });
  await write('0003_c.sql', 'insert into log values (3);');
  await run({ log });
  await run({ log });
  const said = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  assert.deepEqual(
    said.map(({ msg, migration, migrations }) => [msg, migration ?? migrations]),
    [
      ['the tables were made', 2],
      ['the database was migrated', '0003_c'],
    ],
  );
});

test('eight starters at once on an empty database do the work once, also what runs outside a transaction', async () => {
  await write('0001_a.sql', 'create table log (step int); insert into log values (1); select pg_sleep(0.2);');
  await write('0002_b.sql', '-- concurrently\ncreate index concurrently log_step on log (step);');
  await write('0003_c.sql', 'insert into log values (3);');
  const ends = await Promise.allSettled(Array.from({ length: 8 }, () => run()));
  assert.deepEqual(
    ends.filter((end) => end.status === 'rejected'),
    [],
  );
  assert.deepEqual(await steps(), [1, 3]);
  assert.deepEqual(
    (await indexes()).map(({ name, valid }) => ({ name, valid })),
    [{ name: 'log_step', valid: true }],
  );
});

test('our own migrations run on an empty database, racing', async () => {
  const own = () => migrate({ url: database.url, log: silent, clock: systemClock });
  await Promise.all([own(), own()]);
  const names = await tables();
  assert.ok(names.includes('workspaces') && names.includes('idempotency_keys'));
});

test('a file that fails leaves nothing of itself, keeps those before it, and the message has its name and line', async () => {
  await write('0001_a.sql', 'create table log (step int);');
  await write('0002_b.sql', 'create table more (step int);\n\nselect nonsense;');
  await assert.rejects(run(), /column "nonsense" does not exist \(0002_b, line 3\)\. Nothing of that file was kept/);
  assert.deepEqual(await tables(), ['log']);
  await write('0002_b.sql', 'create table more (step int);');
  await run();
  assert.deepEqual(await tables(), ['log', 'more']);
});

describe('a database that does not belong to this code is refused before anything new runs', () => {
  test('because a file was changed after it ran', async () => {
    await write('0001_a.sql', 'create table log (step int);');
    await run();
    await write('0001_a.sql', 'create table log (step bigint);');
    await write('0002_b.sql', 'create table more (step int);');
    await assert.rejects(run(), /changed after they ran: 0001_a\. Add a new file/);
    assert.deepEqual(await tables(), ['log']);
  });

  test('because a newer version migrated it', async () => {
    await write('0001_a.sql', 'create table log (step int);');
    await write('0002_b.sql', 'create table more (step int);');
    await run();
    await rm(path.join(folder, '0002_b.sql'));
    await assert.rejects(run(), /by a newer version of Posthorn \(0002_b\)\. Run that version or a newer one/);
  });

  test('because a version before the first release made it, with what to do', async () => {
    await write('0001_a.sql', 'create table log (step int);');
    await write('0002_b.sql', 'create table more (step int);');
    await write('0003_c.sql', 'create table most (step int);');
    await run();
    for (const name of ['0001_a.sql', '0002_b.sql']) await rm(path.join(folder, name));
    await write('0001_all.sql', 'create table everything (step int);');
    await assert.rejects(
      run(),
      /does not know \(0001_a and 1 more\)\. It was made by a version before the first release.*start this one with an empty database: another POSTHORN_DATA_DIR/,
    );
    assert.deepEqual(await tables(), ['log', 'more', 'most']);
  });

  test('because a file was added in front of one that has run', async () => {
    await write('0002_b.sql', 'create table log (step int);');
    await run();
    await write('0001_a.sql', 'create table more (step int);');
    await assert.rejects(
      run(),
      /0001_a was added in front of 0002_b, which has run\. Give it a number behind the last/,
    );
    assert.deepEqual(await tables(), ['log']);
  });
});

describe('a file that was written anew for PostgreSQL 15', () => {
  const NAME = '0085_scheduled_emails.sql';
  const STORAGE = 'alter table scheduled_attachments alter column body set storage external;\n';
  const anew = readFileSync(path.join(import.meta.dirname, '../../../../migrations', NAME), 'utf8');
  const former = anew.replace(STORAGE, '').replace('body bytea not', 'body bytea storage external not');
  const columns = async (): Promise<unknown> =>
    (
      await sql`select attname, atttypid, attstorage, attnotnull from pg_attribute
        where attrelid = 'scheduled_attachments'::regclass and attnum > 0 order by attnum`.execute(database.db)
    ).rows;
  const hashes = async (): Promise<unknown> =>
    (await sql`select name, sha256 from schema_migration_files order by name`.execute(database.db)).rows;

  test('makes the same table as its former text, and a database of that text is taken and keeps its hash', async () => {
    await write(NAME, anew);
    await run();
    const made = await columns();
    await sql`drop table scheduled_attachments, scheduled_emails, schema_migration_files`.execute(database.db);
    await write(NAME, former);
    await run();
    assert.deepEqual(await columns(), made);
    const kept = await hashes();
    await write(NAME, anew);
    await run();
    assert.deepEqual(await hashes(), kept);
  });

  test('is refused after any other text, and no other file may have had the former one', async () => {
    await write(NAME, anew.replace(STORAGE, ''));
    await run();
    const applied = await hashes();
    await write(NAME, anew);
    await assert.rejects(run(), /changed after they ran: 0085_scheduled_emails\. Add a new file/);
    assert.deepEqual(await hashes(), applied);
    await sql`drop table scheduled_attachments, scheduled_emails, schema_migration_files`.execute(database.db);
    await rm(path.join(folder, NAME));
    await write('0086_other.sql', former);
    await run();
    await write('0086_other.sql', anew);
    await assert.rejects(run(), /changed after they ran: 0086_other\. Add a new file/);
  });
});

describe('a table that somebody else holds', () => {
  const limits = { lockTimeoutMs: 50, firstPauseMs: 50, longestPauseMs: 50 };

  /** Calls `onRetry` for each line about a try that has to be repeated. */
  const logThat = (onRetry: () => void): { log: Log; lines: string[] } => {
    const lines: string[] = [];
    const write = (line: string): void => {
      lines.push(line);
      if (line.includes('is tried again')) onRetry();
    };
    return { log: createLog({ level: 'warn', destination: { write } }), lines };
  };

  test('is tried again until it is free, and those who want it in between get it', async () => {
    await write('0001_a.sql', 'create table log (step int); insert into log values (1);');
    await run();
    await write('0002_b.sql', 'alter table log add column note text;');
    const holder = new pg.Client({ connectionString: database.url, application_name: 'a backup' });
    await holder.connect();
    await holder.query('begin; lock table log in access share mode');
    let tries = 0;
    let freed: Promise<unknown> | undefined;
    const { log, lines } = logThat(() => {
      tries += 1;
      if (tries === 3) freed = holder.query('rollback');
    });
    await run({ log, limits });
    await freed;
    await holder.end();
    assert.match(lines[0] ?? '', /a backup \(pid \d+, for \d+ s\)/);
    assert.ok(tries >= 3);
    await sql`insert into log (step, note) values (2, 'x')`.execute(database.db);
  });

  test('for longer than the patience lasts ends the start, and the message names who holds it', async () => {
    await write('0001_a.sql', 'create table log (step int);');
    await run();
    await write('0002_b.sql', 'alter table log add column note text;');
    const holder = new pg.Client({ connectionString: database.url, application_name: 'a backup' });
    await holder.connect();
    await holder.query('begin; lock table log in access share mode');
    await assert.rejects(
      run({ limits: { ...limits, patienceMs: 150 } }),
      /0002_b needs a lock that was not free.*The oldest transactions: a backup \(pid/,
    );
    await holder.query('rollback');
    await holder.end();
    await run();
  });
});

describe('an index outside a transaction', () => {
  const INDEX = '-- concurrently: it is large\ncreate unique index concurrently log_step on log (step);';
  const table = 'create table log (step int); insert into log values (1), (1);';

  test('that cannot be built leaves no half of it, and is built by the next start', async () => {
    await write('0001_a.sql', table);
    await write('0002_b.sql', INDEX);
    await assert.rejects(
      run(),
      /could not create unique index "log_step" \(0002_b\)\. Earlier indexes of that file stay/,
    );
    assert.deepEqual(await indexes(), []);
    await sql`delete from log where ctid = '(0,1)'`.execute(database.db);
    await run();
    assert.equal((await indexes())[0]?.valid, true);
  });

  test('that a killed start left half-built is dropped and built anew', async () => {
    await write('0001_a.sql', table);
    await run();
    await sql`create unique index concurrently log_step on log (step)`.execute(database.db).catch(() => undefined); // it fails, and stays
    const [half] = await indexes();
    assert.equal(half?.valid, false);
    await sql`delete from log where ctid = '(0,1)'`.execute(database.db);
    await write('0002_b.sql', INDEX);
    await run();
    const [whole] = await indexes();
    assert.ok(whole?.valid === true && whole.id !== half.id);
  });

  test('that was complete when a start was killed, before it was noted, is left as it is', async () => {
    await write('0001_a.sql', 'create table log (step int);');
    await run();
    await sql`create unique index log_step on log (step)`.execute(database.db);
    const before = await indexes();
    await write('0002_b.sql', INDEX);
    await run();
    assert.deepEqual(await indexes(), before);
  });

  test('is dropped in the same way', async () => {
    await write('0001_a.sql', 'create table log (step int); create index log_step on log (step);');
    await write('0002_b.sql', '-- concurrently\ndrop index concurrently if exists log_step;');
    await run();
    assert.deepEqual(await indexes(), []);
  });

  test('waits for a transaction that is older than itself, and keeps no writer waiting', async () => {
    await write('0001_a.sql', 'create table log (step int);');
    await run();
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin; insert into log values (1)');
    await write('0002_b.sql', INDEX);
    const done = run({ limits: { lockTimeoutMs: 50 } });
    await waitingForAnother('create unique index');
    await sql`insert into log values (2)`.execute(database.db);
    await holder.query('commit');
    await done;
    await holder.end();
    assert.equal((await indexes())[0]?.valid, true);
  });

  test('shares its file with nothing else', async () => {
    await write('0001_a.sql', '-- concurrently\ncreate table log (step int);');
    await assert.rejects(run(), /0001_a, line 2: a file that begins with "-- concurrently" may only have/);
    await write('0001_a.sql', '-- concurrently\ncreate index concurrently if not exists a on b (c);');
    await assert.rejects(run(), /may only have/);
  });

  async function waitingForAnother(statement: string): Promise<void> {
    for (let waits = 0; waits === 0; ) {
      const { rows } = await sql<{ n: number }>`
        select count(*) as n from pg_stat_activity
         where wait_event_type = 'Lock' and query like ${`${statement}%`} and datname = current_database()`.execute(
        database.db,
      );
      waits = rows[0]?.n ?? 0;
    }
  }
});

describe('through a transaction pooler', () => {
  test('files run, racing, and no setting is left to those who get the connections next', async () => {
    const pooler = await startTransactionPooler(database.url, 4);
    const before = await settingsOfAll(pooler.url, 4);
    await write('0001_a.sql', 'create table log (step int); insert into log values (1); select pg_sleep(0.1);');
    await write('0002_b.sql', 'alter table log add column note text;');
    await Promise.all([run({ url: pooler.url }), run({ url: pooler.url })]);
    assert.deepEqual(await settingsOfAll(pooler.url, 4), before);
    await pooler.close();
    assert.deepEqual(await steps(), [1]);
  });

  test('an index outside a transaction is refused with the setting that helps, which is then believed', async () => {
    const pooler = await startTransactionPooler(database.url);
    await write('0001_a.sql', 'create table log (step int);');
    await write('0002_b.sql', '-- concurrently\ncreate index concurrently log_step on log (step);');
    await assert.rejects(run({ url: pooler.url }), /0002_b builds an index outside a transaction.*DATABASE_DIRECT_URL/);
    assert.deepEqual(await tables(), []);
    await run({ url: pooler.url, direct: true });
    assert.equal((await indexes())[0]?.valid, true);
    await pooler.close();
  });

  /** Of each server connection: a transaction on each keeps the others from getting it. */
  async function settingsOfAll(url: string, count: number): Promise<string[]> {
    const clients = await Promise.all(
      Array.from({ length: count }, async () => {
        const client = new pg.Client({ connectionString: url });
        await client.connect();
        await client.query('begin');
        return client;
      }),
    );
    const settings = await Promise.all(
      clients.map(async (client) => {
        const { rows } = await client.query<{ all: string }>(
          `select string_agg(name || '=' || setting, ' ' order by name) as all from pg_settings where source = 'session'`,
        );
        await client.query('rollback');
        await client.end();
        return rows[0]?.all ?? '';
      }),
    );
    return settings;
  }
});
