/**
 * A workspace with records of every kind is deleted: no row of it is left in any table, and none of another workspace
 * is touched.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetLapsedLists } from '#features/consents';
import { createTestApp, type TestApp } from '../harness/app.ts';
import { until } from '../harness/until.ts';
import { aFurnishedWorkspace, APP_TO_FURNISH, type Furnished, tokenOf } from './tenant-matrix/two-workspaces.ts';

const GONE = { email: 'gone@example.com', password: 'a password of the one' };
const STAYS = { email: 'stays@example.com', password: 'a password of the other' };
/** Looked at again for as long as a request of before could write (`purge-newsletters.ts`). */
const REMEMBERED = ['newsletter_purges'];

let app: TestApp;
let gone: Furnished;
let stays: Furnished;
before(async () => {
  app = await createTestApp(APP_TO_FURNISH);
  gone = await aFurnishedWorkspace(app, GONE);
  stays = await aFurnishedWorkspace(app, STAYS);
});
after(() => app.close());

/** The tables that have rows of a workspace. */
async function tablesOf({ workspaceId }: Furnished): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id'
     where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') order by 1`.execute(app.db);
  const found: string[] = [];
  for (const { name } of rows) {
    const table = sql.table(name);
    const { rows: some } = await sql`select from ${table} where workspace_id = ${workspaceId} limit 1`.execute(app.db);
    if (some.length > 0) found.push(name);
  }
  return found;
}

test('a deleted workspace leaves no row in any table, and takes nothing of another', async () => {
  const before = await tablesOf(stays);
  assert.ok(before.length > 50, `only ${before.join(', ')}`);
  const { token } = await tokenOf(app, GONE);
  const answer = await app.request({ method: 'DELETE', url: `/workspaces/${gone.workspaceId}`, key: token });
  assert.equal(answer.status, 200, answer.text);
  let left: string[] = [];
  await until(
    () => `the end of ${left.join(', ')}`,
    async () => {
      // Most of it is removed once an hour by the clock of the database, in one process of many. The clock of the
      // process may not go an hour further than that.
      await sql`delete from rounds`.execute(app.db);
      await forgetLapsedLists(app.db, app.settings.consentDays);
      app.clock.advance(61_000);
      left = (await tablesOf(gone)).filter((table) => !REMEMBERED.includes(table));
      return left.length === 0 || undefined;
    },
    { everyMs: 200 },
  );
  const kept = await tablesOf(stays);
  assert.deepEqual(
    before.filter((table) => !kept.includes(table)),
    [],
  );
});
