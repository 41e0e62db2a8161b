import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppressions, suppressionsAdded } from '#features/suppressions';
import { identityOf } from '#mail/addresses/addresses.ts';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { openDatabase, inTransaction } from '#platform/db/database.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { suppressWaiting } from './suppress-waiting.ts';
import { accept, aSend, aWorker, aWorkspace, deliver, queued, RecordingProvider, stateOf } from '../test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ poolMax: 20 });
  addReactions(t.db, [reactionTo(suppressionsAdded, suppressWaiting)]);
});
after(() => t.close());

const suppress = (workspaceId: string, address: string) =>
  addSuppressions(t.db, [{ workspaceId, identity: identityOf(address), reason: 'manual' }]);

test('waiting emails to an address are settled with its suppression, in any lane; those to others stay', async () => {
  const [workspaceId, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const mine: string[] = [];
  for (const lane of ['system', 'transactional', 'bulk'] as const) {
    mine.push(...(await queued(t.db, workspaceId, lane, ['Ada@Example.com'])));
  }
  const [beside] = await queued(t.db, workspaceId, 'bulk', ['bob@example.com']);
  const [theirs] = await queued(t.db, other, 'bulk', ['ada@example.com']);
  await suppress(workspaceId, 'ADA@example.com');
  for (const id of mine) {
    const state = await stateOf(t.db, workspaceId, id);
    assert.deepEqual([state.status, state.error], ['suppressed', 'suppressed']);
    assert.deepEqual(state.events.at(-1)?.data, { reject: { reason: 'suppressed' } });
  }
  assert.equal((await stateOf(t.db, workspaceId, beside ?? '')).status, 'queued');
  assert.equal((await stateOf(t.db, other, theirs ?? '')).status, 'queued');
  await deliver(aWorker(t.db, new RecordingProvider()), 2);
});

test('a suppression that is rolled back has settled nothing', async () => {
  const workspaceId = await aWorkspace(t.db);
  const [id] = await queued(t.db, workspaceId, 'transactional', ['undone@example.com']);
  await assert.rejects(
    inTransaction(t.db, async (tx) => {
      await addSuppressions(tx, [{ workspaceId, identity: 'undone@example.com', reason: 'manual' }]);
      throw new Error('planted');
    }),
    /planted/,
  );
  assert.equal((await stateOf(t.db, workspaceId, id ?? '')).status, 'queued');
  await deliver(aWorker(t.db, new RecordingProvider()), 1);
});

test('with eight workers draining, no hand-off to an address is claimed after its suppression is committed', async () => {
  const [workspaceId, other] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  const people = Array.from({ length: 40 }, (_, n) => (n % 3 === 0 ? `p${n}@MÜNCHEN.example` : `P${n}@Example.com`));
  const each = 6;
  for (let round = 0; round < each; round += 1) {
    await accept(t.db, workspaceId, aSend(people));
    await accept(t.db, other, aSend(people));
  }
  const provider = new RecordingProvider();
  // Slow enough that the queue is not claimed as a whole before the first suppression is committed.
  const workers = Array.from({ length: 8 }, () => aWorker(t.db, provider, { ratePerSecond: 300 }));
  for (const worker of workers) await worker.start();
  const committed = new Map<string, { at: Date; monotonicMs: number }>();
  await Promise.all(
    people.map(async (person, n) => {
      while (provider.calls.length < 20 + n * 5) await new Promise(setImmediate);
      await suppress(workspaceId, n % 2 === 0 ? person.toUpperCase() : person.toLowerCase());
      const monotonicMs = performance.now();
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(t.db);
      committed.set(identityOf(person), { at: rows[0]?.at ?? new Date(0), monotonicMs });
    }),
  );
  const openOf = async () => {
    const { rows } = await sql`select from emails where status in ('queued', 'deferred', 'sending') limit 1`.execute(
      t.db,
    );
    return rows.length;
  };
  while ((await openOf()) > 0) await new Promise(setImmediate);
  for (const worker of workers) await worker.stop();
  const { rows } = await sql<{ id: string; recipient: string; status: string; handoff: Date | null }>`
    select id, recipient, status, handoff_at as handoff from emails where workspace_id = ${workspaceId}`.execute(t.db);
  const late = rows.filter((row) => row.handoff !== null && row.handoff > (committed.get(row.recipient)?.at ?? 0));
  assert.deepEqual(late, []);
  const ended = Object.groupBy(rows, (row) => row.status);
  assert.deepEqual(Object.keys(ended).sort(), ['sent', 'suppressed']);
  assert.equal(rows.length, each * people.length);
  const finishing = provider.calls.filter(
    (call) =>
      call.message.workspaceId === workspaceId &&
      call.atMs > (committed.get(identityOf(call.message.envelope.to[0] ?? ''))?.monotonicMs ?? 0),
  );
  assert.ok(finishing.length <= 8 * 64, `${finishing.length} were under way when their suppression was committed`);
  const theirs = await sql<{ n: number }>`
    select count(*) as n from emails where workspace_id = ${other} and status = 'sent'`.execute(t.db);
  assert.equal(theirs.rows[0]?.n, each * people.length, 'the other workspace mailed everybody');
});

/** The first round of a worker, with a slot at once: one before the slot looks at no email, and so cannot fail. */
async function firstRound(worker: { runOnce(): Promise<number> }): Promise<number> {
  await sql`update send_pace set next_slot = 'epoch'`.execute(t.db);
  return worker.runOnce();
}

test('while the list cannot be read nothing is accepted and nothing leaves; afterwards everything does', async () => {
  const workspaceId = await aWorkspace(t.db);
  const [id] = await queued(t.db, workspaceId, 'transactional', ['waits@example.com']);
  const log = createLog({ level: 'silent' });
  const own = openDatabase({ url: t.url, poolMax: 4, applicationName: 'closed', log, queryTimeoutMs: 500 });
  const provider = new RecordingProvider();
  const worker = aWorker(own.db, provider);
  const count = async () =>
    (await sql`select from emails where workspace_id = ${workspaceId}`.execute(t.db)).rows.length;
  await sql`alter table suppressions rename to suppressions_gone`.execute(t.db);
  await assert.rejects(firstRound(aWorker(own.db, provider)));
  await assert.rejects(accept(own.db, workspaceId, aSend(['missing@example.com'])));
  await sql`alter table suppressions_gone rename to suppressions`.execute(t.db);
  await inTransaction(t.db, async (tx) => {
    await sql`lock table suppressions in access exclusive mode`.execute(tx);
    await assert.rejects(accept(own.db, workspaceId, aSend(['locked@example.com'])), /timeout/);
    await assert.rejects(firstRound(worker), /timeout/);
    assert.equal(await count(), 1, 'nothing was accepted');
  });
  assert.equal(provider.calls.length, 0);
  assert.notEqual((await stateOf(t.db, workspaceId, id ?? '')).status, 'sent');
  // The claim whose answer was lost may have been committed once the lock was gone: it is given back first.
  await worker.start();
  while ((await stateOf(t.db, workspaceId, id ?? '')).status !== 'sent') await new Promise(setImmediate);
  await worker.stop();
  await own.close();
});
