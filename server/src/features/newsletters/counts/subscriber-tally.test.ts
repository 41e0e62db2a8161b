import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aNewsletter, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { foldTally } from '#platform/tally/fold-tally.ts';
import { subscriberTally } from './counts-queries.ts';
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

async function recount(newsletterId: string): Promise<number[]> {
  const { rows } = await sql<{ of: string; n: number }>`select status as of, count(*)::integer as n from subscribers
    where workspace_id = ${workspaceId} and newsletter_id = ${newsletterId} group by status`.execute(t.db);
  return ['pending', 'active', 'unsubscribed'].map((status) => rows.find((row) => row.of === status)?.n ?? 0);
}

test('the sums of a newsletter are a recount of its subscribers, folded or not, however they came and went', async () => {
  const [list, other] = [await aNewsletter(t.db, workspaceId), await aNewsletter(t.db, workspaceId)];
  const ofList = sql`workspace_id = ${workspaceId} and newsletter_id = ${list.id}`;
  const agree = async (): Promise<void> => {
    for (const { id } of [list, other]) assert.deepEqual(await countsOf(id), await recount(id));
  };
  for (let n = 0; n < 30; n += 1) await signUp(list.id, `${n}@example.com`);
  await signUp(other.id, 'one@example.com', 'unsubscribed');
  await sql`update subscribers set status = 'active' where ${ofList} and email like '%2@%'`.execute(t.db);
  await agree();
  assert.ok((await foldTally(t.db, subscriberTally)) >= 32);
  await agree();
  assert.deepEqual([await rowsOf(list.id), await rowsOf(other.id)], [1, 1]);
  await sql`update subscribers set status = 'unsubscribed' where ${ofList} and email like '1%'`.execute(t.db);
  await sql`delete from subscribers where ${ofList} and status = 'pending'`.execute(t.db);
  await agree();
  await foldTally(t.db, subscriberTally);
  await agree();
  assert.equal(await rowsOf(list.id), 1);
});
