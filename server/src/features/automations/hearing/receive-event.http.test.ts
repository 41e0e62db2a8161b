import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { type AutomationsApp, createAutomationsApp } from '../test-kit.ts';

let t: AutomationsApp;
before(async () => {
  t = await createAutomationsApp();
});
after(() => t.close());

const WAIT = { key: 'wait', type: 'delay', config: { duration: '1 day' } };

test('Events that come together share transactions, and each is answered with what it has done', async () => {
  const { id } = await t.enabled({ trigger: { type: 'event:came' }, exit_on: [{ type: 'event:left' }], steps: [WAIT] });
  const people = Array.from({ length: 40 }, (_, index) => `p${index}@together.test`);
  const leaver = 'leaver@together.test';
  assert.equal((await t.event('came', leaver)).started, 1);
  const answers = await Promise.all([...people.map((email) => t.event('came', email)), t.event('left', leaver)]);
  const came = { success: true, started: 1, resumed: 0, ended: 0 };
  assert.deepEqual(answers, [...people.map(() => came), { success: true, started: 0, resumed: 0, ended: 1 }]);
  const { rows } = await sql<{ runs: number; commits: number }>`
    select count(*)::integer as runs, count(distinct xmin::text)::integer as commits from automation_runs
     where automation_id = ${id} and status = 'active'`.execute(t.app.db);
  assert.equal(rows[0]?.runs, people.length);
  assert.ok((rows[0]?.commits ?? 0) < people.length / 2, `${rows[0]?.commits} transactions`);
});

test('400 with every fault of type and of meaning at once, for an event and for a run', async () => {
  const faultsOf = async (url: string, body: object): Promise<unknown[]> => {
    const answer = await t.call('POST', url, { body });
    return [answer.status, answer.body.details.map((fault: string) => fault.split(' ')[0])];
  };
  const large = { text: 'x'.repeat(33_000) };
  assert.deepEqual(await faultsOf('/v1/events', { name: '?', email: 'no address', payload: large }), [
    400,
    ['name', 'email', 'payload'],
  ]);
  for (const act of ['runs', 'test']) {
    const body = { email: 'no address', payload: 5 };
    assert.deepEqual(await faultsOf(`/${newId()}/${act}`, body), [400, ['payload', 'email']], act);
  }
});
