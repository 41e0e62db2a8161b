import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { pauseSend, resumeSend } from '../../pause/pause-send.ts';
import { claimEmails } from '../../worker/queries/claim-emails.ts';
import { aCtx, aWorkspace } from '../../test-kit.ts';
import type { SendKey } from '../bulk-send.ts';
import { cancelBulkSend } from './cancel-bulk-send.ts';
import { freezeRecipients } from '../freeze/freeze-recipients.ts';
import { countsOfSends } from '../send-counts.ts';
import { activeOf, aFrozenSend, aList, moveBulkSends, openSend, stateOfSend, statusesOf } from '../test-kit.ts';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';

/** `POSTHORN_PROPERTY_RUNS=200 node test/run.ts …` races as often as the promise is tested before a release. */
const ROUNDS = propertyRuns({ test: 3, prove: 20 });

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, email_events, subscribers cascade`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

const move = (ratePerSecond = 12) => moveBulkSends({ db: t.db, ratePerSecond });

/** Hands over what is queued, up to so many; returns how many. */
async function handOver(slots: number): Promise<number> {
  const { emails } = await claimEmails(t.db, { slots, bulk: slots, leaseToken: newId(), leaseSeconds: 60 });
  await sql`update emails set status = 'sent', sent_at = now(), lease_token = null
             where workspace_id = ${workspaceId} and id = any (${emails.map((email) => email.id)}::uuid[])`.execute(
    t.db,
  );
  return emails.length;
}

async function handOverAll(): Promise<number> {
  let all = 0;
  for (let some = await handOver(100); some > 0; some = await handOver(100)) all += some;
  return all;
}

test('a send that was cancelled like any other is settled, and nothing of it is released', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 5);
  await sql`update send_requests set cancelled_at = now() where workspace_id = ${workspaceId}`.execute(t.db);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 5 });
  assert.equal(await stateOfSend(t.db, key), 'cancelled');
});

test('the answer counts what was released, the rest is settled afterwards, and the released still leave', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2_500);
  await move();
  await handOver(20);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 100 });
  assert.equal(await stateOfSend(t.db, key), 'cancelling');
  assert.equal((await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId)?.waiting, 2_380);
  await move();
  assert.equal(await stateOfSend(t.db, key), 'cancelled');
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 2_380, queued: 100, sent: 20 });
  assert.equal(await handOverAll(), 100);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 2_380, sent: 120 });
});

test('settling a large cancelled send holds up no other send', async () => {
  const large = await aFrozenSend(t.db, workspaceId, 10_500);
  await cancelBulkSend(t.db, large);
  const other = await aFrozenSend(t.db, workspaceId, 200);
  assert.equal(await move(), true, 'a round ends before the cancelled send is settled');
  assert.deepEqual(await statusesOf(t.db, large), { cancelled: 10_000, pending: 500 });
  assert.deepEqual(await statusesOf(t.db, other), { pending: 80, queued: 120 });
  assert.equal(await move(), false);
  assert.equal(await stateOfSend(t.db, large), 'cancelled');
});

test('emails being handed over and emails that wait for another attempt are counted, too', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 10);
  await move();
  await claimEmails(t.db, { slots: 3, bulk: 3, leaseToken: newId(), leaseSeconds: 60 });
  await sql`update emails set status = 'deferred', not_before = now() + interval '1 hour'
             where workspace_id = ${workspaceId} and recipient = 'reader-0000009@example.com'`.execute(t.db);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 10 });
});

test('a cancel during the freeze stops it, and nobody of it is queued', async () => {
  const newsletterId = await aList(t.db, workspaceId, 30);
  const key = await openSend(t.db, workspaceId, newsletterId);
  const page = activeOf(workspaceId, newsletterId);
  await freezeRecipients(t.db, key, page, 10);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 0 });
  assert.deepEqual(await freezeRecipients(t.db, key, page, 10), { outcome: 'stopped' });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 10 });
  const counts = (await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId);
  assert.equal(counts?.total, 10);
  assert.equal(counts.failed, 10);
});

test('of a paused send nothing leaves after the cancel, also when it had been in the queue', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 200);
  await move();
  // A worker holds these at the moment of the pause, so that they stay in the queue.
  const ids = await sql<{ id: string }>`
    select id from emails where workspace_id = ${workspaceId} and status = 'queued' limit 5`.execute(t.db);
  await pauseSend(t.db, workspaceId, key.sendId, 'too many bounces');
  await sql`update emails set status = 'queued' where id = any (${ids.rows.map((row) => row.id)}::uuid[])
               and workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 0 });
  await move();
  assert.equal(await handOverAll(), 0);
  assert.equal(await resumeSend(aCtx(t.db, workspaceId), key.sendId), false);
  await move();
  assert.equal(await handOverAll(), 0);
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 200 });
});

test('cancelling again answers what still leaves by then; another workspace finds nothing to cancel', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 20);
  await move();
  await cancelBulkSend(t.db, key);
  await handOver(5);
  assert.deepEqual(await cancelBulkSend(t.db, key), { alreadyQueued: 15 });
  const other = await aWorkspace(t.db);
  await assert.rejects(cancelBulkSend(t.db, { workspaceId: other, sendId: key.sendId }), { name: 'not_found_error' });
});

const sentOf = async (key: SendKey): Promise<number> => (await statusesOf(t.db, key))['sent'] ?? 0;

/** A moment of each round's own: after so many round trips; every second one is counted from the first queued email. */
async function aMoment(key: SendKey, round: number): Promise<void> {
  for (let look = 0; round % 2 === 1 && look < 1_000; look += 1) {
    if (((await statusesOf(t.db, key))['queued'] ?? 0) > 0) break;
  }
  for (let wait = 0; wait < (round * 5) % 23; wait += 1) await sql`select 1`.execute(t.db);
}

test('whenever a cancel comes between two pages of the release, exactly as many leave after it as it said', async () => {
  let withSome = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const key = await aFrozenSend(t.db, workspaceId, 300);
    let isOver = false;
    // Ten more may be queued with each look, so that a page is under way at every moment.
    const release = async () => {
      for (let rate = 1; !isOver && rate < 30; rate += 1) await move(rate);
    };
    const running = [release(), release()];
    await aMoment(key, round);
    const { alreadyQueued } = await cancelBulkSend(t.db, key);
    isOver = true;
    await Promise.all(running);
    await move(30);
    await handOverAll();
    assert.deepEqual(
      await statusesOf(t.db, key),
      { cancelled: 300 - alreadyQueued, ...(alreadyQueued > 0 ? { sent: alreadyQueued } : {}) },
      `round ${round}`,
    );
    if (alreadyQueued > 0) withSome += 1;
    await sql`truncate emails, send_requests, send_counts, email_events, subscribers cascade`.execute(t.db);
  }
  assert.ok(withSome > ROUNDS / 4, `only ${withSome} of ${ROUNDS} rounds had something in the queue`);
});

test('the same while a worker hands over: no fewer than were left at the answer, no more than at the question', async () => {
  for (let round = 0; round < ROUNDS / 2; round += 1) {
    const key = await aFrozenSend(t.db, workspaceId, 300);
    let isOver = false;
    const release = async () => {
      while (!isOver) await move(5);
    };
    const worker = async () => {
      while (!isOver) await handOver(7);
    };
    const running = [release(), worker()];
    await aMoment(key, round);
    const before = await sentOf(key);
    const { alreadyQueued } = await cancelBulkSend(t.db, key);
    const answered = await sentOf(key);
    isOver = true;
    await Promise.all(running);
    await move(5);
    await handOverAll();
    const sent = await sentOf(key);
    assert.ok(sent - answered <= alreadyQueued, `round ${round}: ${sent - answered} left after ${alreadyQueued}`);
    assert.ok(sent - before >= alreadyQueued, `round ${round}: ${sent - before} left of ${alreadyQueued}`);
    await sql`truncate emails, send_requests, send_counts, email_events, subscribers cascade`.execute(t.db);
  }
});
