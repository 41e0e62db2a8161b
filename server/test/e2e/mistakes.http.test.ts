/** Every row of docs/typical-mistakes.md, against one application. The document is made of the same table. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { rowsAtOnce } from '../harness/noted-later.ts';
import { ask, type Prepared, prepareRecords } from './mistakes/ask.ts';
import { MISTAKES } from './mistakes/mistakes.ts';

let app: TestApp;
let prepared: Prepared;

before(async () => {
  app = await createTestApp();
  prepared = await prepareRecords(app);
});
after(() => app.close());

/** The rows of every table but those that only count requests and attempts. */
async function countRows(): Promise<unknown> {
  // The audit log is written after the answers; a read of it waits for what is on its way.
  assert.equal((await app.request({ url: '/audit?limit=1' })).status, 200);
  const { rows: tables } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('api_requests', 'sign_in_attempts') order by 1`.execute(app.db);
  const counts = tables.map(
    ({ name }) => sql`(select count(*) from ${sql.table(name)} t where ${rowsAtOnce(name)}) as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Record<string, unknown>>`select ${sql.join(counts)}`.execute(app.db);
  return rows[0];
}

for (const [chapter, mistakes] of Object.entries(MISTAKES)) {
  test(`the answers that are documented: ${chapter}`, async () => {
    for (const { what, request, answer } of mistakes) {
      const earlier = answer.status < 300 ? undefined : await countRows();
      assert.deepEqual(await ask(app, prepared, request), answer, what);
      if (earlier !== undefined) assert.deepEqual(await countRows(), earlier, `${what}: nothing is stored`);
    }
  });
}

test('there are a hundred, and none stands twice in a chapter', () => {
  const all = Object.values(MISTAKES);
  assert.ok(all.flat().length >= 100);
  for (const chapter of all) assert.equal(new Set(chapter.map(({ what }) => what)).size, chapter.length);
});
