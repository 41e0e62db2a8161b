import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { addSuppressions } from './add-suppression.ts';
import { exportSuppressions } from './export-suppressions.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('an export while others add, strengthen and lift: whatever was there and stays is in it once', async () => {
  const workspaceId = await aWorkspace(t.db);
  const add = (name: string, count: number, reason: 'manual' | 'complaint' = 'manual') =>
    addSuppressions(
      t.db,
      Array.from({ length: count }, (_, n) => ({ workspaceId, identity: `${name}-${n}@example.com`, reason })),
    );
  await add('there', 4_500);
  // As an import leaves them: many with one and the same time.
  await sql`update suppressions set created_at = date_trunc('minute', created_at) - interval '1 hour'
             where workspace_id = ${workspaceId} and email like 'there-1%'`.execute(t.db);
  const lines: string[] = [];
  let chunks = 0;
  for await (const chunk of exportSuppressions({ db: t.db, workspaceId }, { reason: null, search: null })) {
    lines.push(...String(chunk).trimEnd().split('\n'));
    chunks += 1;
    await add(`new-${chunks}`, 700);
    await add('there', 300, 'complaint');
    await sql`delete from suppressions where workspace_id = ${workspaceId} and email = ${`there-${4_000 + chunks}@example.com`}`.execute(
      t.db,
    );
  }
  assert.ok(chunks >= 5);
  const exported = lines.slice(1).map((line) => line.split(',')[0] ?? '');
  assert.equal(new Set(exported).size, exported.length, 'nothing twice');
  const seen = new Set(exported);
  const kept = Array.from({ length: 4_500 }, (_, n) => n).filter((n) => n <= 4_000 || n > 4_000 + chunks);
  assert.deepEqual(
    kept.filter((n) => !seen.has(`there-${n}@example.com`)),
    [],
    'nothing lost',
  );
});
