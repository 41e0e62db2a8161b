import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { onFaultPoint } from '#platform/fault-points.ts';
import { until } from '../../../../test/harness/until.ts';
import { type AutomationsApp, createAutomationsApp, END } from '../test-kit.ts';

let t: AutomationsApp;
before(async () => {
  t = await createAutomationsApp({ worker: true });
});
after(() => t.close());

test('an issue that was sent starts one run for each recipient, also when a worker dies on the way', async () => {
  const newsletter = await t.newsletter('weekly', { from_email: 'news@posthorn.test' });
  const other = await t.newsletter('other');
  const of = (id: string) => ({ trigger: { type: 'issue_sent', newsletter_id: id }, steps: [END] });
  const { id } = await t.enabled(of(newsletter));
  const elsewhere = await t.enabled(of(other));
  const people = ['ada@example.com', 'bob@example.com', 'eve@example.com'];
  for (const email of people) await t.call('POST', `/v1/newsletters/${newsletter}/subscribers`, { body: { email } });
  let deaths = 0;
  onFaultPoint((point) => {
    if (point !== 'automations.fan-out.before-commit' || deaths === 2) return;
    deaths += 1;
    throw new Error('died');
  });
  const { body } = await t.call('POST', `/v1/newsletters/${newsletter}/issues`, {
    body: { subject: 'Hello', html_body: '<p>Hello</p>' },
  });
  assert.equal((await t.call('POST', `/v1/newsletters/${newsletter}/issues/${body.id}/send`)).status, 202);
  await until('a run for each', async () =>
    (await t.call('GET', `/${id}`)).body.stats.completed === people.length ? true : undefined,
  );
  onFaultPoint(undefined);
  assert.equal(deaths, 2);
  const runs = await t.runs(id);
  assert.deepEqual(runs.map(({ email }) => email).toSorted(), people);
  assert.equal(runs[0].payload.issue_id, body.id);
  assert.deepEqual(await t.runs(elsewhere.id), []);
  const { rows } = await sql`select from automation_fan_outs`.execute(t.app.db);
  assert.equal(rows.length, 0);
});
