import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { bySystem } from '#features/workspaces';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { systemClock } from '#platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { bulkSendFailed } from '../announcements.ts';
import { aFrozenSend, moveBulkSends, statusesOf } from '../bulk/test-kit.ts';
import { aWorkspace } from '../test-kit.ts';
import { setSending } from './set-sending.ts';

let t: TestDatabase;
let workspaceId: string;
const failed: string[] = [];
before(async () => {
  t = await createTestDatabase();
  addReactions(t.db, [reactionTo(bulkSendFailed, async (_tx, news) => void failed.push(news.code))]);
});
after(() => t.close());
beforeEach(async () => {
  failed.length = 0;
  await sql`truncate emails, send_requests, send_counts, contents, email_events, subscribers, suppressions, sending_gates cascade`.execute(
    t.db,
  );
  workspaceId = await aWorkspace(t.db);
});

const set = (change: Parameters<typeof setSending>[3]) =>
  setSending({ db: t.db, clock: systemClock }, bySystem(systemClock), workspaceId, change);
const move = () => moveBulkSends({ db: t.db, ratePerSecond: 1_000 });
const used = async (): Promise<number> => {
  const { rows } = await sql<{ used: number }>`
    select used from usage_windows where workspace_id = ${workspaceId} and subject_id = ${workspaceId}`.execute(t.db);
  return rows[0]?.used ?? 0;
};
const reasonOf = async (sendId: string): Promise<string | null> => {
  const { rows } = await sql<{ reason: string | null }>`
    select pause_reason as reason from send_requests where workspace_id = ${workspaceId} and id = ${sendId}`.execute(
    t.db,
  );
  return rows[0]?.reason ?? null;
};

test('a send to many of a paused workspace is not released, and goes on when it is active', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 20);
  await set({ status: 'paused' });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 20 });
  await set({ status: 'active' });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { queued: 20 });
});

test('a send to many of a blocked workspace fails with the reason, and nothing of it is released', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 20);
  await set({ status: 'blocked' });
  await move();
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 20 });
  assert.deepEqual(failed, ['workspace_blocked']);
});

test('a send to many releases exactly the quota, pauses with the reason, and goes on by itself with a higher one', async () => {
  await set({ emailsPerMonth: 8 });
  const key = await aFrozenSend(t.db, workspaceId, 20);
  await move();
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 12, queued: 8 }, 'what has a place stays in the queue');
  await sql`update emails set status = 'sent', sent_at = now() where workspace_id = ${workspaceId} and status = 'queued'`.execute(
    t.db,
  );
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 12, sent: 8 });
  assert.match(
    (await reasonOf(key.sendId)) ?? '',
    /^The quota of this workspace is 8 emails a month, and it is used up\. It resets \d{4}-\d\d-01T00:00:00Z\. The send then goes on by itself/,
  );
  assert.equal(await used(), 8);
  await set({ emailsPerMonth: null });
  await move();
  assert.equal(await reasonOf(key.sendId), null);
  assert.deepEqual(await statusesOf(t.db, key), { queued: 12, sent: 8 });
});

test('a send to many that waits for the quota goes on by itself when the month turns', async () => {
  await set({ emailsPerMonth: 8 });
  const key = await aFrozenSend(t.db, workspaceId, 20);
  await move();
  await sql`update emails set status = 'sent', sent_at = now() where workspace_id = ${workspaceId} and status = 'queued'`.execute(
    t.db,
  );
  await move();
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 12, sent: 8 });
  await sql`update usage_windows set window_start = window_start - interval '1 month' where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 4, queued: 8, sent: 8 });
});

test('recipients who are suppressed take no place in the quota', async () => {
  await set({ emailsPerMonth: 50 });
  const key = await aFrozenSend(t.db, workspaceId, 20);
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select workspace_id, gen_random_uuid(), recipient, 'manual' from emails
     where workspace_id = ${workspaceId} and send_id = ${key.sendId} order by recipient limit 5`.execute(t.db);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { queued: 15, suppressed: 5 });
  assert.equal(await used(), 15);
});
