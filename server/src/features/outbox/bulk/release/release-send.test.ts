import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { systemClock } from '#platform/clock.ts';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { foldTally } from '#platform/tally/fold-tally.ts';
import { RememberedStarts } from '#platform/work/remembered-start.ts';
import { aDomain } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { holdSnapshot } from '../../../../../test/harness/hold-snapshot.ts';
import { createTestClock } from '../../../../../test/harness/test-clock.ts';
import { bulkSendFailed, bulkSendReleased } from '../../announcements.ts';
import { pauseSend, resumeSend } from '../../pause/pause-send.ts';
import { claimEmails } from '../../worker/queries/claim-emails.ts';
import { aCtx, aWorkspace } from '../../test-kit.ts';
import { Releaser } from './releaser.ts';
import { retryable, retryRefused } from './retry-refused.ts';
import { sendTally } from '../counts-queries.ts';
import { countsOfSends } from '../send-counts.ts';
import { stopUnsubscribed } from '../stops/stop-unsubscribed.ts';
import {
  aFrozenSend,
  aList,
  freezeAll,
  moveBulkSends,
  openSend,
  recount,
  stateOfSend,
  statusesOf,
} from '../test-kit.ts';

let t: TestDatabase;
let workspaceId: string;
const released: { sendId: string; total: number }[] = [];
const failed: { sendId: string; code: string }[] = [];
const broken = new Set<string>();
before(async () => {
  t = await createTestDatabase();
  addReactions(t.db, [
    reactionTo(bulkSendReleased, async (_tx, news) => void released.push({ sendId: news.sendId, total: news.total })),
  ]);
  addReactions(t.db, [
    reactionTo(bulkSendFailed, async (_tx, news) => {
      if (broken.has(news.sendId)) throw new Error('a reaction to this send is broken');
      failed.push({ sendId: news.sendId, code: news.code });
    }),
  ]);
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, email_attempts, send_requests, send_counts, contents, email_events, subscribers, suppressions cascade`.execute(
    t.db,
  );
  released.length = 0;
  failed.length = 0;
  broken.clear();
  workspaceId = await aWorkspace(t.db);
});

/** Twelve a second: 120 are ten seconds of drain. */
const move = (ratePerSecond = 12) => moveBulkSends({ db: t.db, ratePerSecond });

const claim = (slots: number) =>
  claimEmails(t.db, { slots, bulk: slots, leaseToken: newId(), leaseSeconds: 60 }).then(async (claimed) => {
    await sql`update emails set status = 'sent', sent_at = now(), lease_token = null where status = 'sending'`.execute(
      t.db,
    );
    return claimed;
  });

const subscriberOf = async (n: number): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select id from subscribers where workspace_id = ${workspaceId} order by email offset ${n} limit 1`.execute(t.db);
  return rows[0]?.id ?? '';
};

/** Ids of one millisecond are in no order, so which ten of 130 are still pending is known only from the rows. */
const subscriberWhoseEmailIs = async (status: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`
    select subscriber_id as id from emails where workspace_id = ${workspaceId} and status = ${status} limit 1`.execute(
    t.db,
  );
  return rows[0]?.id ?? '';
};

const leave = (subscriberId: string) =>
  sql`update subscribers set status = 'unsubscribed' where workspace_id = ${workspaceId} and id = ${subscriberId}`.execute(
    t.db,
  );

async function eventsOf(sendId: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ type: string; n: number }>`
    select v.type, count(*)::integer as n from email_events v
      join emails e on e.workspace_id = v.workspace_id and e.id = v.email_id
     where e.workspace_id = ${workspaceId} and e.send_id = ${sendId} group by v.type`.execute(t.db);
  return Object.fromEntries(rows.map((row) => [row.type, row.n]));
}

test('ten seconds of drain are queued, with a send event each, and more only as they leave', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 500);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 380, queued: 120 });
  assert.deepEqual(await eventsOf(key.sendId), { send: 120 });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 380, queued: 120 });
  await claim(30);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 350, queued: 120, sent: 30 });
  assert.deepEqual(await eventsOf(key.sendId), { send: 150 });
});

test("the provider's account bounds what is queued ahead when it allows less than the setting", async () => {
  const key = await aFrozenSend(t.db, workspaceId, 100);
  await sql`update send_pace set provider_rate = 1`.execute(t.db);
  await move();
  await sql`update send_pace set provider_rate = null`.execute(t.db);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 90, queued: 10 });
});

test('nothing of a send is queued before all its recipients are frozen', async () => {
  const newsletterId = await aList(t.db, workspaceId, 20);
  const key = await openSend(t.db, workspaceId, newsletterId);
  await move();
  await freezeAll(t.db, key, newsletterId, 10);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 20 });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { queued: 20 });
});

test('the last page makes the send released and says so once, with the number of recipients', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 130);
  await move();
  assert.deepEqual(released, []);
  await claim(20);
  await move();
  await move();
  assert.equal(await stateOfSend(t.db, key), 'released');
  assert.deepEqual(released, [{ sendId: key.sendId, total: 130 }]);
});

test('a send to nobody is released at once', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 0);
  await move();
  assert.equal(await stateOfSend(t.db, key), 'released');
  assert.deepEqual(released, [{ sendId: key.sendId, total: 0 }]);
});

test('the release settles recipients who were suppressed or left after the freeze, and queues the others', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 10);
  await leave(await subscriberOf(3));
  await sql`delete from subscribers where workspace_id = ${workspaceId} and id = ${await subscriberOf(5)}`.execute(
    t.db,
  );
  await sql`insert into suppressions (workspace_id, id, email, reason)
    values (${workspaceId}, ${newId()}, 'reader-0000001@example.com', 'manual')`.execute(t.db);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { queued: 7, suppressed: 3 });
  assert.deepEqual(await eventsOf(key.sendId), { send: 7, reject: 3 });
  const { rows } = await sql<{ error: string; n: number }>`
    select error, count(*)::integer as n from emails where workspace_id = ${workspaceId} and status = 'suppressed'
     group by error order by error`.execute(t.db);
  assert.deepEqual(rows, [
    { error: 'suppressed', n: 1 },
    { error: 'unsubscribed', n: 2 },
  ]);
});

const turnsOf = async (sendId: string): Promise<number[]> => {
  const { rows } = await sql<{ turn: number }>`
    select turn from emails where workspace_id = ${workspaceId} and send_id = ${sendId} and status = 'queued'
     order by turn`.execute(t.db);
  return rows.map((row) => row.turn);
};

test('a send of which a page was only settled has not started', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 3);
  const startedAt = async () =>
    (
      await sql<{ at: Date | null }>`
        select started_at as at from send_requests where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(
        t.db,
      )
    ).rows[0]?.at;
  await sql`insert into suppressions (workspace_id, id, email, reason)
    select workspace_id, ph_uuidv7(), email, 'manual' from subscribers where workspace_id = ${workspaceId}`.execute(
    t.db,
  );
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { suppressed: 3 });
  assert.equal(await startedAt(), null);
  const other = await aFrozenSend(t.db, await aWorkspace(t.db), 3);
  await move();
  const { rows } =
    await sql`select id from send_requests where id = ${other.sendId} and started_at is not null`.execute(t.db);
  assert.equal(rows.length, 1);
});

test('a page takes one place a round, not before the head of the lane, and behind the own mail of its workspace', async () => {
  const other = await aWorkspace(t.db);
  await aFrozenSend(t.db, other, 1);
  await move();
  await sql`update emails set turn = 500 where workspace_id = ${other}`.execute(t.db);
  const first = await aFrozenSend(t.db, workspaceId, 3);
  await move();
  assert.deepEqual(await turnsOf(first.sendId), [500, 501, 502]);
  const second = await aFrozenSend(t.db, workspaceId, 2);
  await move();
  assert.deepEqual(await turnsOf(second.sendId), [503, 504]);
});

test('emails that are being handed over count as queued ahead', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 300);
  await move();
  await sql`update emails set status = 'sending' where workspace_id = ${workspaceId} and status = 'queued' and turn < 50`.execute(
    t.db,
  );
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 180, queued: 70, sending: 50 });
});

test('the release does not wait for another process that holds the send', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await inTransaction(t.db, async (tx) => {
    await sql`select from send_requests where workspace_id = ${workspaceId} and id = ${key.sendId} for update`.execute(
      tx,
    );
    await move();
  });
  assert.deepEqual(await statusesOf(t.db, key), { pending: 2 });
});

test('a send that was released and then cancelled is not opened again', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await move();
  await sql`update emails set status = 'pending' where workspace_id = ${workspaceId}`.execute(t.db);
  await sql`update send_requests set cancelled_at = now() where workspace_id = ${workspaceId}`.execute(t.db);
  await move();
  assert.deepEqual([await stateOfSend(t.db, key), await statusesOf(t.db, key)], ['released', { pending: 2 }]);
});

test('a suppression that has expired stops neither the release nor the claim', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await sql`insert into suppressions (workspace_id, id, email, reason, expires_at)
    values (${workspaceId}, ${newId()}, 'reader-0000001@example.com', 'manual', now() - interval '1 second')`.execute(
    t.db,
  );
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { queued: 2 });
  assert.equal((await claim(5)).emails.length, 2);
});

test('a recipient who leaves after the release is not claimed', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 5);
  await move();
  await leave(await subscriberOf(0));
  const { emails, settled } = await claim(5);
  assert.equal(emails.length, 4);
  assert.equal(settled, 1);
  assert.deepEqual(await statusesOf(t.db, key), { sent: 4, suppressed: 1 });
});

test('leaving settles what waits for the subscriber in the same transaction, in the queue and before it', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 130);
  await move();
  const leaving = [await subscriberWhoseEmailIs('queued'), await subscriberWhoseEmailIs('pending')];
  await stopUnsubscribed(
    t.db,
    leaving.map((subscriberId) => ({ workspaceId, subscriberId })),
  );
  assert.deepEqual(await statusesOf(t.db, key), { pending: 9, queued: 119, suppressed: 2 });
  assert.deepEqual(await eventsOf(key.sendId), { send: 120, reject: 2 });
});

test('nothing is released while paused; then the rest goes on ten seconds at a time, and no event is told twice', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 300);
  await move();
  await pauseSend(t.db, workspaceId, key.sendId, 'too many bounces');
  assert.deepEqual(await statusesOf(t.db, key), { pending: 300 });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 300 });
  await resumeSend(aCtx(t.db, workspaceId), key.sendId);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 300 });
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { pending: 180, queued: 120 });
  assert.deepEqual(await eventsOf(key.sendId), { send: 120 });
});

test('a send that was released, paused and resumed is released again, and that is not told again', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 50);
  await move();
  await pauseSend(t.db, workspaceId, key.sendId, 'too many complaints');
  await move();
  assert.equal(await stateOfSend(t.db, key), 'released');
  await resumeSend(aCtx(t.db, workspaceId), key.sendId);
  await move();
  assert.deepEqual(await statusesOf(t.db, key), { queued: 50 });
  assert.equal(await stateOfSend(t.db, key), 'released');
  assert.equal(released.length, 1);
});

const allow = (domainId: string, allowed: boolean) =>
  sql`update domains set sending_enabled = ${allowed} where workspace_id = ${workspaceId} and id = ${domainId}`.execute(
    t.db,
  );
const pauseOf = async ({ sendId }: { sendId: string }) => {
  const { rows } = await sql<{ code: string | null; reason: string | null }>`
    select pause_code as code, pause_reason as reason from send_requests
     where workspace_id = ${workspaceId} and id = ${sendId}`.execute(t.db);
  return rows[0];
};

test('a domain that is not verified any more pauses the send and fails nobody; verified again it goes on by itself', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const key = await aFrozenSend(t.db, workspaceId, 200, { domainId });
  await move();
  await allow(domainId, false);
  assert.equal((await claim(10)).emails.length, 0);
  await move();
  await move();
  const pause = await pauseOf(key);
  assert.equal(pause?.code, 'domain_unverified');
  assert.match(pause.reason ?? '', /acme\.test may not send/);
  assert.deepEqual(await statusesOf(t.db, key), { pending: 200 });
  await allow(domainId, true);
  await move();
  assert.deepEqual(await pauseOf(key), { code: null, reason: null });
  assert.deepEqual(await statusesOf(t.db, key), { pending: 80, queued: 120 });
});

test('a send whose domain stays unverified for 72 hours fails, says why, and settles everybody', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const key = await aFrozenSend(t.db, workspaceId, 200, { domainId });
  await allow(domainId, false);
  const pausedFor = (hours: number) =>
    sql`update send_requests set paused_at = now() - make_interval(hours => ${hours})
         where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);
  await move();
  await pausedFor(71);
  await move();
  assert.deepEqual([failed, await statusesOf(t.db, key)], [[], { pending: 200 }]);
  await pausedFor(72);
  await move();
  await move();
  assert.deepEqual(failed, [{ sendId: key.sendId, code: 'domain_unverified' }]);
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 200 });
});

test('a step of the database clock by days fails no send that waits for its domain, until the new time is believed', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const key = await aFrozenSend(t.db, workspaceId, 5, { domainId });
  await allow(domainId, false);
  let aheadMs = 0;
  const clock = { ...systemClock, monotonicMs: () => performance.now() - aheadMs };
  const releaser = new Releaser({ db: t.db, clock, log: createLog({ level: 'silent' }), ratePerSecond: 12 });
  await releaser.round();
  await sql`update send_requests set paused_at = now() - interval '100 hours'
    where workspace_id = ${workspaceId} and id = ${key.sendId}`.execute(t.db);
  aheadMs = 100 * 3_600_000;
  await releaser.round();
  assert.deepEqual([failed, await statusesOf(t.db, key)], [[], { pending: 5 }]);
  aheadMs -= 61_000; // a minute later, the clock of this machine still agrees
  await releaser.round();
  assert.deepEqual(failed, [{ sendId: key.sendId, code: 'domain_unverified' }]);
});

test('a send whose move throws holds up no other send, and the log says so once', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const paused = await aFrozenSend(t.db, workspaceId, 5, { domainId });
  await allow(domainId, false);
  await move();
  const moved = await aFrozenSend(t.db, workspaceId, 5);
  const fine = await aFrozenSend(t.db, workspaceId, 5);
  await sql`delete from contents where workspace_id = ${workspaceId} and id = (
    select content_id from send_requests where workspace_id = ${workspaceId} and id = ${moved.sendId})`.execute(t.db);
  await removeDomain(domainId);
  for (const { sendId } of [paused, moved]) broken.add(sendId);
  const said: string[] = [];
  const log = createLog({ level: 'warn', destination: { write: (line) => void said.push(line) } });
  const releaser = new Releaser({ db: t.db, clock: systemClock, log, ratePerSecond: 12 });
  for (let round = 0; round < 2; round += 1) await releaser.round();
  assert.deepEqual(failed, []);
  assert.deepEqual(
    [await statusesOf(t.db, paused), await statusesOf(t.db, moved), await statusesOf(t.db, fine)],
    [{ pending: 5 }, { pending: 5 }, { queued: 5 }],
  );
  const namesOf = (sendId: string) => said.filter((line) => line.includes(sendId)).length;
  assert.deepEqual([said.length, namesOf(paused.sendId), namesOf(moved.sendId)], [2, 1, 1]);
  broken.clear();
  await releaser.round();
  assert.deepEqual(failed.map(({ code }) => code).sort(), ['content_missing', 'domain_deleted']);
});

const removeDomain = (domainId: string) =>
  sql`delete from domains where workspace_id = ${workspaceId} and id = ${domainId}`.execute(t.db);

test('a send whose domain is deleted fails at once: what waits is cancelled, in the queue too, and none of it leaves', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const key = await aFrozenSend(t.db, workspaceId, 200, { domainId });
  await move();
  await claim(20);
  await removeDomain(domainId);
  await move();
  assert.equal((await claim(10)).emails.length, 0);
  await move();
  assert.deepEqual(failed, [{ sendId: key.sendId, code: 'domain_deleted' }]);
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 180, sent: 20 });
  assert.equal(await stateOfSend(t.db, key), 'cancelled');
  assert.equal(await retryRefused(t.db, key), 0);
});

test('a paused send whose domain is deleted fails too, whatever has paused it', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const key = await aFrozenSend(t.db, workspaceId, 5, { domainId });
  await move();
  await pauseSend(t.db, workspaceId, key.sendId, 'too many bounces', { code: 'reputation' });
  await removeDomain(domainId);
  await move();
  assert.deepEqual(failed, [{ sendId: key.sendId, code: 'domain_deleted' }]);
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 5 });
});

test('a pause that a person must end takes the place of one that ends by itself, and not the other way round', async () => {
  const domainId = await aDomain(t.db, workspaceId, 'acme.test');
  const key = await aFrozenSend(t.db, workspaceId, 5, { domainId });
  await allow(domainId, false);
  await move();
  const pause = (code: 'reputation' | 'quota') => pauseSend(t.db, workspaceId, key.sendId, code, { code });
  assert.deepEqual([await pause('quota'), await pause('reputation'), await pause('quota')], [false, true, false]);
  await allow(domainId, true);
  await move();
  assert.equal((await pauseOf(key))?.code, 'reputation');
  assert.deepEqual(await statusesOf(t.db, key), { pending: 5 });
});

test('a send without its content fails, says why, and settles everybody', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 5);
  await sql`delete from contents where workspace_id = ${workspaceId}`.execute(t.db);
  await move();
  await move();
  assert.deepEqual(failed, [{ sendId: key.sendId, code: 'content_missing' }]);
  assert.deepEqual(await statusesOf(t.db, key), { cancelled: 5 });
  assert.deepEqual(released, []);
});

test('refused emails are tried again as new ones; suppressed, cancelled, rejected and unconfirmed ones stay', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 10);
  await move();
  const set = (n: number, changes: string) =>
    sql`update emails set ${sql.raw(changes)} where workspace_id = ${workspaceId} and recipient = ${`reader-000000${n}@example.com`}`.execute(
      t.db,
    );
  await set(1, `status = 'failed', error = 'no such user', attempts = 3`);
  await set(2, `status = 'failed', error = 'too large', attempts = 1`);
  await set(3, `status = 'failed', error = 'virus', sent_at = now()`);
  await set(4, `status = 'suppressed', error = 'suppressed'`);
  await set(5, `status = 'cancelled'`);
  await set(6, `status = 'unconfirmed'`);
  assert.deepEqual(await retryable(t.db, key), { count: 2, is_estimate: false });
  assert.equal(await retryRefused(t.db, key), 2);
  assert.deepEqual(await retryable(t.db, key), { count: 0, is_estimate: false });
  assert.deepEqual(await statusesOf(t.db, key), {
    cancelled: 1,
    failed: 1,
    pending: 2,
    queued: 4,
    suppressed: 1,
    unconfirmed: 1,
  });
  await move();
  assert.equal((await statusesOf(t.db, key)).queued, 6);
  assert.deepEqual(await eventsOf(key.sendId), { send: 12 });
  assert.equal(released.length, 1);
  const counts = (await countsOfSends(t.db, workspaceId, [key.sendId])).get(key.sendId);
  assert.ok(counts);
  const { unsubscribed: _u, firstEventAt: _f, lastEventAt: _l, ...counted } = counts;
  assert.deepEqual(counted, await recount(t.db, key));
});

test('a test send keeps its emails apart from those that leave', async () => {
  await aFrozenSend(t.db, workspaceId, 2, { sandbox: true });
  await move();
  const { emails } = await claim(2);
  assert.deepEqual(
    emails.map((email) => email.sandbox),
    [true, true],
  );
});

/** One round of a process that has looked before. */
const aRound = (ratePerSecond: number, starts: RememberedStarts<string>, db = t.db): Promise<boolean> =>
  new Releaser({ db, ratePerSecond, starts, clock: systemClock, log: createLog({ level: 'silent' }) }).round();

/** Index entries of pending emails, also of those that are not pending any more, that the work of a process reads. */
const entriesRead = (work: (db: typeof t.db) => Promise<unknown>): Promise<number> =>
  inTransaction(t.db, async (tx) => {
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select pg_stat_get_xact_tuples_returned('emails_pending'::regclass)::integer as n`.execute(tx);
      return rows[0]?.n ?? 0;
    };
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });

test('while a snapshot is held, a round reads what it releases and none of what was released before', async () => {
  await using _snapshot = await holdSnapshot(t.url);
  const over = await aFrozenSend(t.db, workspaceId, 300);
  await move(1_000);
  assert.equal(await stateOfSend(t.db, over), 'released');
  await claim(200);
  await claim(100);
  await foldTally(t.db, sendTally);
  const key = await aFrozenSend(t.db, workspaceId, 600);
  const starts = new RememberedStarts<string>(createTestClock({ held: true }), 10);
  const round = (db: typeof t.db) => aRound(50, starts, db);
  await round(t.db);
  await claim(20);
  const read = await entriesRead(async (db) => {
    // Without statistics the planner may choose to read everything at once.
    await sql`set local enable_nestloop = off`.execute(db);
    await round(db);
  });
  assert.deepEqual(await statusesOf(t.db, key), { pending: 80, queued: 520 - 20, sent: 20 });
  assert.ok(read <= 70, `${read} entries read to release 20 after 500`);
});

test('emails that were put back are released within ten seconds, or at the end of their send', async () => {
  const clock = createTestClock({ held: true });
  const starts = new RememberedStarts<string>(clock, 10);
  const round = (ratePerSecond: number) => aRound(ratePerSecond, starts);
  const key = await aFrozenSend(t.db, workspaceId, 200);
  await round(10);
  const { emails } = await claim(30);
  const putBack = async (ids: string[]): Promise<void> => {
    await sql`update emails set status = 'pending' where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(
      t.db,
    );
  };
  const areQueued = async (ids: string[]): Promise<boolean> => {
    const { rows } = await sql<{ all: boolean }>`
      select bool_and(status = 'queued') as all from emails where workspace_id = ${workspaceId} and id = any (${ids}::uuid[])`.execute(
      t.db,
    );
    return rows[0]?.all ?? false;
  };
  const [early, late] = [emails.slice(0, 3).map(({ id }) => id), emails.slice(3, 6).map(({ id }) => id)];
  await putBack(early);
  await round(10);
  assert.equal(await areQueued(early), false);
  clock.advance(10_000);
  await claim(5);
  await round(10);
  assert.equal(await areQueued(early), true);
  await putBack(late);
  await round(100);
  assert.equal(await areQueued(late), true);
  assert.equal(await stateOfSend(t.db, key), 'released');
});
