import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, type TestContext, test } from 'node:test';
import { sql } from 'kysely';
import { queue } from '#features/outbox';
import { bySystem } from '#features/workspaces';
import { systemClock } from '#platform/clock.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { testSettings } from '../../../test/harness/app-settings.ts';
import { temporaryFolder } from '../../../test/harness/data-dir.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { createFence, type Fence } from './fence.ts';
import { resumeSending } from './resume-sending.ts';

let t: TestApp;
let dataDir: string;
let notedBefore = 0;
const running: Fence[] = [];
before(async () => {
  t = await createTestApp();
});
after(() => t.close());
beforeEach(async (c) => {
  dataDir = temporaryFolder(c as TestContext); // the hooks of a test get its context
  notedBefore = (await allNoted()).length;
});
afterEach(async () => {
  for (const fence of running.splice(0)) await fence.stop();
  await sql`update instance set system_identifier = null, timeline = null, database_oid = null, table_oid = null,
    epoch = null, seen_at = null`.execute(t.db);
  await queue.hold.end(t.db);
});

const log = createLog({ level: 'silent' });
const settingsOf = ({ isEmbedded = false, ...env }: { isEmbedded?: boolean; [name: string]: unknown } = {}) => ({
  ...testSettings(t.url, t.key, {
    POSTHORN_PROVIDER_URL: 'smtp://127.0.0.1:9?tls=none',
    POSTHORN_DATA_DIR: dataDir,
    ...(env as Record<string, string>), // names of settings
  }),
  ...(isEmbedded ? { databaseUrl: null } : {}),
});

type Given = Parameters<typeof settingsOf>[0];

/** A process with the role worker comes, looks, and goes on. */
async function startFence(given: Given = {}): Promise<Fence> {
  // Its five seconds pass by hand.
  const fence = createFence({ db: t.db, log, clock: createTestClock(), settings: settingsOf(given) });
  assert.ok(fence);
  running.push(fence);
  await fence.start();
  return fence;
}

/** The code of the hold after such a start; undefined: it sends. */
async function reasonAfterStart(given: Given = {}): Promise<string | undefined> {
  await (await startFence(given)).stop();
  return (await queue.hold.find(t.db))?.reason;
}

const resume = (given: Given = {}) =>
  resumeSending({ db: t.db, log, settings: settingsOf(given) }, bySystem(systemClock));
const epoch = async (): Promise<number> =>
  (await sql<{ epoch: number }>`select epoch::float8 as epoch from instance`.execute(t.db)).rows[0]?.epoch ?? 0;
/** Of this test: nothing is removed from that log. */
const noted = async (): Promise<string[]> => (await allNoted()).slice(notedBefore);
const allNoted = async (): Promise<string[]> =>
  (
    await sql<{ action: string }>`select action from security_log
      where workspace_id = ${t.workspaceId} and action like 'sending.%' order by at, id`.execute(t.db)
  ).rows.map(({ action }) => action);

const change = {
  other_server: () => sql`update instance set system_identifier = '1'`.execute(t.db),
  other_database: () => sql`update instance set database_oid = '1'`.execute(t.db),
  other_tables: () => sql`update instance set table_oid = '1'`.execute(t.db),
  other_timeline: () => sql`update instance set timeline = timeline + 1`.execute(t.db),
  went_back: () => sql`update instance set epoch = epoch - 1`.execute(t.db),
  long_silence: () => sql`update instance set seen_at = clock_timestamp() - interval '24 hours 1 second'`.execute(t.db),
  no_file: async () => rmSync(join(dataDir, 'last-seen.json')),
  copied_folder: async () => {
    const file = join(dataDir, 'last-seen.json');
    copyFileSync(file, `${file}.copy`);
    rmSync(file);
    copyFileSync(`${file}.copy`, file);
    rmSync(`${file}.copy`);
    // A file system may give the freed number again.
    const copied = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...copied, inode: `${copied.inode}1` }));
  },
};

for (const [reason, restore] of Object.entries(change)) {
  test(`a start holds sending for ${reason}, until it is confirmed`, async () => {
    const given = { isEmbedded: true };
    assert.equal(await reasonAfterStart(given), undefined, 'the first start takes the database as it is');
    assert.equal(await reasonAfterStart(given), undefined, 'an ordinary restart');
    await restore();
    assert.equal(await reasonAfterStart(given), reason);
    assert.equal(await reasonAfterStart(given), reason, 'a restart does not forget it');
    assert.equal((await resume(given))?.reason, reason);
    assert.deepEqual(await noted(), ['sending.held', 'sending.resumed']);
    assert.equal(await reasonAfterStart(given), undefined, 'confirmed once is confirmed');
  });
}

test('a process that runs holds sending when the database goes back or becomes another one', async () => {
  for (const reason of ['went_back', 'other_timeline'] as const) {
    const fence = await startFence();
    await fence.look();
    assert.equal(await queue.hold.find(t.db), undefined);
    await change[reason]();
    await fence.look();
    assert.equal((await queue.hold.find(t.db))?.reason, reason);
    const held = await epoch();
    await fence.look();
    assert.equal(await epoch(), held, 'a held database stays as it was found');
    await resume();
    await fence.look();
    assert.equal(await queue.hold.find(t.db), undefined, 'the process that runs goes on');
    assert.equal(await epoch(), (Math.floor(held / 1e10) + 1) * 1e10 + 1);
    await fence.stop();
  }
});

test('workers on several machines, with files that have seen different numbers, do not hold each other', async (c) => {
  const first = await startFence();
  const second = await startFence({ POSTHORN_DATA_DIR: temporaryFolder(c) });
  for (const fence of [first, second, second, first]) await fence.look();
  assert.equal(await epoch(), 6);
  assert.equal(await reasonAfterStart({ POSTHORN_DATA_DIR: temporaryFolder(c) }), undefined, 'a third machine');
  assert.equal(await reasonAfterStart(), undefined, 'with an old file');
});

test('a worker on another machine goes on after a confirmation that its file has not seen', async (c) => {
  const other = { POSTHORN_DATA_DIR: temporaryFolder(c) };
  await (await startFence(other)).look();
  await sql`update instance set epoch = 1`.execute(t.db);
  assert.equal(await reasonAfterStart(other), 'went_back');
  await resume(); // in a process whose data directory is another one
  assert.equal(await reasonAfterStart(other), undefined);
});

test('a backup of a version without the fence is held when the file has seen the database since', async () => {
  await reasonAfterStart();
  await sql`update instance set epoch = null, system_identifier = null, seen_at = null`.execute(t.db);
  assert.equal(await reasonAfterStart(), 'went_back');
});

test('with an external database a moved or missing data directory is no reason', async () => {
  await reasonAfterStart();
  await change.copied_folder();
  assert.equal(await reasonAfterStart(), undefined);
  await change.no_file();
  assert.equal(await reasonAfterStart(), undefined);
});

test('a file that tells of another database says nothing', async () => {
  await reasonAfterStart();
  writeFileSync(join(dataDir, 'last-seen.json'), JSON.stringify({ database: '1/2', epoch: 1e12, inode: '1' }));
  assert.equal(await reasonAfterStart(), undefined);
});

test('facts that this user of PostgreSQL may not read are not compared, and keep their value', async () => {
  await reasonAfterStart();
  const { rows: before } = await sql`select system_identifier, timeline from instance`.execute(t.db);
  await sql`revoke execute on function pg_control_system(), pg_walfile_name(pg_lsn) from public`.execute(t.db);
  await sql`create role no_facts`.execute(t.db).catch(() => undefined); // of an earlier run
  await sql`grant select, update on all tables in schema public to no_facts`.execute(t.db);
  await t.db.connection().execute(async (db) => {
    await sql`set role no_facts`.execute(db);
    const fence = createFence({ db: db as typeof t.db, log, clock: createTestClock(), settings: settingsOf() }); // one connection of the pool
    await fence?.look();
    await sql`reset role`.execute(db);
  });
  assert.equal(await queue.hold.find(t.db), undefined);
  assert.equal(await epoch(), 2);
  assert.deepEqual((await sql`select system_identifier, timeline from instance`.execute(t.db)).rows, before);
});

test('a file that cannot be written is told once, and mail is sent', async () => {
  writeFileSync(join(dataDir, 'taken'), '');
  const lines: string[] = [];
  const settings = settingsOf({ POSTHORN_DATA_DIR: join(dataDir, 'taken') });
  const loud = createLog({ level: 'warn', destination: { write: (line) => void lines.push(line) } });
  const fence = createFence({ db: t.db, log: loud, clock: createTestClock(), settings });
  await fence?.look();
  await fence?.look();
  assert.equal(await queue.hold.find(t.db), undefined);
  assert.equal(lines.length, 1, lines.join(''));
  assert.match(lines.join(''), /cannot be written/);
});

test('with the capture provider, and where it is turned off, nothing is looked at', async () => {
  for (const env of [{ POSTHORN_PROVIDER_URL: 'capture:' }, { POSTHORN_RESTORE_FENCE: 'off' }]) {
    assert.equal(createFence({ db: t.db, log, clock: systemClock, settings: settingsOf(env) }), undefined);
  }
});

test('a confirmation without a hold changes nothing', async () => {
  await reasonAfterStart();
  const before = await epoch();
  assert.equal(await resume(), undefined);
  assert.equal(await epoch(), before);
  assert.deepEqual(await noted(), []);
});
