import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { cpuMsOf } from '../../../test/harness/cpu-time.ts';
import { systemClock } from '#platform/clock.ts';
import { type Database, openDatabase, inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { type AuditLog, createAuditLog } from './audit-log.ts';
import { forgetEntries } from './forget-entries.ts';
import { deletePageOfAuditEntries } from './queries.ts';

let t: TestDatabase;
let own: Database;
let workspaceId: string;
let audit: AuditLog;
let logged: string[];

before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const aLog = () => createLog({ level: 'warn', destination: { write: (line) => void logged.push(line) } });
beforeEach(() => {
  logged = [];
  own = openDatabase({ url: t.url, poolMax: 3, applicationName: 'audit', log: aLog(), queryTimeoutMs: 15_000 });
  audit = createAuditLog({ db: own.db, log: aLog(), clock: systemClock });
});
afterEach(async () => {
  await audit.stop();
  await own.close();
});

/** The waits before the first try and between the five. */
const WAITS_MS = [50, 100, 200, 400, 800];

/** A log whose waits end as soon as they begin. `giveUp` goes through all of its tries. */
function aHastyLog(db = own.db): { log: AuditLog; giveUp(): Promise<void> } {
  const clock = createTestClock({ held: true });
  const log = createAuditLog({ db, log: aLog(), clock });
  const giveUp = async (): Promise<void> => {
    for (const ms of WAITS_MS) {
      assert.equal(log.counts.dropped, 0, `before the wait of ${ms} ms`);
      await clock.untilWaiting(ms);
      clock.advance(ms);
    }
  };
  return { log, giveUp };
}

const by = (of = workspaceId) => ({
  workspaceId: of,
  actor: { type: 'api_key' as const, id: newId(), email: null },
  ip: '127.0.0.1',
});
const note = (targetId: string, action: string, details?: Record<string, unknown>, of?: string): void =>
  audit.record(by(of), { targetType: 'thing', targetId, action, ...(details === undefined ? {} : { details }) });

const stored = async (targetId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from audit_entries where workspace_id = ${workspaceId} and target_id = ${targetId}`.execute(
    t.db,
  );
  return rows[0]?.n ?? 0;
};

/** The time that the slowest of so many records took in this thread; a record waits for nothing else. */
const slowestMs = (log: AuditLog, targetId: string, records: number): number => {
  const record = (n: number): void => log.record(by(), { targetType: 'thing', targetId, action: `step-${n}` });
  return Math.max(...Array.from({ length: records }, (_, n) => cpuMsOf(() => record(n), 1)));
};

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise(setImmediate);
}

test('recorded entries can be read at once, in order', async () => {
  const target = newId();
  for (let n = 0; n < 1_200; n += 1) note(target, 'page_sent', { page: n });
  note(target, 'completed');
  const entries = await audit.read(workspaceId, 'thing', target);
  assert.equal(entries.length, 1_000, 'a record shows its first thousand entries');
  assert.deepEqual(
    entries.map((entry) => entry.details?.['page']),
    Array.from({ length: 1_000 }, (_, n) => n),
  );
  assert.equal(await stored(target), 1_201);
  const other = newId();
  note(other, 'created');
  const [created, ...more] = await audit.read(workspaceId, 'thing', other);
  assert.deepEqual(more, []);
  assert.deepEqual(Object.keys(created ?? {}), ['at', 'action'], 'without details there is no such field');
  assert.match(created?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test('entries of several records are read together, each with its own', async () => {
  const [first, second, third] = [newId(), newId(), newId()];
  const at = new Date('2026-11-20T10:00:00.123Z');
  audit.record(by(), { targetType: 'thing', targetId: first, action: 'created', at });
  note(second, 'created');
  note(first, 'changed', { n: 1 });
  audit.record(by(), { targetType: 'other', targetId: first, action: 'of another type' });
  const entries = await audit.readAll(workspaceId, 'thing', [first, second, third]);
  assert.deepEqual(
    [first, second, third].map((id) => entries.get(id)?.map((entry) => entry.action)),
    [['created', 'changed'], ['created'], []],
  );
  assert.equal(entries.get(first)?.[0]?.at, at.toISOString(), 'when it was done, where that was said');
});

test('recorded entries are written without a request', async () => {
  const target = newId();
  note(target, 'created');
  await until(async () => (await stored(target)) === 1);
  await until(() => audit.counts.waiting === 0); // counted down once the answer of the statement has come
});

test('another workspace reads nothing of it', async () => {
  const target = newId();
  note(target, 'created');
  assert.deepEqual(await audit.read(await aWorkspace(t.db), 'thing', target), []);
  assert.equal(await stored(target), 1);
});

test('while the table is locked nobody waits, and nothing is lost', async () => {
  const target = newId();
  await inTransaction(t.db, async (tx) => {
    await sql`lock table audit_entries in access exclusive mode`.execute(tx);
    assert.ok(slowestMs(audit, target, 1_000) < 50);
    await until(async () => {
      const { rows } = await sql`select from pg_locks where relation = 'audit_entries'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`.execute(tx);
      return rows.length > 0;
    });
    assert.equal(audit.counts.waiting, 1_000);
  });
  assert.equal((await audit.read(workspaceId, 'thing', target)).length, 1_000);
  assert.equal(audit.counts.dropped, 0);
});

test('without the right to insert, and without the table, actions go on; entries are tried again, then counted as lost', async () => {
  const target = newId();
  await sql`alter table audit_entries rename to audit_entries_gone`.execute(t.db);
  const hasty = aHastyLog();
  try {
    assert.ok(slowestMs(hasty.log, target, 100) < 50);
    await hasty.giveUp();
    await until(() => hasty.log.counts.dropped === 100);
    assert.ok(logged.some((line) => line.includes('are lost')));
  } finally {
    await sql`alter table audit_entries_gone rename to audit_entries`.execute(t.db);
  }
  note(target, 'afterwards');
  assert.equal((await audit.read(workspaceId, 'thing', target)).length, 1);
});

test('a role without the right to insert writes nothing, and is not delayed by it', async () => {
  const role = `audit_test_${process.pid}`;
  await sql`create role ${sql.ref(role)} login`.execute(t.db);
  await sql`grant select on all tables in schema public to ${sql.ref(role)}`.execute(t.db);
  const url = `${t.url}&options=-c%20role%3D${role}`;
  const poor = openDatabase({ url, poolMax: 1, applicationName: 'poor', log: aLog() });
  const { log: theirs, giveUp } = aHastyLog(poor.db);
  try {
    const took = cpuMsOf(() => theirs.record(by(), { targetType: 'thing', targetId: newId(), action: 'created' }), 1);
    assert.ok(took < 50, `${took} ms`);
    await giveUp();
    await until(() => theirs.counts.dropped === 1);
    assert.ok(logged.some((line) => line.includes('permission denied')));
  } finally {
    await theirs.stop();
    await poor.close();
    await sql`drop owned by ${sql.ref(role)}`.execute(t.db);
    await sql`drop role ${sql.ref(role)}`.execute(t.db);
  }
});

test('one entry that cannot be stored does not take the others with it', async () => {
  const target = newId();
  const { log, giveUp } = aHastyLog();
  const record = (action: string, actorId: string): void =>
    log.record(
      { ...by(), actor: { type: 'user', id: actorId, email: null } },
      { targetType: 'thing', targetId: target, action },
    );
  record('before', newId());
  record('bad', 'no uuid');
  record('after', newId());
  await giveUp();
  await until(() => log.counts.dropped === 1 && log.counts.waiting === 0);
  assert.deepEqual(
    (await audit.read(workspaceId, 'thing', target)).map((entry) => entry.action),
    ['before', 'after'],
  );
});

test('details that no JSON column takes are stored as far as they can be', async () => {
  const target = newId();
  const circular: Record<string, unknown> = {};
  circular['self'] = circular;
  note(target, 'circular', circular);
  note(target, 'text', { nul: 'a\u0000b', half: '\ud800' });
  note(target, 'long', { text: 'x'.repeat(50_000) });
  const later = { n: 1 };
  note(target, 'changed later', later);
  later.n = 2;
  const entries = await audit.read(workspaceId, 'thing', target);
  assert.deepEqual(
    entries.map((entry) => entry.details),
    [undefined, { nul: 'ab', half: '\ufffd' }, { truncated: true }, { n: 1 }],
  );
});

test('an entry of a workspace that is gone is nobody’s, and holds up nothing', async () => {
  const target = newId();
  note(target, 'created', undefined, newId());
  note(target, 'created');
  assert.equal((await audit.read(workspaceId, 'thing', target)).length, 1);
  assert.equal(audit.counts.dropped, 0);
});

test('beyond 10,000 waiting entries more are dropped and counted; the rest is written', async () => {
  const target = newId();
  for (let n = 0; n < 10_100; n += 1) note(target, 'step');
  assert.equal(audit.counts.dropped, 100);
  await audit.flush();
  assert.equal(await stored(target), 10_000);
  assert.equal(logged.filter((line) => line.includes('full')).length, 1, 'said once');
});

test('recording takes under a millisecond for 99 of 100 actions, while entries are being written', async () => {
  const target = newId();
  const took: number[] = [];
  for (let page = 0; page < 50; page += 1) {
    for (let n = 0; n < 100; n += 1) {
      const began = performance.now();
      note(target, 'step', { page, n, text: 'x'.repeat(500) });
      took.push(performance.now() - began);
    }
    await new Promise(setImmediate); // batches are on their way meanwhile
  }
  took.sort((a, b) => a - b);
  const p99 = took[Math.floor(took.length * 0.99)] ?? Number.POSITIVE_INFINITY;
  assert.ok(p99 < 1, `${p99} ms`);
  await audit.flush();
  await until(() => audit.counts.waiting === 0);
  assert.equal(await stored(target), 5_000);
});

test('stop writes what waits', async () => {
  const target = newId();
  note(target, 'created');
  await audit.stop();
  assert.equal(await stored(target), 1);
});

test('an entry cannot be changed', async () => {
  const target = newId();
  note(target, 'created');
  await audit.flush();
  await assert.rejects(
    sql`update audit_entries set action = 'x' where workspace_id = ${workspaceId} and target_id = ${target}`.execute(
      t.db,
    ),
  );
  assert.equal((await audit.read(workspaceId, 'thing', target))[0]?.action, 'created');
});

test('an entry cannot be deleted; old ones leave after their days, and all with their workspace', async () => {
  const [target, other] = [newId(), newId()];
  note(target, 'created');
  note(other, 'created');
  await audit.flush();
  await assert.rejects(
    sql`delete from audit_entries where workspace_id = ${workspaceId} and target_id = ${target}`.execute(t.db),
    /append-only/,
  );
  assert.deepEqual([await stored(target), await forgetEntries(t.db, 400), await stored(target)], [1, 0, 1]);
  await sql`alter table audit_entries disable trigger user`.execute(t.db);
  await sql`update audit_entries set at = now() - interval '401 days' where target_id = ${target}`.execute(t.db);
  await sql`alter table audit_entries enable trigger user`.execute(t.db);
  assert.equal(await forgetEntries(t.db, 0), 0, '0 keeps them for ever');
  assert.equal(await forgetEntries(t.db, 400), 1);
  assert.deepEqual([await stored(target), await stored(other)], [0, 1]);
  await assert.rejects(deletePageOfAuditEntries(t.db, workspaceId, 1_000), /append-only/);
  await sql`delete from workspaces where id = ${workspaceId}`.execute(t.db);
  await deletePageOfAuditEntries(t.db, workspaceId, 100_000);
  assert.equal(await stored(other), 0);
});
