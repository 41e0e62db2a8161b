import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../test/harness/database.ts';
import { addReactions, announcement, reactionTo } from './announcements.ts';
import { inTransaction } from './db/database.ts';

let one: TestDatabase;
let other: TestDatabase;
before(async () => {
  [one, other] = await Promise.all([createTestDatabase({ migrated: false }), createTestDatabase({ migrated: false })]);
});
after(async () => {
  await one.close();
  await other.close();
});

test('a reaction runs for announcements over its own pool and its transactions, and for no other pool', async () => {
  const moved = announcement<string>('test.moved');
  const told: string[] = [];
  addReactions(one.db, [reactionTo(moved, async (_tx, news) => void told.push(`one ${news}`))]);
  addReactions(other.db, [reactionTo(moved, async (_tx, news) => void told.push(`other ${news}`))]);
  await inTransaction(one.db, (tx) => moved.announce(tx, 'a'));
  await inTransaction(other.db, (tx) => moved.announce(tx, 'b'));
  await moved.announce(one.db, 'c');
  assert.deepEqual(told, ['one a', 'other b', 'one c']);
});

test('reactions run in the order in which they were added, in the transaction of the news', async () => {
  const moved = announcement<number>('test.ordered');
  const told: unknown[] = [];
  addReactions(one.db, [
    reactionTo(moved, async (tx) => void told.push(['first', tx.isTransaction])),
    reactionTo(moved, async (tx) => void told.push(['second', tx.isTransaction])),
  ]);
  await inTransaction(one.db, (tx) => moved.announce(tx, 1));
  assert.deepEqual(told, [
    ['first', true],
    ['second', true],
  ]);
});

test('an announcement in a transaction that nobody knows is refused, and no reaction runs', async () => {
  const moved = announcement<number>('test.unknown');
  let runs = 0;
  addReactions(one.db, [reactionTo(moved, async () => void (runs += 1))]);
  await assert.rejects(
    one.db.transaction().execute((tx) => moved.announce(tx, 1)),
    /inTransaction has not begun/,
  );
  assert.equal(runs, 0);
});
