import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { claimExport } from './exports/export-queries.ts';
import { claimImport, endImport, giveBackImport } from './imports/job-queries.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

async function queue(table: 'imports' | 'exports', workspaceId: string, files: number): Promise<void> {
  for (let n = 0; n < files; n += 1) {
    await sql`
      insert into ${sql.table(table)} (workspace_id, id, target_type, target_id, format, created_by,
                                       ${table === 'imports' ? sql`options, status` : sql`filters`})
      values (${workspaceId}, ${newId()}, 'newsletter', ${newId()}, 'csv', '{"type":"api_key","id":null}'::jsonb,
              '{}'::jsonb ${table === 'imports' ? sql`, 'queued'` : sql``})`.execute(t.db);
  }
}

test('the next turn is that of the workspace that waits longest, however many files another has queued', async () => {
  const [many, one] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  await queue('imports', many, 4);
  const turns: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const token = newId();
    const claimed = await claimImport(t.db, token, 15);
    assert.ok(claimed);
    turns.push(claimed.workspaceId === many ? 'many' : 'one');
    // The first has more than a turn of work, and the others end in theirs.
    if (n === 0) await giveBackImport(t.db, { ...claimed, token });
    else await endImport(t.db, { ...claimed, token }, { status: 'completed', error: null, confirmationsDue: false });
    if (n < 2) await queue('imports', one, 1);
  }
  assert.deepEqual(turns, ['many', 'one', 'many', 'one', 'many']);
});

test('exports have turns of their own, which go round the workspaces, too', async () => {
  const [many, one] = [await aWorkspace(t.db), await aWorkspace(t.db)];
  await queue('exports', many, 3);
  const turns: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const claimed = await claimExport(t.db, newId(), 15);
    assert.ok(claimed);
    turns.push(claimed.workspaceId === many ? 'many' : 'one');
    if (n === 0) await queue('exports', one, 1);
  }
  assert.deepEqual(turns, ['many', 'one', 'many']);
});
