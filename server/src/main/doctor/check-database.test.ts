import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { queue } from '#features/outbox';
import { systemClock } from '#platform/clock.ts';
import { type Db, openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { freePort } from '../../../test/harness/posthorn-process.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { startTransactionPooler } from '../../../test/harness/transaction-pooler.ts';
import { undoAfter } from '../../../test/harness/undo.ts';
import { TEST_KEY, testSettings } from '../../../test/harness/app-settings.ts';
import { checkServer } from '../instance/check-database.ts';
import { openInstance } from '../instance/open-instance.ts';
import { serverFaults } from '../instance/server-faults.ts';
import { createUndoList } from '../undo-list.ts';
import { CATALOGUE } from './catalogue.ts';
import type { Report } from './doctor.ts';
import { examine, finding, findings, met } from './test-kit.ts';

const log = createLog({ level: 'silent' });
let t: TestDatabase;
let empty: TestDatabase;
before(async () => {
  t = await createTestDatabase();
  empty = await createTestDatabase({ migrated: false });
});
after(async () => {
  await t.close();
  await empty.close();
});

const env = (url: string) => ({ DATABASE_URL: url, POSTHORN_SECRET_KEY: 'k'.repeat(32) });
const skippedOf = ({ checks }: Report): string[] =>
  checks.filter(({ status }) => status === 'skipped').map(({ id }) => id);

/** A server whose settings are these: functions of the same name come before those of PostgreSQL. */
async function pretend(settings: Record<string, string>): Promise<void> {
  await sql`drop schema if exists pretended cascade`.execute(empty.db);
  await sql`create schema pretended`.execute(empty.db);
  const cases = Object.entries(settings).map(([name, value]) => `when '${name}' then '${value}'`);
  const body = `select case name ${cases.join(' ')} else pg_catalog.current_setting(name) end`;
  await sql
    .raw(`create function pretended.current_setting(name text) returns text language sql as $$ ${body} $$`)
    .execute(empty.db);
}

/** On its connections the pretended functions are found first. */
const pretendingUrl = (): string =>
  `${empty.url}${empty.url.includes('?') ? '&' : '?'}options=-csearch_path%3Dpretended,pg_catalog,public`;

function pretending(): { db: Db; close(): Promise<void> } {
  return openDatabase({ url: pretendingUrl(), poolMax: 1, applicationName: 'pretending', log });
}

test('a PostgreSQL that is too old is refused at the start and by the doctor, with setting and remedy', async (test) => {
  await pretend({ server_version_num: '140012' });
  const { db, close } = pretending();
  undoAfter(test, close);
  const message =
    'The server of DATABASE_URL is PostgreSQL 14; Posthorn needs 15 or later. Upgrade that server, or set DATABASE_URL ' +
    'to a newer one. Without DATABASE_URL, Posthorn runs its own PostgreSQL.';
  await assert.rejects(checkServer(db, log, false), { message });
  const report = await examine(db, {});
  const { status, cause, fix } = finding(report, 'database');
  assert.deepEqual([report.ok, status, `${cause} ${fix}`], [false, 'error', message]);
  assert.deepEqual(
    skippedOf(report),
    ['sending', 'capture', 'relay', 'relay_certificate', 'mta_sts'],
    'nothing is read from its tables',
  );
});

test('a start refuses a PostgreSQL that is too old before its first migration, and takes the oldest that it can', async () => {
  await pretend({ server_version_num: '140012' });
  const undo = createUndoList(log);
  const settings = testSettings(pretendingUrl(), TEST_KEY);
  const opening = openInstance({ settings, log, undo, applicationName: 'pretending', poolMax: 1 });
  await assert.rejects(opening, /is PostgreSQL 14; Posthorn needs 15 or later/);
  await undo.stopAll();
  const { rows } = await sql`select from pg_tables where schemaname in ('public', 'pretended')`.execute(empty.db);
  assert.equal(rows.length, 0, 'nothing was made in it');
  const facts = { synchronousCommit: 'on', fsync: 'on', full_page_writes: 'on', dataChecksums: 'on' };
  assert.deepEqual(serverFaults({ ...facts, version: 149_999 }, true).length, 1);
  assert.deepEqual(serverFaults({ ...facts, version: 150_000 }, true), []);
});

test('a PostgreSQL that answers before the commit is on the disk is refused by both', async (test) => {
  await pretend({ synchronous_commit: 'off' });
  const { db, close } = pretending();
  undoAfter(test, close);
  await assert.rejects(checkServer(db, log, true), /synchronous_commit off.*Turn it on/);
  assert.match(findings(await examine(db, {}), 'database')[0]?.cause ?? '', /synchronous_commit off/);
});

test('a PostgreSQL without data checksums is a warning of the doctor, and a start takes it', async (test) => {
  await pretend({ data_checksums: 'off', fsync: 'on', full_page_writes: 'on' });
  const { db, close } = pretending();
  undoAfter(test, close);
  await checkServer(db, log, false);
  const [found] = findings(await examine(db, {}), 'database');
  assert.equal(found?.status, 'warning');
  assert.match(found?.cause ?? '', /without data checksums/);
});

test('fsync off is an error, or a warning when the operator wants it', async () => {
  const look = async (wanted: string) =>
    findings(await examine(t.db, { env: { POSTHORN_UNSAFE_DATABASE: wanted } }), 'database').map(
      ({ status, cause }) => `${status}: ${cause?.split(':')[0]}`,
    );
  assert.deepEqual(await look('refuse'), [
    'error: PostgreSQL runs with fsync off',
    'error: PostgreSQL runs with full_page_writes off',
  ]);
  assert.deepEqual(await look('allow'), [
    'warning: PostgreSQL runs with fsync off',
    'warning: PostgreSQL runs with full_page_writes off',
  ]);
});

test('a database on which Posthorn was never started is an error, and nothing else is looked at', async () => {
  const report = await examine(empty.db, { env: { POSTHORN_PROVIDER_URL: 'ses://us-east-1' } });
  assert.match(findings(report, 'database').at(-1)?.cause ?? '', /no tables of Posthorn/);
  assert.equal(skippedOf(report).includes('refusals'), true);
});

test('a notification through a transaction pooler does not arrive; with a direct address it does', async (test) => {
  const pooler = await startTransactionPooler(t.url);
  const pooled = openDatabase({ url: pooler.url, poolMax: 1, applicationName: 'pooled', log });
  undoAfter(test, async () => {
    await pooled.close();
    await pooler.close();
  });
  const look = async (settings: Record<string, string>, db = pooled.db) => {
    const { status, fix } = finding(
      await examine(db, { env: settings, deps: { clock: systemClock } }),
      'notifications',
    );
    return [status, /DATABASE_DIRECT_URL/.test(fix ?? '')];
  };
  const direct = (url: string) => ({ ...env(pooler.url), DATABASE_DIRECT_URL: url });
  const answers = await Promise.all([
    look(env(t.url), t.db),
    look(direct(t.url)),
    look(env(pooler.url)),
    look(direct(empty.url)),
  ]);
  assert.deepEqual(answers, [
    ['ok', false],
    ['ok', false],
    ['warning', true],
    ['error', true],
  ]);
});

test('an address for notifications at which nobody listens is an error, and the report goes on', async () => {
  const DATABASE_DIRECT_URL = `postgres://ada:secret@127.0.0.1:${await freePort()}/posthorn`;
  const report = await examine(t.db, { env: { ...env(t.url), DATABASE_DIRECT_URL } });
  const { status, message } = finding(report, 'notifications');
  assert.equal(status, 'error');
  assert.match(message, /ECONNREFUSED/);
  assert.doesNotMatch(JSON.stringify(report), /secret/);
  assert.equal(finding(report, 'clock').status, 'ok');
});

test('a warning when the clocks of the database and of Posthorn are an hour apart, on either side', async () => {
  const look = async (hours: number) => {
    const clock = createTestClock();
    clock.set(new Date(Date.now() + hours * 3_600_000));
    const { status, cause } = finding(await examine(t.db, { deps: { clock } }), 'clock');
    return [status, /(ahead of|behind)/.exec(cause ?? '')?.[0]];
  };
  assert.deepEqual(
    [await look(0), await look(-1), await look(1)],
    [
      ['ok', undefined],
      ['warning', 'ahead of'],
      ['warning', 'behind'],
    ],
  );
});

test('an error with the reason and the command while sending is held', async () => {
  assert.equal(finding(await examine(t.db, {}), 'sending').status, 'ok');
  await queue.hold.begin(t.db, 'other_database');
  const { status, cause, fix } = finding(await examine(t.db, {}), 'sending');
  await queue.hold.end(t.db);
  assert.equal(status, 'error');
  assert.match(cause ?? '', /^This is a copy of the database/);
  assert.match(fix ?? '', /npm start -- admin resume-sending/);
});

test('every trouble that can be found with the database was found here', () => {
  const all = CATALOGUE.database.flatMap(({ id, troubles }) => Object.keys(troubles).map((kind) => `${id}: ${kind}`));
  assert.deepEqual(
    all.filter((trouble) => !met.has(trouble)),
    [],
  );
});
