import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { anOutgoingMessage } from '../../../test/harness/outgoing-message.ts';
import { insertSimulatedEvents as insertEvents } from '../../../test/harness/simulated-events.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { createCaptureProvider } from './capture-provider.ts';
import { forgetCaptured } from './captured-retention.ts';
import { deletePageOfCaptured } from './queries.ts';

const KB = 1024;
const DAY_MS = 86_400_000;
const log = createLog({ level: 'silent' });
let database: TestDatabase;

before(async () => {
  database = await createTestDatabase();
});
after(() => database.close());
beforeEach(async () => {
  await sql`truncate captured_emails, captured_parts, captured_chunks`.execute(database.db);
  await nextHour();
});
const nextHour = () => sql`update rounds set next_at = 'epoch'`.execute(database.db);

/** A round that takes place so many days from now. */
const roundIn = (daysFromNow: number, given: { days?: number; quotaBytes?: number } = {}) =>
  forgetCaptured({
    db: database.db,
    log,
    clock: createTestClock({ at: new Date(Date.now() + daysFromNow * DAY_MS) }),
    days: 0,
    quotaBytes: 0,
    ...given,
  });

async function aWorkspace(): Promise<string> {
  const id = newId();
  await sql`insert into workspaces (id, name, slug) values (${id}, 'Shop', ${id})`.execute(database.db);
  return id;
}

/** Captures messages one after another; returns the ids of their emails. */
async function capture(workspaceId: string, bodies: readonly Buffer[], quotaBytes = 0): Promise<string[]> {
  const provider = createCaptureProvider({ clock: systemClock, db: database.db, log, insertEvents, quotaBytes });
  await provider.start();
  const ids: string[] = [];
  for (const body of bodies) {
    const emailId = newId();
    const mime = Buffer.concat([Buffer.from(`Message-ID: <${emailId}>\r\n\r\n`), body]);
    const { kind } = await provider.send(anOutgoingMessage({ workspaceId, emailId, mime }), { deadlineMs: 10_000 });
    assert.equal(kind, 'accepted');
    ids.push(emailId);
  }
  await provider.stop();
  return ids;
}

async function kept(workspaceId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select email_id as id from captured_emails where workspace_id = ${workspaceId} order by id`.execute(database.db);
  return rows.map((row) => row.id);
}

async function chunksOf(workspaceId: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from captured_chunks where workspace_id = ${workspaceId}`.execute(database.db);
  return rows[0]?.n ?? 0;
}

// As files are encoded: other bytes can look like the delimiters of parts.
const small = (): Buffer => Buffer.from(randomBytes((KB / 4) * 3).toString('base64'));
const large = (): Buffer => Buffer.from(randomBytes(15 * KB).toString('base64'));

test('captured mail goes after the days of the setting, with its parts, and not before', async () => {
  const workspaceId = await aWorkspace();
  const ids = await capture(workspaceId, [small(), large()]);
  assert.equal(await roundIn(6, { days: 7 }), 0);
  assert.deepEqual(await kept(workspaceId), ids);
  await nextHour();
  assert.equal(await roundIn(8, { days: 7 }), 2);
  assert.deepEqual(await kept(workspaceId), []);
  assert.equal(await chunksOf(workspaceId), 0);
});

test('captured mail stays for ever with 0 days and no quota', async () => {
  const workspaceId = await aWorkspace();
  const ids = await capture(workspaceId, [small(), large()]);
  assert.equal(await roundIn(10_000), 0);
  assert.deepEqual(await kept(workspaceId), ids);
});

test('one process does it in an hour', async () => {
  assert.equal(await roundIn(0), 0);
  assert.equal(await roundIn(0), undefined);
});

test('the oldest mail of a workspace over its quota goes first, and no more than must; others keep theirs', async () => {
  const [much, little] = [await aWorkspace(), await aWorkspace()];
  const ids = await capture(much, [small(), large(), small(), large()]);
  const others = await capture(little, [small()]);
  assert.equal(await roundIn(0, { quotaBytes: 22 * KB }), 2);
  assert.deepEqual(await kept(much), ids.slice(2));
  assert.equal(await chunksOf(much), 1);
  assert.deepEqual(await kept(little), others);
});

test('a file that many messages share counts once, and goes when the last of them must', async () => {
  const workspaceId = await aWorkspace();
  const file = large();
  const ids = await capture(workspaceId, [file, file, file, small()]);
  assert.equal(await roundIn(0, { quotaBytes: 23 * KB }), 0);
  assert.deepEqual(await kept(workspaceId), ids);
  await nextHour();
  assert.equal(await roundIn(0, { quotaBytes: 2 * KB }), 3);
  assert.deepEqual(await kept(workspaceId), ids.slice(3));
});

test('captures themselves keep a workspace close to its quota', async () => {
  const workspaceId = await aWorkspace();
  const ids = await capture(workspaceId, Array.from({ length: 40 }, large), 200 * KB);
  const left = await kept(workspaceId);
  assert.ok(left.length >= 9 && left.length <= 11, `${left.length} messages`);
  assert.deepEqual(left, ids.slice(-left.length));
  assert.equal(await chunksOf(workspaceId), left.length);
});

test('parts that no message has go', async () => {
  const workspaceId = await aWorkspace();
  await capture(workspaceId, [large()]);
  await sql`delete from captured_emails where workspace_id = ${workspaceId}`.execute(database.db);
  assert.equal(await chunksOf(workspaceId), 1);
  await roundIn(0);
  assert.equal(await chunksOf(workspaceId), 0);
});

test('the messages of a deleted workspace go by pages with their parts, and nobody else’s', async () => {
  const [gone, stays] = [await aWorkspace(), await aWorkspace()];
  const file = large();
  await capture(gone, [file, file, small()]);
  const others = await capture(stays, [file]);
  const found = [];
  for (let n = 0; n < 2; n += 1) found.push(await deletePageOfCaptured(database.db, gone, 2));
  assert.deepEqual([found, await kept(gone), await chunksOf(gone)], [[2, 1], [], 0]);
  assert.deepEqual([await kept(stays), await chunksOf(stays)], [others, 1]);
});
