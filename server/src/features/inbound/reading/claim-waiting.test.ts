import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aDomain, anInbound, aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { claimWaiting } from './queries.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('a message that was begun before is taken alone, so that one that ends the process takes no other with it', async () => {
  const workspaceId = await aWorkspace(t.db);
  const domainId = await aDomain(t.db, workspaceId, 'reply.acme.example');
  const ids: string[] = [];
  for (const subject of ['one', 'two', 'three']) ids.push(await anInbound(t.db, workspaceId, { domainId, subject }));
  await sql`update inbound_emails set read_at = null, next_try_at = now() - interval '1 minute'
             where workspace_id = ${workspaceId}`.execute(t.db);
  const claimed = async (of: { max: number; again: boolean }): Promise<string[]> =>
    (await claimWaiting(t.db, of)).map(({ id }) => id).toSorted();
  assert.deepEqual(await claimed({ max: 8, again: true }), []);
  assert.deepEqual(await claimed({ max: 8, again: false }), ids.toSorted());
  assert.deepEqual(await claimed({ max: 8, again: false }), [], 'they are taken for two minutes');

  // The process has ended, and the two minutes are over.
  await sql`update inbound_emails set next_try_at = now() where workspace_id = ${workspaceId}`.execute(t.db);
  assert.deepEqual(await claimed({ max: 8, again: false }), []);
  const [first, ...others] = await claimed({ max: 1, again: true });
  assert.ok(first !== undefined && ids.includes(first));
  assert.deepEqual(others, []);
});
