import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { foldSubscriberCounts } from './fold-counts.ts';
import { pageOfNewsletters } from '../queries.ts';

let t: TestDatabase;
let workspaceId: string;
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());

const signUp = (newsletterId: string, email: string, status = 'pending') =>
  sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    values (${workspaceId}, ph_uuidv7(), ${newsletterId}, ${email}, ${status})`.execute(t.db);
const rowsOf = async (newsletterId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`select count(*) as n from subscriber_counts
    where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId}`.execute(t.db);
  return rows[0]?.n ?? 0;
};
async function countsOf(newsletterId: string): Promise<number[]> {
  const [row] = await pageOfNewsletters(t.db, workspaceId, { ids: [newsletterId], after: null, offset: 0, limit: 1 });
  return [row?.pending ?? -1, row?.active ?? -1, row?.unsubscribed ?? -1];
}

test('many changes become one row with the same sum; a few are left as they are', async () => {
  const [many, few] = [await aNewsletter(t.db, workspaceId), await aNewsletter(t.db, workspaceId)];
  for (let n = 0; n < 30; n += 1) await signUp(many.id, `${n}@example.com`);
  for (let n = 0; n < 5; n += 1) await signUp(few.id, `${n}@example.com`);
  await sql`update subscribers set status = 'active' where workspace_id = ${workspaceId} and newsletter_id = ${many.id}
    and email < '2'`.execute(t.db);
  const before = await countsOf(many.id);
  assert.equal(await foldSubscriberCounts(t.db), 31);
  assert.deepEqual([await rowsOf(many.id), await rowsOf(few.id)], [1, 5]);
  assert.deepEqual(await countsOf(many.id), before);
  assert.equal(before[0] === undefined || before[1] === undefined ? 0 : before[0] + before[1], 30);
  assert.equal(await foldSubscriberCounts(t.db, () => false), 0);
});

test('a reader never sees a sum that was never true, while four processes fold and others sign up', async () => {
  const { id } = await aNewsletter(t.db, workspaceId);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${workspaceId}, ph_uuidv7(), ${id}, n || '@example.com', 'active' from generate_series(1, 100) n`.execute(
    t.db,
  );
  let over = false;
  const seen: number[] = [];
  const read = async (): Promise<void> => {
    while (!over) seen.push((await countsOf(id))[1] ?? -1);
  };
  const fold = async (): Promise<void> => {
    while (!over) await foldSubscriberCounts(t.db);
  };
  const write = async (name: string): Promise<void> => {
    for (let n = 0; n < 100; n += 1) await signUp(id, `${name}-${n}@example.com`, 'active');
  };
  const others = [read(), read(), fold(), fold(), fold(), fold()];
  await Promise.all(['a', 'b', 'c'].map(write));
  over = true;
  await Promise.all(others);
  assert.ok(seen.length > 10);
  assert.ok(
    seen.every((count) => count >= 100 && count <= 400),
    `${Math.min(...seen)} to ${Math.max(...seen)}`,
  );
  await foldSubscriberCounts(t.db);
  assert.deepEqual(await countsOf(id), [0, 400, 0]);
  const { rows } = await sql<{ n: number }>`select count(*) as n from subscribers
    where workspace_id = ${workspaceId} and newsletter_id = ${id} and status = 'active'`.execute(t.db);
  assert.equal(rows[0]?.n, 400, 'the sum is what a recount says');
});
