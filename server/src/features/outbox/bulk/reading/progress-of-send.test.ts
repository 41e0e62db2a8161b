import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { anEmail } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { bySystem, pauseSend, resumeSend } from '../../pause/pause-send.ts';
import { pausePace } from '../../worker/queries/pace.ts';
import { aWorkspace } from '../../test-kit.ts';
import type { SendKey } from '../bulk-send.ts';
import { cancelBulkSend } from '../cancel/cancel-bulk-send.ts';
import { progressOfSend } from './progress-of-send.ts';
import { aFrozenSend, aList, moveBulkSends, openSend } from '../test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, subscribers, workers cascade`.execute(t.db);
  await sql`update send_pace set paused_until = null, pause_reason = null`.execute(t.db);
  await sql`insert into workers (id, roles, host, pid) values (${newId()}, '{api,worker}', 'here', 1)`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

const nothing = { reason: null, code: null, since: null, resumesAt: null };
const move = () => moveBulkSends({ db: t.db, ratePerSecond: 12 });
const set = (changes: string) =>
  sql`update emails set ${sql.raw(changes)} where workspace_id = ${workspaceId} and lane = 2`.execute(t.db);
const minutesAgo = (key: SendKey) =>
  sql`update send_requests set progress_at = now() - interval '5 minutes'
       where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);

test('while it moves there is nothing to say, from the freeze to the end', async () => {
  const newsletterId = await aList(t.db, workspaceId, 3);
  const frozen = await openSend(t.db, workspaceId, newsletterId);
  assert.deepEqual(await progressOfSend(t.db, frozen), { state: 'freezing', ...nothing });
  const key = await aFrozenSend(t.db, workspaceId, 5);
  assert.deepEqual(await progressOfSend(t.db, key), { state: 'releasing', ...nothing });
  await move();
  assert.deepEqual(await progressOfSend(t.db, key), { state: 'sending', ...nothing });
  await set(`status = 'sent'`);
  assert.deepEqual(await progressOfSend(t.db, key), { state: 'done', ...nothing });
});

test('the limiter waits until a time, for a reason', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 5);
  await move();
  await pausePace(t.db, 600, 'quota: 50000 messages in 24 hours');
  const { rows } = await sql<{ until: Date }>`select paused_until as until from send_pace`.execute(t.db);
  const progress = await progressOfSend(t.db, key);
  assert.equal(progress?.state, 'waiting');
  assert.equal(
    progress.reason,
    `Nothing is handed over until ${rows[0]?.until.toISOString()}: the quota of the provider is used up: 50000 messages in 24 hours.`,
  );
});

test('the provider refuses for now: what it said, and when the next attempt is', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await move();
  await set(
    `status = 'deferred', error = '451 4.7.1 come back later', not_before = '2030-01-01T00:00:00Z'::timestamptz`,
  );
  const progress = await progressOfSend(t.db, key);
  assert.equal(progress?.state, 'waiting');
  assert.equal(
    progress.reason,
    'The provider does not take mail at the moment: 451 4.7.1 come back later. The next attempt is at 2030-01-01T00:00:00.000Z.',
  );
});

test('no worker is alive: since when', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await sql`update workers set last_seen_at = '2026-01-01T00:00:00Z'`.execute(t.db);
  assert.deepEqual(await progressOfSend(t.db, key), {
    state: 'waiting',
    reason: 'No process that sends mail has been seen since 2026-01-01T00:00:00.000Z.',
    code: null,
    since: new Date('2026-01-01T00:00:00Z'),
    resumesAt: null,
  });
  await sql`update workers set roles = '{api}', last_seen_at = now()`.execute(t.db);
  assert.equal((await progressOfSend(t.db, key))?.reason, 'No process that sends mail is running.');
});

test('paused by the breaker or a person: the reason that was given', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await pauseSend(t.db, workspaceId, key.sendId, '30 of 500 addresses do not exist.');
  const progress = await progressOfSend(t.db, key);
  assert.equal(progress?.state, 'paused');
  assert.equal(progress.reason, '30 of 500 addresses do not exist.');
  assert.ok(progress.since !== null);
});

test('paused with its workspace: the operator, and since when', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await sql`insert into sending_gates (workspace_id, state, changed_at)
    values (${workspaceId}, 'paused', '2026-01-01T00:00:00Z')`.execute(t.db);
  await minutesAgo(key);
  assert.deepEqual(await progressOfSend(t.db, key), {
    state: 'paused',
    reason:
      'Sending is paused for this workspace. The send goes on by itself when the operator activates the workspace.',
    code: 'workspace_paused',
    since: new Date('2026-01-01T00:00:00Z'),
    resumesAt: null,
  });
});

test('mail of higher lanes goes first: how much', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await move();
  for (let n = 0; n < 60; n += 1) await anEmail(t.db, workspaceId);
  const progress = await progressOfSend(t.db, key);
  assert.equal(progress?.state, 'sending');
  assert.match(progress.reason ?? '', /^60 emails of higher priority go first/);
});

test('nothing was written or released for long although a worker is alive: since when', async () => {
  const newsletterId = await aList(t.db, workspaceId, 3);
  const freezing = await openSend(t.db, workspaceId, newsletterId);
  const releasing = await aFrozenSend(t.db, workspaceId, 3);
  await minutesAgo(freezing);
  await minutesAgo(releasing);
  assert.match((await progressOfSend(t.db, freezing))?.reason ?? '', /^Recipients are not being written since 20/);
  assert.match((await progressOfSend(t.db, releasing))?.reason ?? '', /^Nothing goes to the queue since 20/);
});

test('a send that was paused for long and resumed has nothing to say: the pause is no standstill', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 3);
  const ctx = { ...bySystem(workspaceId), db: t.db };
  await pauseSend(t.db, workspaceId, key.sendId, 'Somebody has paused it.');
  await minutesAgo(key);
  await resumeSend(ctx, key.sendId);
  assert.equal((await progressOfSend(t.db, key))?.reason, null);
});

test('cancelled ones say so, and another workspace sees none', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 3);
  await cancelBulkSend(t.db, key);
  assert.equal((await progressOfSend(t.db, key))?.state, 'cancelling');
  await move();
  assert.deepEqual(await progressOfSend(t.db, key), { state: 'cancelled', ...nothing });
  assert.equal(await progressOfSend(t.db, { workspaceId: await aWorkspace(t.db), sendId: key.sendId }), null);
});
