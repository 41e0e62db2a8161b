import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createLog } from '../log.ts';
import { openDatabase } from './database.ts';
import { migrate } from './migrate.ts';

let database: TestDatabase;
let folder: string;

beforeEach(async () => {
  // Without limits, as at a start: who comes second waits for as long as the first needs.
  database = await createTestDatabase({ migrated: false, queryTimeoutMs: 0 });
  folder = await mkdtemp(path.join(tmpdir(), 'posthorn-migrations-'));
});
afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const write = (name: string, text: string) => writeFile(path.join(folder, name), text);

async function tables(): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename not like 'schema_migration%' order by 1`.execute(
    database.db,
  );
  return rows.map((row) => row.name);
}

test('files run once, in the order of their names, with several statements each', async () => {
  await write('0002_b.sql', 'insert into log values (2);');
  await write('0001_a.sql', 'create table log (step int); insert into log values (1);');
  await write('README.md', 'not a migration');
  await migrate(database.db, folder);
  await migrate(database.db, folder);
  await write('0003_c.sql', 'insert into log values (3);');
  await migrate(database.db, folder);
  const { rows } = await sql`select step from log`.execute(database.db);
  assert.deepEqual(rows, [{ step: 1 }, { step: 2 }, { step: 3 }]);
});

test('eight starters at once on an empty database do the work once', async () => {
  await write('0001_a.sql', 'create table log (step int); insert into log values (1); select pg_sleep(0.2);');
  const log = createLog({ level: 'silent' });
  const starters = Array.from({ length: 8 }, (_, index) =>
    openDatabase({ url: database.url, poolMax: 2, applicationName: `starter ${index}`, log, queryTimeoutMs: 0 }),
  );
  const ends = await Promise.allSettled(starters.map((starter) => migrate(starter.db, folder)));
  await Promise.all(starters.map((starter) => starter.close()));
  assert.deepEqual(
    ends.filter((end) => end.status === 'rejected'),
    [],
  );
  assert.equal((await sql`select step from log`.execute(database.db)).rows.length, 1);
});

test('our own migrations run on an empty database, racing', async () => {
  await Promise.all([migrate(database.db), migrate(database.db)]);
  const names = await tables();
  assert.ok(names.includes('workspaces') && names.includes('idempotency_keys'));
});

test('a migration that fails leaves nothing of this run behind, and says which statement', async () => {
  await write('0001_a.sql', 'create table log (step int);');
  await write('0002_b.sql', 'create table more (step int); select nonsense;');
  await assert.rejects(migrate(database.db, folder), /could not be migrated: column "nonsense" does not exist/);
  assert.deepEqual(await tables(), []);
  await write('0002_b.sql', 'create table more (step int);');
  await migrate(database.db, folder);
  assert.deepEqual(await tables(), ['log', 'more']);
});

test('a file that was changed after it ran is refused by name, before anything new runs', async () => {
  await write('0001_a.sql', 'create table log (step int);');
  await migrate(database.db, folder);
  await write('0001_a.sql', 'create table log (step bigint);');
  await write('0002_b.sql', 'create table more (step int);');
  await assert.rejects(migrate(database.db, folder), /changed after they ran: 0001_a\. Add a new file/);
  assert.deepEqual(await tables(), ['log']);
});

test('a database that a newer version migrated is refused', async () => {
  await write('0001_a.sql', 'create table log (step int);');
  await write('0002_b.sql', 'create table more (step int);');
  await migrate(database.db, folder);
  await rm(path.join(folder, '0002_b.sql'));
  await assert.rejects(migrate(database.db, folder), /migrated by a newer version of Posthorn/);
});

test('a file that comes between files that have run is refused', async () => {
  await write('0002_b.sql', 'create table log (step int);');
  await migrate(database.db, folder);
  await write('0001_a.sql', 'create table more (step int);');
  await assert.rejects(migrate(database.db, folder), /could not be migrated|changed/);
  assert.deepEqual(await tables(), ['log']);
});
