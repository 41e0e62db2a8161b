import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { forgetExpired } from './forget-expired.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const left = async (): Promise<string[]> =>
  (await sql<{ email: string }>`select email from suppressions order by email`.execute(t.db)).rows.map(
    (row) => row.email,
  );

test('expired entries of every workspace are deleted page by page; valid and renewed ones stay', async () => {
  for (const workspaceId of [await aWorkspace(t.db), await aWorkspace(t.db)]) {
    await sql`
      insert into suppressions (workspace_id, id, email, reason, expires_at)
      select ${workspaceId}, ph_uuidv7(), 'old-' || n || '@example.com', 'soft_bounce', now() - interval '1 second'
        from generate_series(1, 1100) n`.execute(t.db);
    await sql`
      insert into suppressions (workspace_id, id, email, reason, expires_at)
      values (${workspaceId}, ph_uuidv7(), 'forever@example.com', 'manual', null),
             (${workspaceId}, ph_uuidv7(), 'renewed@example.com', 'manual', now() - interval '1 second'),
             (${workspaceId}, ph_uuidv7(), 'tomorrow@example.com', 'manual', now() + interval '1 day')`.execute(t.db);
  }
  await inTransaction(t.db, async (tx) => {
    await sql`update suppressions set expires_at = null where email = 'renewed@example.com'`.execute(tx);
    assert.equal(await forgetExpired(t.db, () => true), 2_200);
  });
  assert.equal(await forgetExpired(t.db, () => true), 0);
  assert.deepEqual(
    await left(),
    ['forever', 'forever', 'renewed', 'renewed', 'tomorrow', 'tomorrow'].map((name) => `${name}@example.com`),
  );
});

test('it ends between two pages when it is told to', async () => {
  await sql`update suppressions set expires_at = now() - interval '1 second'`.execute(t.db);
  assert.equal(await forgetExpired(t.db, () => false), 0);
  assert.equal((await left()).length, 6);
});
