import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { until } from '../../../../test/harness/until.ts';
import { sendPaused, sendResumed } from '../announcements.ts';
import { cancelSend } from './cancel-send.ts';
import { pauseSend, resumeSend } from './pause-send.ts';
import {
  aCtx,
  aSweeper,
  aWorker,
  aWorkspace,
  deliver,
  people,
  queued,
  RecordingProvider,
  stateOf,
} from '../test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, email_attempts, send_requests, contents, email_events cascade`.execute(t.db);
  workspaceId = await aWorkspace(t.db);
});

async function aBulkSend(count: number, name?: string): Promise<{ sendId: string; ids: string[] }> {
  const ids = await queued(t.db, workspaceId, 'bulk', people(count, name));
  const { rows } = await sql<{ id: string }>`
    select send_id as id from emails where workspace_id = ${workspaceId} and id = ${ids[0]}`.execute(t.db);
  return { sendId: rows[0]?.id ?? '', ids };
}

async function counts(sendId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select status, count(*)::integer as n from emails where workspace_id = ${workspaceId} and send_id = ${sendId}
     group by status`.execute(t.db);
  return Object.fromEntries(rows.map((row) => [row.status, row.n]));
}

const setStatus = (id: string | undefined, status: string) =>
  sql`update emails set status = ${status}, not_before = now() - interval '1 second', attempts = 1
       where workspace_id = ${workspaceId} and id = ${id}`.execute(t.db);

test('nothing of a paused send leaves, what waited is pending, and the others go on', async () => {
  const paused = await aBulkSend(20, 'paused');
  await setStatus(paused.ids[0], 'deferred');
  const other = await aBulkSend(5, 'other');
  assert.equal(await pauseSend(t.db, workspaceId, paused.sendId, 'too many bounces'), true);
  assert.deepEqual(await counts(paused.sendId), { pending: 20 });
  const provider = new RecordingProvider();
  await deliver(aWorker(t.db, provider), 5);
  assert.deepEqual(await counts(other.sendId), { sent: 5 });
  assert.ok(provider.calls.every((call) => call.message.envelope.to[0]?.startsWith('other')));
  const { rows } = await sql`select action, details from security_log where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  assert.deepEqual(rows, [{ action: 'send.paused', details: { reason: 'too many bounces' } }]);
});

test('an email that returns to the queue of a paused send is pending again, without an event', async () => {
  const { sendId, ids } = await aBulkSend(3);
  await pauseSend(t.db, workspaceId, sendId, 'x');
  await setStatus(ids[0], 'queued'); // as an attempt that was given back
  await setStatus(ids[1], 'deferred');
  await aSweeper(t.db).runOnce();
  const provider = new RecordingProvider();
  const worker = aWorker(t.db, provider);
  while ((await counts(sendId))['queued'] !== undefined) await worker.runOnce();
  await worker.stop();
  assert.deepEqual(await counts(sendId), { pending: 3 });
  assert.equal(provider.calls.length, 0);
  const state = await stateOf(t.db, workspaceId, ids[0] ?? '');
  assert.deepEqual([state.error, state.hasLease, state.events.map((event) => event.type)], [null, false, ['send']]);
});

test('a send of many pages stops at once: what is not taken out of the queue is not claimed', async () => {
  const { sendId } = await aBulkSend(1);
  await sql`
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status)
    select workspace_id, ph_uuidv7(), send_id, content_id, 'many-' || n || '@example.com', 2, n, 'queued'
      from emails cross join generate_series(1, 6000) n where workspace_id = ${workspaceId}`.execute(t.db);
  await pauseSend(t.db, workspaceId, sendId, 'x');
  assert.deepEqual(await counts(sendId), { pending: 5_000, queued: 1_001 });
  const provider = new RecordingProvider();
  const worker = aWorker(t.db, provider);
  while ((await counts(sendId))['queued'] !== undefined) await worker.runOnce();
  await worker.stop();
  assert.deepEqual(await counts(sendId), { pending: 6_001 });
  assert.equal(provider.calls.length, 0);
});

test('a resumed send goes on at the end of its lane and leaves completely', async () => {
  const first = await aBulkSend(4, 'first');
  await pauseSend(t.db, workspaceId, first.sendId, 'x');
  const second = await aBulkSend(4, 'second');
  assert.equal(await resumeSend(aCtx(t.db, workspaceId), first.sendId), true);
  assert.equal(await resumeSend(aCtx(t.db, workspaceId), first.sendId), false, 'it is not paused any more');
  const turns = await Promise.all(
    [...second.ids, ...first.ids].map(async (id) => (await stateOf(t.db, workspaceId, id)).turn),
  );
  assert.deepEqual(
    [...turns].sort((a, b) => a - b),
    turns,
  );
  assert.equal(new Set(turns).size, 8, 'one email a round');
  await deliver(aWorker(t.db, new RecordingProvider()), 8);
  assert.deepEqual(await counts(first.sendId), { sent: 4 });
});

test('a send is paused once, not when it is cancelled, and a cancel takes what is pending', async () => {
  const { sendId } = await aBulkSend(3);
  assert.equal(await pauseSend(t.db, workspaceId, sendId, 'one'), true);
  assert.equal(await pauseSend(t.db, workspaceId, sendId, 'two'), false);
  assert.deepEqual(await cancelSend(aCtx(t.db, workspaceId), sendId), { cancelled: 3, alreadySent: 0 });
  await resumeSend(aCtx(t.db, workspaceId), sendId);
  assert.deepEqual(await counts(sendId), { cancelled: 3 });
  assert.equal(await pauseSend(t.db, workspaceId, sendId, 'three'), false);
  assert.equal(await pauseSend(t.db, await aWorkspace(t.db), (await aBulkSend(1)).sendId, 'x'), false);
  await assert.rejects(resumeSend(aCtx(t.db, workspaceId), newId()), { name: 'not_found_error' });
});

test('pausing and resuming are announced in their transactions: a reaction that fails undoes them', async () => {
  const { sendId } = await aBulkSend(2);
  let failing = true;
  const told: unknown[] = [];
  const reaction = async (_tx: unknown, news: { sendId: string }): Promise<void> => {
    if (news.sendId !== sendId) return;
    told.push(news);
    if (failing) throw new Error('planted');
  };
  addReactions(t.db, [reactionTo(sendPaused, reaction)]);
  addReactions(t.db, [reactionTo(sendResumed, reaction)]);
  await assert.rejects(pauseSend(t.db, workspaceId, sendId, 'why'), /planted/);
  assert.deepEqual(await counts(sendId), { queued: 2 });
  failing = false;
  await pauseSend(t.db, workspaceId, sendId, 'why');
  failing = true;
  await assert.rejects(resumeSend(aCtx(t.db, workspaceId), sendId), /planted/);
  assert.deepEqual(await counts(sendId), { pending: 2 });
  failing = false;
  assert.deepEqual(told[1], { workspaceId, sendId, reason: 'why', code: null, resumesAt: null });
});

test('while workers drain a send, nothing is claimed after its pause is committed', async () => {
  const { sendId } = await aBulkSend(400);
  const provider = new RecordingProvider();
  const workers = [0, 1, 2].map(() => aWorker(t.db, provider, { ratePerSecond: 300 }));
  for (const worker of workers) await worker.start();
  await provider.received(60);
  await pauseSend(t.db, workspaceId, sendId, 'x');
  const { rows } = await sql<{ at: string }>`select clock_timestamp()::text as at`.execute(t.db);
  await aBulkSend(40, 'later');
  while (provider.calls.filter((call) => call.message.envelope.to[0]?.startsWith('later')).length < 40)
    await provider.called.next();
  await until('an end of what was in the hands of a worker', async () => {
    const { queued: waiting = 0, sending = 0 } = await counts(sendId);
    return waiting + sending === 0 ? true : undefined;
  });
  for (const worker of workers) await worker.stop();
  const late = await sql`
    select from emails where workspace_id = ${workspaceId} and send_id = ${sendId}
       and handoff_at > ${rows[0]?.at}::timestamptz`.execute(t.db);
  assert.equal(late.rows.length, 0);
  const after = await counts(sendId);
  assert.ok((after['pending'] ?? 0) > 0);
  assert.equal((after['pending'] ?? 0) + (after['sent'] ?? 0), 400, JSON.stringify(after));
});
