import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { pauseSend, resumeSend } from '../pause/pause-send.ts';
import { claimEmails } from '../worker/queries/claim-emails.ts';
import { markUnconfirmed, requeueDeferred } from '../worker/queries/sweep.ts';
import { suppressWaiting } from '../pause/suppress-waiting.ts';
import { aCtx, aWorkspace } from '../test-kit.ts';
import type { SendKey } from './bulk-send.ts';
import { cancelBulkSend } from './cancel/cancel-bulk-send.ts';
import { retryRefused } from './release/retry-refused.ts';
import { foldTally } from '#platform/tally/fold-tally.ts';
import { sendTally } from './counts-queries.ts';
import { countsOfSends, type SendCounts } from './send-counts.ts';
import { stopUnsubscribed } from './stops/stop-unsubscribed.ts';
import { aFrozenSend, moveBulkSends, recount } from './test-kit.ts';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';

const MOVES = 30 * propertyRuns({ test: 2, prove: 4 });

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate emails, send_requests, send_counts, contents, email_events, subscribers, suppressions cascade`.execute(
    t.db,
  );
  workspaceId = await aWorkspace(t.db);
});

/** A generator with a seed, so that a failure can be had again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Changes up to `n` emails of the send. They are chosen once: a subquery may run for each row, and choose anew. */
const some = (sendId: string, from: string, changes: string, n: number) =>
  sql`with chosen as materialized (
         select id from emails where workspace_id = ${workspaceId} and send_id = ${sendId} and ${sql.raw(from)}
          order by random() limit ${n} for update skip locked)
      update emails set ${sql.raw(changes)}, last_event_at = clock_timestamp()
       where workspace_id = ${workspaceId} and id in (select id from chosen)`.execute(t.db);

/** The changes that can happen to the emails of a send, each a few of them at once. */
function whatHappens({ sendId }: SendKey, random: (below: number) => number): (() => Promise<unknown>)[] {
  const person = () => `reader-${String(1 + random(400)).padStart(7, '0')}@example.com`;
  return [
    () => moveBulkSends({ db: t.db, ratePerSecond: 1 + random(8) }),
    () => claimEmails(t.db, { slots: 20, bulk: 20, leaseToken: newId(), leaseSeconds: 60 }),
    () => some(sendId, `status = 'sending'`, `status = 'sent', sent_at = now()`, 9),
    () => some(sendId, `status = 'sending'`, `status = 'failed', error = 'no such user'`, 2),
    () => some(sendId, `status = 'sending'`, `status = 'deferred', not_before = now()`, 2),
    () => some(sendId, `status = 'sending'`, `lease_until = now() - interval '1 second'`, 1),
    () => markUnconfirmed(t.db, { limit: 10, until: new Date() }),
    () => requeueDeferred(t.db, { limit: 10, until: new Date() }),
    () => some(sendId, `status in ('sent', 'unconfirmed')`, `status = 'delivered', delivered_at = now()`, 7),
    () => some(sendId, `status in ('sent', 'delivered')`, `status = 'bounced'`, 1),
    () => some(sendId, `status in ('delivered')`, `status = 'complained'`, 1),
    () => some(sendId, `status = 'delivered'`, `open_count = open_count + 1`, 5),
    () => some(sendId, `status = 'delivered'`, `click_count = click_count + 1, machine_open_count = 1`, 3),
    () => some(sendId, `status = 'delivered'`, `machine_click_count = machine_click_count + 1`, 2),
    () =>
      suppressWaiting(t.db, [{ workspaceId, identity: person(), reason: 'manual', isNew: true, sourceEmailId: null }]),
    () => stopSomebody(sendId, random(300)),
    () => pauseSend(t.db, workspaceId, sendId, 'for a test').then(() => resumeSend(aCtx(t.db, workspaceId), sendId)),
    () => retryRefused(t.db, { workspaceId, sendId }),
    () => foldTally(t.db, sendTally),
  ];
}

async function stopSomebody(sendId: string, offset: number): Promise<void> {
  const { rows } = await sql<{ subscriberId: string }>`
    select subscriber_id as "subscriberId" from emails where workspace_id = ${workspaceId} and send_id = ${sendId}
     order by id offset ${offset} limit 1`.execute(t.db);
  await stopUnsubscribed(
    t.db,
    rows.map((row) => ({ workspaceId, ...row })),
  );
}

const countsOf = async ({ sendId }: SendKey): Promise<SendCounts> => {
  const counts = (await countsOfSends(t.db, workspaceId, [sendId])).get(sendId);
  assert.ok(counts, 'a frozen send has statistics');
  return counts;
};

const counted = ({ unsubscribed: _u, firstEventAt: _f, lastEventAt: _l, ...rest }: SendCounts) => rest;

function holds(counts: SendCounts): void {
  assert.equal(counts.total, counts.pending + counts.sent + counts.failed, JSON.stringify(counts));
  assert.equal(counts.pending, counts.waiting + counts.queued + counts.sending + counts.unconfirmed);
  for (const [name, value] of Object.entries(counted(counts))) assert.ok(value >= 0, `${name} is ${value}`);
}

test('at rest the statistics equal a recount of the rows, whatever happened and in whatever order', async () => {
  const random = randomOf(20_261_121);
  for (let send = 0; send < 2; send += 1) {
    const key = await aFrozenSend(t.db, workspaceId, 400);
    const happenings = whatHappens(key, random);
    for (let moved = 0; moved < MOVES; moved += 1) {
      await happenings[random(happenings.length)]?.();
      if (moved % 10 === 0) assert.deepEqual(counted(await countsOf(key)), await recount(t.db, key), `move ${moved}`);
    }
    await cancelBulkSend(t.db, key);
    await moveBulkSends({ db: t.db, ratePerSecond: 10 });
    assert.deepEqual(counted(await countsOf(key)), await recount(t.db, key));
    await foldTally(t.db, sendTally);
    const counts = await countsOf(key);
    assert.deepEqual(counted(counts), await recount(t.db, key));
    holds(counts);
  }
});

test('total = pending + sent + failed in every snapshot, while everything moves at once and changes are folded', async () => {
  const random = randomOf(7);
  const key = await aFrozenSend(t.db, workspaceId, 400);
  const happenings = whatHappens(key, random);
  let isOver = false;
  let read = 0;
  const reader = async () => {
    for (; !isOver; read += 1) {
      const counts = await countsOf(key);
      holds(counts);
      assert.equal(counts.total, 400);
    }
  };
  const folder = async () => {
    while (!isOver) await foldTally(t.db, sendTally);
  };
  const mover = async () => {
    for (let moved = 0; moved < MOVES; moved += 1) await happenings[random(happenings.length)]?.();
  };
  const readers = [reader(), reader(), folder(), folder()];
  await Promise.all([mover(), mover(), mover()]).finally(() => {
    isOver = true;
  });
  await Promise.all(readers);
  assert.ok(read > 20, `${read} snapshots were read`);
  assert.deepEqual(counted(await countsOf(key)), await recount(t.db, key));
});

test('folding leaves one row for each send and changes nothing that is read', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 50);
  for (let n = 0; n < 10; n += 1) await some(key.sendId, `status = 'pending'`, `status = 'sent', sent_at = now()`, 3);
  await sql`insert into send_counts (workspace_id, send_id, unsubscribed) values (${workspaceId}, ${key.sendId}, 1)`.execute(
    t.db,
  );
  const before = await countsOf(key);
  assert.equal(before.unsubscribed, 1);
  await Promise.all([foldTally(t.db, sendTally), foldTally(t.db, sendTally)]);
  await foldTally(t.db, sendTally);
  assert.deepEqual(await countsOf(key), before);
  const rows = async () => {
    const { rows: found } = await sql<{ n: number }>`
      select count(*)::integer as n from send_counts where workspace_id = ${workspaceId} and send_id = ${key.sendId}`.execute(
      t.db,
    );
    return found[0]?.n;
  };
  assert.ok(((await rows()) ?? 9) <= 2);
  const last = await some(key.sendId, `status = 'pending'`, `status = 'sent', sent_at = now()`, 3);
  assert.equal(last.numAffectedRows, 3n, 'a change is there to be folded');
  await foldTally(t.db, sendTally);
  assert.equal(await rows(), 1);
});

test('a send that nobody was frozen for, or of another workspace, has no statistics', async () => {
  const key = await aFrozenSend(t.db, workspaceId, 5);
  assert.deepEqual((await countsOfSends(t.db, await aWorkspace(t.db), [key.sendId])).size, 0);
  assert.deepEqual((await countsOfSends(t.db, workspaceId, [])).size, 0);
  assert.deepEqual((await countsOfSends(t.db, workspaceId, [newId()])).size, 0);
});
