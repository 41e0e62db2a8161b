import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { newId } from '#platform/ids.ts';
import { deletePageOfWebhookRows } from './queries/retention.ts';
import { removeOld } from './retention.ts';
import { aWebhook, dueDeliveries, type TestWebhook } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const rowsOf = async (workspaceId: string): Promise<number[]> => {
  const { rows } = await sql<{ counts: number[] }>`
    select array[(select count(*) from webhook_deliveries where workspace_id = ${workspaceId}),
      (select count(*) from webhook_bodies where workspace_id = ${workspaceId}),
      (select count(*) from workspace_events where workspace_id = ${workspaceId}),
      (select count(*) from webhook_leases where workspace_id = ${workspaceId})]::integer[] as counts`.execute(t.db);
  return rows[0]?.counts ?? [];
};

async function furnish(age: string): Promise<TestWebhook> {
  const webhook = await aWebhook(t.db, await aWorkspace(t.db), 'http://receiver.test/');
  const { workspaceId } = webhook;
  await dueDeliveries(t.db, webhook, 1_500);
  await sql`insert into workspace_events (workspace_id, id, type, at, payload)
    values (${workspaceId}, ${newId()}, 'domain.verified', now() - ${age}::interval, '{}')`.execute(t.db);
  await sql`insert into webhook_leases (workspace_id, webhook_id, until)
    values (${workspaceId}, ${webhook.id}, now() - ${age}::interval)`.execute(t.db);
  for (const table of ['webhook_deliveries', 'webhook_bodies']) {
    await sql`update ${sql.table(table)} set created_at = now() - ${age}::interval
      where workspace_id = ${workspaceId}`.execute(t.db);
  }
  return webhook;
}

test('deliveries, bodies and events go after 30 days, in pages, and not before', async () => {
  const [old, young] = [await furnish('30 days 1 hour'), await furnish('29 days 23 hours')];
  await removeOld(t.db, () => false);
  assert.deepEqual(await rowsOf(old.workspaceId), [1_500, 1_500, 1, 1], 'a process that ends leaves them to the next');
  await removeOld(t.db);
  assert.deepEqual(await rowsOf(old.workspaceId), [0, 0, 0, 1]);
  assert.deepEqual(await rowsOf(young.workspaceId), [1_500, 1_500, 1, 1]);

  await sql`delete from webhooks where workspace_id = ${old.workspaceId}`.execute(t.db);
  await removeOld(t.db);
  assert.deepEqual(await rowsOf(old.workspaceId), [0, 0, 0, 0], 'the lease of a deleted endpoint is nobody’s');
});

test('a deleted workspace leaves no delivery, body, event or lease, and others keep theirs', async () => {
  const [gone, stays] = [await furnish('1 hour'), await furnish('1 hour')];
  for (let page = 1_000; page > 0; ) page = await deletePageOfWebhookRows(t.db, gone.workspaceId, 1_000);
  assert.deepEqual(await rowsOf(gone.workspaceId), [0, 0, 0, 0]);
  assert.deepEqual(await rowsOf(stays.workspaceId), [1_500, 1_500, 1, 1]);
});
