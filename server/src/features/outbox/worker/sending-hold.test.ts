import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { loadSettings } from '#platform/config/settings.ts';
import { queueStatus, sendPosition } from '../queue-status.ts';
import {
  accept,
  aSend,
  aSteppedWorker,
  aWorker,
  aWorkspace,
  deliver,
  people,
  queued,
  RecordingProvider,
} from '../test-kit.ts';
import { reserveSlots } from './queries/pace.ts';
import { sendingHold } from './sending-hold.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());
afterEach(() => sendingHold.end(t.db));

test('while sending is held no email of any lane is handed over; afterwards each is, once', async () => {
  assert.equal(await sendingHold.begin(t.db, 'went_back'), true);
  for (const lane of ['system', 'transactional', 'bulk'] as const)
    await queued(t.db, workspaceId, lane, people(3, lane));
  const provider = new RecordingProvider();
  const held = aSteppedWorker(t.db, provider);
  for (let look = 0; look < 5; look += 1) await held.step();
  assert.equal(provider.calls.length, 0);
  const asked = await reserveSlots(t.db, { wanted: 9, pledged: 0, ratePerSecond: 12 });
  assert.deepEqual([asked.granted, asked.due], [0, 9]);
  assert.ok(asked.waitMs > 2_000, 'emails in hand go back to the queue, as in a pause');
  const inHand = await reserveSlots(t.db, { wanted: 1, pledged: 1, ratePerSecond: 12 });
  assert.equal(inHand.granted, 0, 'nor one that was claimed before');

  assert.equal((await sendingHold.end(t.db))?.reason, 'went_back');
  await deliver(aWorker(t.db, provider), 9);
  const recipients = provider.calls.flatMap(({ message }) => message.envelope.to);
  assert.equal(recipients.length, 9);
  assert.equal(new Set(recipients).size, 9);
});

test('a hold keeps its first reason and time, and ends once', async () => {
  await sendingHold.begin(t.db, 'went_back');
  const first = await sendingHold.find(t.db);
  assert.equal(await sendingHold.begin(t.db, 'other_server'), false);
  assert.deepEqual(await sendingHold.find(t.db), first);
  assert.deepEqual(await sendingHold.end(t.db), first);
  assert.equal(await sendingHold.end(t.db), undefined);
  assert.equal(await sendingHold.find(t.db), undefined);
});

test('while sending is held the queue says since when, and nobody estimates', async () => {
  const ctx = { workspaceId, db: t.db, clock: createTestClock(), settings: loadSettings({}).settings };
  const { jobId } = await accept(t.db, workspaceId, aSend(people(12)));
  assert.equal((await queueStatus(ctx)).heldSince, null);
  await sendingHold.begin(t.db, 'went_back');
  const status = await queueStatus(ctx);
  assert.deepEqual(status.heldSince, (await sendingHold.find(t.db))?.since);
  assert.equal(status.estimatedDrainAt, null);
  assert.equal(status.depth, 12, 'emails are accepted and wait');
  assert.equal((await sendPosition(ctx, jobId))?.estimatedCompletionAt, null);
});
