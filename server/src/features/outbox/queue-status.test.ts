import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { providerAccount } from './worker/provider-account.ts';
import { pausePace } from './worker/queries/pace.ts';
import { queueHealth, queueStatus, sendPosition } from './queue-status.ts';
import { accept, aSend, aWorkspace, people, queued, aSweeper } from './test-kit.ts';

let t: TestDatabase;
let ws: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, contents, attachments, send_requests, email_events, email_attempts`.execute(t.db);
  await sql`update send_pace set paused_until = null, pause_reason = null, provider_rate = null, stretch = 1, stretched_at = null`.execute(
    t.db,
  );
  ws = await aWorkspace(t.db);
});

const now = new Date('2026-11-20T10:00:00Z');
const ctx = (workspaceId = ws): Parameters<typeof queueStatus>[0] => ({
  workspaceId,
  db: t.db,
  clock: { now: () => now },
  settings: { sendRate: 12 },
});

test('the queue tells its length by lane, retries included, and when it will be empty', async () => {
  await queued(t.db, ws, 'system', people(2));
  await queued(t.db, ws, 'transactional', people(10));
  await queued(t.db, ws, 'bulk', people(12));
  await sql`update emails set status = 'deferred', not_before = now() + interval '1 minute'
    where workspace_id = ${ws} and lane = 2 and recipient = 'person-0@example.com'`.execute(t.db);
  const status = await queueStatus(ctx());
  assert.equal(status.depth, 24);
  assert.equal(status.depthIsEstimate, false);
  assert.deepEqual(status.byLane, { system: 2, transactional: 10, bulk: 12 });
  assert.equal(status.estimatedDrainAt?.toISOString(), '2026-11-20T10:00:02.000Z');
});

test('of a long backlog of retries the first ten thousand are counted, once, and the depth says that it is more', async () => {
  const [first = ''] = await queued(t.db, ws, 'bulk', people(1));
  await sql`
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, not_before)
    select workspace_id, ph_uuidv7(), null, content_id, 'r' || n || '@example.com', lane, 0, 'deferred', now() + interval '1 hour'
      from emails, generate_series(1, 10100) as n where workspace_id = ${ws} and id = ${first}`.execute(t.db);
  const status = await queueStatus(ctx());
  assert.deepEqual([status.depth, status.depthIsEstimate], [10_001, true]);
});

test('the emails ahead of a workspace are those sent before its next one, not those that others queued behind', async () => {
  await queued(t.db, ws, 'transactional', people(100));
  const other = await aWorkspace(t.db);
  assert.equal((await queueStatus(ctx(other))).aheadOfYou, 0);
  await queued(t.db, other, 'transactional', people(1));
  assert.ok((await queueStatus(ctx(other))).aheadOfYou <= 1);
});

test('a pause is shown with its reason, and the estimate begins after it', async () => {
  await queued(t.db, ws, 'transactional', people(12));
  await pausePace(t.db, 600, 'quota: used up');
  const status = await queueStatus(ctx());
  assert.equal(status.pauseReason, 'quota: used up');
  assert.equal((status.estimatedDrainAt?.getTime() ?? 0) - (status.pausedUntil?.getTime() ?? 0), 1_000);
});

test('a send knows how many leave before its next email, and before it is done', async () => {
  const first = await accept(t.db, ws, aSend(people(24)));
  const second = await accept(t.db, ws, aSend(people(12, 'later')));
  const position = await sendPosition(ctx(), second.jobId);
  assert.deepEqual([position?.ahead, position?.untilDone], [24, 36]);
  assert.equal(position?.estimatedCompletionAt?.toISOString(), '2026-11-20T10:00:03.000Z');
  assert.equal((await sendPosition(ctx(), first.jobId))?.ahead, 0);
});

test('a send of another workspace has no position', async () => {
  const receipt = await accept(t.db, ws, aSend(people(1)));
  assert.equal(await sendPosition(ctx(await aWorkspace(t.db)), receipt.jobId), undefined);
});

test('health tells depth and how long the first has waited', async () => {
  await queued(t.db, ws, 'transactional', people(3));
  await sql`update email_events set at = now() - interval '90 seconds' where workspace_id = ${ws}`.execute(t.db);
  const { depth, oldestDueSeconds } = await queueHealth(t.db);
  assert.equal(depth, 3);
  assert.ok(oldestDueSeconds >= 90 && oldestDueSeconds < 120, `${oldestDueSeconds} s`);
});

test('an email that was written long before it entered the queue waits from when it did', async () => {
  await queued(t.db, ws, 'transactional', people(1));
  await sql`update emails set created_at = now() - interval '20 hours' where workspace_id = ${ws}`.execute(t.db);
  await sql`update email_events set at = now() - interval '5 seconds' where workspace_id = ${ws}`.execute(t.db);
  const { oldestDueSeconds } = await queueHealth(t.db);
  assert.ok(oldestDueSeconds >= 5 && oldestDueSeconds < 60, `${oldestDueSeconds} s`);
});

test('an email that comes back from a retry has waited since it entered the queue', async () => {
  await queued(t.db, ws, 'transactional', people(1));
  await sql`update email_events set at = now() - interval '90 seconds' where workspace_id = ${ws}`.execute(t.db);
  await sql`update emails set status = 'deferred', not_before = now() where workspace_id = ${ws}`.execute(t.db);
  await aSweeper(t.db).runOnce();
  const { depth, oldestDueSeconds } = await queueHealth(t.db);
  assert.equal(depth, 1);
  assert.ok(oldestDueSeconds >= 90 && oldestDueSeconds < 120, `${oldestDueSeconds} s`);
});

test('rate and estimates are those of the provider when it allows less than the setting', async () => {
  await queued(t.db, ws, 'transactional', people(24));
  await providerAccount.noteProviderRate(t.db, 1);
  const status = await queueStatus(ctx());
  assert.equal(status.ratePerSecond, 1);
  assert.equal(status.estimatedDrainAt?.toISOString(), '2026-11-20T10:00:24.000Z');
  await providerAccount.noteProviderRate(t.db, 50);
  assert.equal((await queueStatus(ctx())).ratePerSecond, 12, 'never above the setting');
});

test('rate and estimates know that the provider throttled', async () => {
  await queued(t.db, ws, 'transactional', people(24));
  await sql`update send_pace set stretch = 3, stretched_at = clock_timestamp()`.execute(t.db);
  const status = await queueStatus(ctx());
  assert.ok(status.ratePerSecond >= 4 && status.ratePerSecond < 8, `${status.ratePerSecond} a second`);
  const drainsMs = status.estimatedDrainAt?.getTime() ?? 0;
  assert.ok(drainsMs > now.getTime() + 3_000, String(status.estimatedDrainAt));
  await sql`update send_pace set stretched_at = clock_timestamp() - interval '1 hour'`.execute(t.db);
  assert.equal((await queueStatus(ctx())).ratePerSecond, 12, 'the pace has come back');
});
