import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { forgetSecurityLog } from './forget-security-log.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

test('an entry of the security log cannot be deleted; old ones leave after their days', async () => {
  const workspace = await aWorkspace(t.db);
  const add = (id: string, days: number) =>
    sql`insert into security_log (workspace_id, id, at, actor_type, action)
      values (${workspace}, ${id}, now() - make_interval(days => ${days}), 'system', 'x')`.execute(t.db);
  const left = async () =>
    (await sql<{ id: string }>`select id from security_log where workspace_id = ${workspace}`.execute(t.db)).rows.map(
      ({ id }) => id,
    );
  const [old, young] = [newId(), newId()];
  await add(old, 401);
  await add(young, 399);
  await assert.rejects(sql`delete from security_log where workspace_id = ${workspace}`.execute(t.db), /append-only/);
  assert.equal((await left()).length, 2);
  assert.equal(await forgetSecurityLog(t.db, 400), 1);
  assert.deepEqual(await left(), [young]);
});
