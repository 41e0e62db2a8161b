import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { accepted } from '../../../../test/harness/accepted-send.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { holdSnapshot } from '../../../../test/harness/hold-snapshot.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { LaneHeads } from './lane-heads.ts';
import { claimEmails } from './queries/claim-emails.ts';
import { reserveSlots } from './queries/pace.ts';
import { QueueStart } from './queue-start.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const TRANSACTIONAL = 1;
const log = createLog({ level: 'silent' });

/** A process that has looked at the queue, claimed what was there, and looked again as often as it takes to know. */
async function aProcess(emails: number) {
  const clock = createTestClock({ held: true });
  const start = new QueueStart({ db: t.db, clock });
  const heads = new LaneHeads({ db: t.db, log, clock });
  const claim = async (slots: number, db = t.db) =>
    claimEmails(db, { slots, bulk: 1, leaseToken: newId(), leaseSeconds: 60, from: await start.turns() });
  await start.turns();
  await accepted(
    t.db,
    workspaceId,
    Array.from({ length: emails }, (_, n) => `to${n}@example.com`),
  );
  const claimed = (await claim(emails)).emails;
  assert.equal(claimed.length, emails);
  await heads.claimed(claimed);
  for (let renewal = 0; renewal < 2; renewal += 1) {
    clock.advance(10_000);
    await start.turns();
  }
  return { clock, start, claim, claimed };
}

const queueAgain = async (id: string): Promise<void> => {
  await sql`update emails set status = 'queued' where workspace_id = ${workspaceId} and id = ${id}`.execute(t.db);
};

/** Entries that scans of the index of the queue returned in a transaction. */
const entriesRead = (work: (db: typeof t.db) => Promise<unknown>): Promise<number> =>
  inTransaction(t.db, async (tx) => {
    const read = async (): Promise<number> => {
      const { rows } = await sql<{ n: number }>`
        select pg_stat_get_xact_tuples_returned('emails_queue'::regclass)::integer as n`.execute(tx);
      return rows[0]?.n ?? 0;
    };
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });

test('while a snapshot is held, slots and claims read what is queued and nothing of what has left', async () => {
  await using _snapshot = await holdSnapshot(t.url);
  const { start, claim } = await aProcess(200);
  await accepted(t.db, workspaceId, ['a@example.com', 'b@example.com', 'c@example.com']);
  const from = await start.turns();
  const reserved = await entriesRead((db) =>
    reserveSlots(db, { wanted: 10, pledged: 0, ratePerSecond: 1_000, from }).then(({ due }) => assert.equal(due, 3)),
  );
  const claimed = await entriesRead(async (db) => assert.equal((await claim(10, db)).emails.length, 3));
  assert.ok(reserved <= 10, `${reserved} entries read to count 3`);
  assert.ok(claimed <= 10, `${claimed} entries read to claim 3`);
});

test('an email that comes back at an old turn is found within ten seconds', async () => {
  const { clock, claim, claimed } = await aProcess(20);
  const [first] = claimed;
  assert.ok(first);
  await queueAgain(first.id);
  assert.deepEqual((await claim(10)).emails, []);
  clock.advance(10_000);
  assert.deepEqual(
    (await claim(10)).emails.map(({ id }) => id),
    [first.id],
  );
});

test('an email that this process gives back is found at once, also after the next look from the lowest email', async () => {
  const { clock, start, claim, claimed } = await aProcess(20);
  const [first] = claimed;
  assert.ok(first);
  start.lowerTo(first);
  clock.advance(10_000);
  await start.turns();
  await queueAgain(first.id);
  assert.deepEqual(
    (await claim(10)).emails.map(({ id }) => id),
    [first.id],
  );
});

test('an email that was accepted while ten seconds of emails left is found at once', async () => {
  const { clock, start, claim } = await aProcess(20);
  const [, before] = await start.turns();
  clock.advance(9_000);
  await accepted(t.db, workspaceId, ['new@example.com']);
  const { emails } = await claim(10);
  assert.deepEqual(
    emails.map(({ recipient, lane }) => [recipient, lane]),
    [['new@example.com', TRANSACTIONAL]],
  );
  assert.ok((emails[0]?.turn ?? -1) >= before);
});
