import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AutomationsApp, createAutomationsApp } from '../test-kit.ts';
import { createStuckLook } from './stuck-runs.ts';

let t: AutomationsApp;
before(async () => {
  t = await createAutomationsApp();
});
after(() => t.close());

test('Looks of two runs each find a run without a due row, and tell of it until a round finds none', async () => {
  const { id } = await t.enabled({ steps: [{ key: 'wait', type: 'delay', config: { duration: '1 day' } }] });
  for (const name of ['a', 'b', 'c', 'd', 'e']) await t.event('signed_up', `${name}@stuck.test`);
  const runs = await t.runs(id);
  const look = createStuckLook(2);
  const looks = async (): Promise<number[]> => [await look(t.app.db), await look(t.app.db), await look(t.app.db)];
  assert.deepEqual(await looks(), [0, 0, 0]);
  await sql`delete from automation_due where run_id = ${runs[2].id}`.execute(t.app.db);
  assert.deepEqual(
    [await looks(), await looks()],
    [
      [0, 1, 1],
      [1, 1, 1],
    ],
  );
  await sql`update automation_runs set status = 'exited', ended_at = now() where id = ${runs[2].id}`.execute(t.app.db);
  assert.deepEqual([await looks(), await looks()].flat().slice(-3), [0, 0, 0]);
  assert.equal(await createStuckLook()(t.app.db), 0);
});
