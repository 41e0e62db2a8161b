import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { aWorkspace } from '../test-kit.ts';
import { addUnsubscribed, sumCounts } from './counts-queries.ts';
import { pageOfRecipients } from './reading/recipients.ts';
import { aFrozenSend } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('an unsubscribe counts once for each email, is taken back, and counts when retention has removed the email', async () => {
  const workspaceId = await aWorkspace(t.db);
  const key = await aFrozenSend(t.db, workspaceId, 2);
  await sql`update emails set status = 'delivered', sent_at = now(), delivered_at = now()
    where workspace_id = ${workspaceId} and send_id = ${key.sendId}`.execute(t.db);
  const [first, second] = (await pageOfRecipients(t.db, key, { limit: 2 })).map((row) => row.subscriberId ?? '');
  const at = new Date(Date.now() - 3_600_000);
  const count = (subscriberId: string | undefined, change: 1 | -1) =>
    addUnsubscribed(t.db, { ...key, subscriberId: subscriberId ?? '' }, { change, at });
  const counts = async () => {
    const { rows } = await sql<{ n: number }>`
      select coalesce(sum(unsubscribed), 0)::integer as n from email_counts where workspace_id = ${workspaceId} and tag = ''`.execute(
      t.db,
    );
    const listed = await pageOfRecipients(t.db, key, { counted: 'unsubscribed', limit: 10 });
    return [(await sumCounts(t.db, workspaceId, [key.sendId]))[0]?.unsubscribed, rows[0]?.n, listed.length];
  };
  await count(first, 1);
  await count(first, 1);
  assert.deepEqual(await counts(), [1, 1, 1]);
  await count(first, -1);
  await count(second, 1);
  assert.deepEqual(await counts(), [1, 1, 1]);

  await sql`delete from emails where workspace_id = ${workspaceId}`.execute(t.db);
  await count(first, 1);
  assert.deepEqual(await counts(), [2, 2, 0], 'the list ends with the emails');
  await count(first, -1);
  assert.deepEqual(await counts(), [1, 1, 0]);
});
