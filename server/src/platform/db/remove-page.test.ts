import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { createTestDatabase } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { inTransaction } from './database.ts';
import { removePage } from './remove-page.ts';

test('a page that another process removes meanwhile counts, so that the second process goes on behind it', async (t) => {
  const { db, close } = await createTestDatabase({ poolMax: 3 });
  t.after(close);
  await sql`create table papers as select generate_series(1, 5) as n`.execute(db);
  const remove = (on: typeof db) =>
    removePage(on, sql`select n from papers limit 2`, sql`delete from papers where n in (select n from page)`);
  const second = Promise.withResolvers<number>();
  const first = await inTransaction(db, async (tx) => {
    const found = await remove(tx);
    remove(db).then(second.resolve, second.reject);
    await until('the second to wait for the first', async () => {
      const { rows } = await sql`select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0 ? true : undefined;
    });
    return found;
  });
  assert.deepEqual([first, await second.promise], [2, 2]);
  assert.deepEqual([await remove(db), await remove(db), await remove(db)], [2, 1, 0]);
});
