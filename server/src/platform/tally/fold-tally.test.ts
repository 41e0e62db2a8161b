import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { foldTally } from './fold-tally.ts';
import type { Tally } from './tally.ts';

const tally: Tally = {
  table: sql`visit_counts`,
  key: sql`page_id`,
  columns: sql`visits, last_at`,
  sums: sql`sum(visits), max(last_at)`,
};

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
  await sql`create table visit_counts (workspace_id uuid not null, id uuid not null default ph_uuidv7(),
    page_id uuid not null, visits integer not null, last_at integer, folded boolean not null default false,
    primary key (workspace_id, id))`.execute(t.db);
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate visit_counts`.execute(t.db);
});

const workspaceId = newId();
const change = (pageId: string, visits: number, at: number | null = null) =>
  sql`insert into visit_counts (workspace_id, page_id, visits, last_at)
    values (${workspaceId}, ${pageId}, ${visits}, ${at})`.execute(t.db);

async function read(pageId: string, workspace = workspaceId): Promise<{ visits: number; lastAt: number; n: number }> {
  const { rows } = await sql<{ visits: number; lastAt: number; n: number }>`
    select coalesce(sum(visits), 0)::integer as visits, max(last_at) as "lastAt", count(*)::integer as n
      from visit_counts where workspace_id = ${workspace} and page_id = ${pageId}`.execute(t.db);
  return rows[0] ?? { visits: 0, lastAt: 0, n: 0 };
}

test('many changes of a key become one row with the same sums, page by page, and each key keeps its own', async () => {
  const [much, little, still] = [newId(), newId(), newId()];
  for (let n = 1; n <= 7; n += 1) await change(much, n, n);
  await change(little, 3);
  assert.equal(await foldTally(t.db, tally, () => true, 3), 8);
  assert.deepEqual(await read(much), { visits: 28, lastAt: 7, n: 1 });
  assert.deepEqual(await read(little), { visits: 3, lastAt: null, n: 1 });
  await change(much, -8);
  assert.equal(await foldTally(t.db, tally), 1, 'a sum is not read again without a change');
  assert.deepEqual(await read(much), { visits: 20, lastAt: 7, n: 1 });
  assert.deepEqual(await read(still), { visits: 0, lastAt: null, n: 0 });
});

test('one page in two workspaces has two sums', async () => {
  const [pageId, other] = [newId(), newId()];
  await change(pageId, 1);
  await sql`insert into visit_counts (workspace_id, page_id, visits) values (${other}, ${pageId}, 5)`.execute(t.db);
  await foldTally(t.db, tally);
  assert.deepEqual([(await read(pageId)).visits, (await read(pageId, other)).visits], [1, 5]);
});

test('folding that is told to stop does nothing', async () => {
  await change(newId(), 1);
  assert.equal(await foldTally(t.db, tally, () => false), 0);
});

test('a reader never sees a sum that was never true, while four processes fold and others count', async () => {
  const pageId = newId();
  await change(pageId, 100);
  let over = false;
  const seen: number[] = [];
  const reader = async (): Promise<void> => {
    while (!over) seen.push((await read(pageId)).visits);
  };
  const folder = async (): Promise<void> => {
    while (!over) await foldTally(t.db, tally);
  };
  const writer = async (): Promise<void> => {
    for (let n = 0; n < 50; n += 1) await change(pageId, 1);
  };
  const others = [reader(), folder(), folder(), folder(), folder()];
  await Promise.all([writer(), writer(), writer()]).finally(() => {
    over = true;
  });
  await Promise.all(others);
  assert.ok(seen.length > 10, `${seen.length} sums were read`);
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
    'a sum of changes that only add never falls',
  );
  assert.ok(seen.every((visits) => visits >= 100 && visits <= 250));
  await change(pageId, 0);
  await foldTally(t.db, tally);
  assert.deepEqual(await read(pageId), { visits: 250, lastAt: null, n: 1 });
});
