import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { addSuppression } from './add-suppression.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('webhooks are told of an address once, when it is suppressed, and never of what was taken back', async () => {
  const workspaceId = await aWorkspace(t.db);
  const webhookId = newId();
  await sql`insert into webhooks (workspace_id, id, url, secret, events)
    values (${workspaceId}, ${webhookId}, 'https://example.com', '\\x00', '{email.suppressed}')`.execute(t.db);
  const sourceEmailId = newId();
  const one = { identity: 'ada@example.com', reason: 'hard_bounce' as const, sourceEmailId };
  await addSuppression({ db: t.db, workspaceId }, one);
  await addSuppression({ db: t.db, workspaceId }, one);
  await addSuppression({ db: t.db, workspaceId }, { ...one, reason: 'complaint' });
  const undone = inTransaction(t.db, async (tx) => {
    await addSuppression({ db: tx, workspaceId }, { ...one, identity: 'bob@example.com' });
    throw new Error('taken back');
  });
  await assert.rejects(undone, /taken back/);
  const { rows } = await sql`
    select v.type, v.payload, d.webhook_id from workspace_events v
      left join webhook_deliveries d on d.workspace_id = v.workspace_id and d.event_id = v.id
     where v.workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(rows, [
    {
      type: 'email.suppressed',
      payload: { suppression: { email: 'ada@example.com', reason: 'hard_bounce', source_email_id: sourceEmailId } },
      webhook_id: webhookId,
    },
  ]);
});
