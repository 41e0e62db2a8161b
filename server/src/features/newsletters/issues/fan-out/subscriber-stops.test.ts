/** Whatever moves subscribers, the engine is told in the same statement: its stops are those who left while active. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';

let t: TestDatabase;
let workspaceId: string;
const newsletterId = newId();
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());
beforeEach(async () => {
  await sql`truncate subscribers, audience_stops`.execute(t.db);
  await sql`
    insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${workspaceId}, ph_uuidv7(), ${newsletterId}, n || '@example.com',
           case n % 3 when 0 then 'pending' when 1 then 'active' else 'unsubscribed' end
      from generate_series(1, 9) as n`.execute(t.db);
});

const all = (statement: RawBuilder<unknown>) => sql`${statement} where workspace_id = ${workspaceId}`.execute(t.db);

async function stopped(): Promise<{ newsletterId: string; n: number }[]> {
  const { rows } = await sql<{ newsletterId: string; n: number }>`
    select audience_id as "newsletterId", count(*)::integer as n from audience_stops
     where workspace_id = ${workspaceId} group by audience_id`.execute(t.db);
  return rows;
}

test('an active subscriber who leaves is stopped, and let when they are active again', async () => {
  assert.deepEqual(await stopped(), [], 'a new subscriber has no row');
  await all(sql`update subscribers set status = 'unsubscribed'`);
  assert.deepEqual(await stopped(), [{ newsletterId, n: 3 }]);
  await all(sql`update subscribers set status = 'pending'`);
  assert.deepEqual(await stopped(), [{ newsletterId, n: 3 }], 'a subscriber who has to confirm is not there yet');
  await all(sql`update subscribers set status = 'active'`);
  assert.deepEqual(await stopped(), []);
});

test('an active subscriber who is deleted is stopped', async () => {
  await all(sql`delete from subscribers`);
  assert.deepEqual(await stopped(), [{ newsletterId, n: 3 }]);
});

test('a change of anything else, and the purge of a whole newsletter, write nothing', async () => {
  await all(sql`update subscribers set name = 'Ada', last_opened_at = now()`);
  assert.deepEqual(await stopped(), []);
  await sql`insert into newsletter_purges (workspace_id, newsletter_id) values (${workspaceId}, ${newsletterId})`.execute(
    t.db,
  );
  await all(sql`delete from subscribers`);
  assert.deepEqual(await stopped(), []);
  await all(sql`delete from newsletter_purges`);
});

test('a change that is rolled back stops nobody', async () => {
  const undone = t.db.transaction().execute(async (tx) => {
    await sql`update subscribers set status = 'unsubscribed' where workspace_id = ${workspaceId}`.execute(tx);
    throw new Error('undone');
  });
  await assert.rejects(undone, /undone/);
  assert.deepEqual(await stopped(), []);
});
