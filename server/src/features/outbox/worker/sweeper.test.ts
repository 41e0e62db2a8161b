import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { openDatabase } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { startBreakableProxy } from '../../../../test/harness/breakable-proxy.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { cancelSend } from '../pause/cancel-send.ts';
import type { Lane } from '../lane.ts';
import { queueSignal } from './queue-signal.ts';
import { Sweeper } from './sweeper.ts';
import { requeueUnconfirmed } from './queries/settle-unconfirmed.ts';
import {
  accept,
  aSend,
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
let provider: RecordingProvider;
let ws: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  provider = new RecordingProvider();
  ws = await aWorkspace(t.db);
});
afterEach(() => sql`truncate emails, contents, attachments, send_requests, email_events, email_attempts`.execute(t.db));

/** Puts an email where a crash would have left it. */
const crashed = (id: string): Promise<unknown> =>
  sql`update emails set status = 'sending', lease_token = gen_random_uuid(), lease_until = now() - interval '1 second',
        handoff_at = now() - interval '1 minute'
      where workspace_id = ${ws} and id = ${id}`.execute(t.db);
const unconfirmed = (id: string, seconds: number): Promise<unknown> =>
  sql`update emails set status = 'unconfirmed', handoff_at = now(), attempts = 1,
        unconfirmed_at = now() - make_interval(secs => ${seconds}) where workspace_id = ${ws} and id = ${id}`.execute(
    t.db,
  );
const stateOfEmail = async (id: string): Promise<string> => (await stateOf(t.db, ws, id)).status;
const one = async (lane: Lane = 'transactional'): Promise<string> => (await queued(t.db, ws, lane, people(1)))[0] ?? '';

test('a lease that has not run out is left alone', async () => {
  const id = await one();
  await sql`update emails set status = 'sending', lease_token = gen_random_uuid(), lease_until = now() + interval '1 minute'
    where workspace_id = ${ws} and id = ${id}`.execute(t.db);
  assert.equal(await aSweeper(t.db).runOnce(), 0);
});

test('a lease that ran out before the hand-off began puts the email back at its turn, as if it had never been claimed', async () => {
  const [first = '', second = ''] = await queued(t.db, ws, 'transactional', people(2));
  const before = await stateOf(t.db, ws, first);
  await sql`update emails set status = 'sending', lease_token = gen_random_uuid(), lease_until = now() - interval '1 second'
    where workspace_id = ${ws} and id = ${first}`.execute(t.db);
  assert.equal(await aSweeper(t.db).runOnce(), 1);
  assert.deepEqual(await stateOf(t.db, ws, first), before);
  await deliver(aWorker(t.db, provider), 2);
  assert.deepEqual(
    provider.calls.map((call) => call.message.emailId),
    [first, second],
  );
});

test('a lease that ran out leaves the outcome unconfirmed, on record before anything is repeated', async () => {
  const id = await one();
  await crashed(id);
  await aSweeper(t.db).runOnce();
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual(
    [state.status, state.attempts, state.hasLease, state.records],
    ['unconfirmed', 1, false, ['unconfirmed']],
  );
});

test('an email that is due again enters at the head of its lane, not behind what its workspace queued since', async () => {
  const id = await one();
  await sql`update emails set status = 'deferred', not_before = now() where workspace_id = ${ws} and id = ${id}`.execute(
    t.db,
  );
  const later = await queued(t.db, ws, 'transactional', people(10));
  const notYet = await one();
  await sql`update emails set status = 'deferred', not_before = now() + interval '1 minute'
    where workspace_id = ${ws} and id = ${notYet}`.execute(t.db);
  assert.equal(await aSweeper(t.db).runOnce(), 1);
  const state = await stateOf(t.db, ws, id);
  assert.equal(state.status, 'queued');
  assert.equal(state.turn, (await stateOf(t.db, ws, later[0] ?? '')).turn);
  assert.equal((await stateOf(t.db, ws, notYet)).status, 'deferred');
});

test('a thousand retries of one workspace still leave one round each', async () => {
  await queued(t.db, ws, 'transactional', people(1_000));
  await sql`update emails set status = 'deferred', not_before = now() where workspace_id = ${ws}`.execute(t.db);
  assert.equal(await aSweeper(t.db).runOnce(), 1_000);
  const { rows } = await sql<{ most: number }>`
    select max(n)::integer as most from (select count(*) as n from emails where workspace_id = ${ws} group by turn) as t`.execute(
    t.db,
  );
  assert.ok((rows[0]?.most ?? 0) <= 2);
});

test('an unconfirmed email without an event is sent once more with the same Message-ID, and never a third time', async () => {
  const receipt = await accept(t.db, ws, aSend(['ada@example.com']));
  const id = receipt.emails[0]?.id ?? '';
  provider.answer = () => ({ kind: 'unknown', response: 'reset' });
  await deliver(aWorker(t.db, provider), 1);
  const sweeper = aSweeper(t.db, 600);
  assert.equal(await sweeper.runOnce(), 0, 'not before its time');
  await sql`update emails set unconfirmed_at = now() - interval '601 seconds' where workspace_id = ${ws}`.execute(t.db);
  await sweeper.runOnce();
  const waiting = await stateOf(t.db, ws, id);
  assert.deepEqual(waiting.records, ['unconfirmed', 'resent'], 'on record before it leaves');
  assert.equal(waiting.handedOff, false, 'the next hand-off has its own time');
  await deliver(aWorker(t.db, provider), 1);
  await sql`update emails set unconfirmed_at = now() - interval '601 seconds' where workspace_id = ${ws}`.execute(t.db);
  await sweeper.runOnce();
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.records], ['unconfirmed', ['unconfirmed', 'resent', 'unconfirmed']]);
  assert.equal(provider.calls.length, 2);
  assert.equal(provider.calls[0]?.message.messageId, provider.calls[1]?.message.messageId);
  assert.equal(await sweeper.runOnce(), 0, 'it is looked at once only');
});

test('workers are told at once of emails that are due again', async () => {
  let told = 0;
  const deaf = queueSignal.hear(() => void (told += 1));
  await one();
  await aSweeper(t.db).runOnce();
  assert.equal(told, 0);
  await sql`update emails set status = 'deferred', not_before = now() - interval '1 second' where workspace_id = ${ws}`.execute(
    t.db,
  );
  await aSweeper(t.db).runOnce();
  deaf();
  assert.equal(told, 1);
});

test('after an outage of the database workers have three seconds for the outcomes that they hold', async () => {
  const id = await one();
  await crashed(id);
  const proxy = await startBreakableProxy(t.url);
  const log = createLog({ level: 'silent' });
  const own = openDatabase({ url: proxy.url, poolMax: 1, applicationName: 'cut off', log });
  const clock = createTestClock({ held: true });
  const sweeper = new Sweeper({ db: own.db, log, clock, unconfirmedSeconds: 600, leaseSeconds: 60 });
  try {
    await proxy.breakDown();
    await sweeper.start();
    await clock.untilWaiting(200);
    await proxy.mend();
    const swept = sweeper.swept.next();
    clock.advance(200);
    await Promise.race([clock.untilWaiting(3_000), swept]);
    assert.equal((await stateOf(t.db, ws, id)).status, 'sending');
    clock.advance(3_000);
    await swept;
    assert.equal((await stateOf(t.db, ws, id)).status, 'unconfirmed');
  } finally {
    await sweeper.stop();
    await own.close();
    await proxy.close();
  }
});

test('an unconfirmed bulk email is never repeated by itself', async () => {
  const id = await one('bulk');
  await unconfirmed(id, 601);
  await aSweeper(t.db, 600).runOnce();
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([state.status, state.records], ['unconfirmed', []]);
});

test('an unconfirmed email of a cancelled send is not repeated', async () => {
  const receipt = await accept(t.db, ws, aSend(['ada@example.com']));
  const id = receipt.emails[0]?.id ?? '';
  await unconfirmed(id, 601);
  await cancelSend({ db: t.db, workspaceId: ws }, receipt.jobId);
  await aSweeper(t.db, 600).runOnce();
  assert.equal((await stateOf(t.db, ws, id)).status, 'unconfirmed');
});

test('an unconfirmed email that has expired or whose address was suppressed is not repeated, nor said to be unsent', async () => {
  const receipt = await accept(t.db, ws, aSend(['late@example.com', 'blocked@example.com']));
  const [late = '', blocked = ''] = receipt.emails.map((email) => email.id);
  for (const id of [late, blocked]) await unconfirmed(id, 601);
  await sql`update emails set expires_at = now() where workspace_id = ${ws} and id = ${late}`.execute(t.db);
  await sql`insert into suppressions (workspace_id, id, email, reason)
    values (${ws}, gen_random_uuid(), 'blocked@example.com', 'manual')`.execute(t.db);
  await aSweeper(t.db, 600).runOnce();
  for (const id of [late, blocked]) {
    const state = await stateOf(t.db, ws, id);
    assert.deepEqual([state.status, state.records], ['unconfirmed', []]);
  }
});

test('an expired email that a person sends once more leaves', async () => {
  const receipt = await accept(t.db, ws, aSend(['late@example.com']));
  const id = receipt.emails[0]?.id ?? '';
  await unconfirmed(id, 1);
  await sql`update emails set expires_at = now() where workspace_id = ${ws} and id = ${id}`.execute(t.db);
  assert.equal(await requeueUnconfirmed(t.db, ws, id), true);
  await aSweeper(t.db).runOnce();
  await deliver(aWorker(t.db, provider), 1);
  const state = await stateOf(t.db, ws, id);
  assert.deepEqual([provider.calls.length, state.status, state.records], [1, 'sent', ['resent']]);
});

test('an email that expires while it waits fails with a reject event', async () => {
  const soon = new Date(Date.now() + 3_600_000);
  const receipt = await accept(t.db, ws, aSend(['a@example.com', 'b@example.com'], { expiresAt: soon }));
  const [a = '', b = ''] = receipt.emails.map((email) => email.id);
  await sql`update emails set expires_at = now(), status = 'deferred', not_before = now() + interval '1 hour'
    where workspace_id = ${ws} and id = ${a}`.execute(t.db);
  await aSweeper(t.db).runOnce();
  const state = await stateOf(t.db, ws, a);
  assert.deepEqual([state.status, state.error], ['failed', 'expired']);
  assert.deepEqual(state.events.at(-1)?.data, { reject: { reason: 'expired' } });
  assert.equal((await stateOf(t.db, ws, b)).status, 'queued');
});

test('two sweepers at once move each email once', async () => {
  await queued(t.db, ws, 'transactional', people(1_000));
  await sql`update emails set status = 'sending', lease_token = gen_random_uuid(), handoff_at = now(),
    lease_until = now() - interval '1 second' where workspace_id = ${ws}`.execute(t.db);
  const moved = await Promise.all(Array.from({ length: 4 }, () => aSweeper(t.db).runOnce()));
  assert.equal(
    moved.reduce((sum, n) => sum + n),
    1_000,
  );
  const { rows } = await sql<{
    n: number;
  }>`select count(*)::integer as n from email_attempts where workspace_id = ${ws}`.execute(t.db);
  assert.equal(rows[0]?.n, 1_000);
});

/** A sweeper whose database seems to be `ahead.ms` ahead of the monotonic clock of its process. */
function steppedSweeper(): { sweeper: Sweeper; ahead: { ms: number } } {
  const ahead = { ms: 0 };
  const clock = { ...systemClock, monotonicMs: () => performance.now() - ahead.ms };
  const options = { db: t.db, log: createLog({ level: 'silent' }), clock, unconfirmedSeconds: 600, leaseSeconds: 60 };
  return { sweeper: new Sweeper(options), ahead };
}

test('after the clock of the database went forward, nothing is taken from living workers, repeated or expired', async () => {
  const { sweeper, ahead } = steppedSweeper();
  await sweeper.runOnce();
  const ids = await queued(t.db, ws, 'transactional', people(4));
  const [begun = '', unbegun = '', waiting = '', expiring = ''] = ids;
  await crashed(begun);
  await crashed(unbegun);
  await unconfirmed(waiting, 601);
  await sql`update emails set handoff_at = null where workspace_id = ${ws} and id = ${unbegun}`.execute(t.db);
  await sql`update emails set expires_at = now() - interval '1 second' where workspace_id = ${ws} and id = ${expiring}`.execute(
    t.db,
  );
  ahead.ms = 3_600_000;
  assert.equal(await sweeper.runOnce(), 0);
  assert.deepEqual(await Promise.all(ids.map(stateOfEmail)), ['sending', 'sending', 'unconfirmed', 'queued']);
  ahead.ms = 0;
  assert.equal(await sweeper.runOnce(), 4);
});

test('after the clock of the database was set back, no lease and no first retry lasts for an hour longer', async () => {
  const ids = await queued(t.db, ws, 'transactional', people(5));
  const [leased = '', retried = '', throttled = '', held = '', older = ''] = ids;
  await sql`update emails set status = 'sending', lease_token = gen_random_uuid(), lease_until = now() + interval '61 minutes'
    where workspace_id = ${ws} and id = ${leased}`.execute(t.db);
  const deferred = (id: string, due: string, first: string | null): Promise<unknown> =>
    sql`update emails set status = 'deferred', not_before = now() + ${due}::interval, first_attempt_at = now() + ${first}::interval
      where workspace_id = ${ws} and id = ${id}`.execute(t.db);
  await deferred(retried, '1 hour 5 seconds', '1 hour');
  await deferred(throttled, '1 hour 1 second', null);
  await deferred(held, '1 day', null);
  await sql`update emails set not_before = 'infinity' where workspace_id = ${ws} and id = ${held}`.execute(t.db);
  await deferred(older, '1 hour', '-2 hours');
  assert.equal(await aSweeper(t.db).runOnce(), 2);
  assert.deepEqual(await Promise.all(ids.map(stateOfEmail)), ['sending', 'queued', 'queued', 'deferred', 'deferred']);
  const { rows } = await sql<{ left: number }>`
    select extract(epoch from lease_until - now())::integer as left from emails where workspace_id = ${ws} and id = ${leased}`.execute(
    t.db,
  );
  assert.ok((rows[0]?.left ?? 61) <= 60);
});

test('a wait for an event that seems to begin in the future begins again', async () => {
  const id = await one();
  await unconfirmed(id, -3_600);
  await aSweeper(t.db).runOnce();
  const { rows } = await sql<{ ahead: boolean }>`
    select unconfirmed_at > now() as ahead from emails where workspace_id = ${ws} and id = ${id}`.execute(t.db);
  assert.deepEqual(rows, [{ ahead: false }]);
});
