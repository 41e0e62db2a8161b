import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetSenderDomains } from '#features/domains';
import { newId } from '#platform/ids.ts';
import { type AutomationsApp, createAutomationsApp, END, stepsOf } from '../test-kit.ts';

let t: AutomationsApp;
let template: string;
before(async () => {
  t = await createAutomationsApp();
  template = await t.template();
});
after(() => t.close());
afterEach(async () => assert.equal(await t.stuck(), 0));

const WAIT = { key: 'wait', type: 'delay', config: { duration: '3 days' } };
const mail = () => ({ key: 'mail', type: 'send_email', config: { template_id: template } });
const API = { type: 'api' };

test('202 starts a run by hand, once for each person; 422 while the automation is disabled', async () => {
  const { id } = await t.automation({ trigger: API, steps: [WAIT, END] });
  const start = (email: string, key?: string) =>
    t.call('POST', `/${id}/runs`, { body: { email, payload: { a: 1 } }, ...(key === undefined ? {} : { key }) });
  assert.equal((await start('ada@example.com')).status, 422);
  assert.equal((await t.runs(id)).length, 0);
  await t.call('POST', `/${id}/enable`);
  const { status, body } = await start('Ada@Example.com');
  assert.equal(status, 202);
  assert.deepEqual((await start('ada@example.com')).body, { success: true, run_id: null });
  const run = await t.call('GET', `/${id}/runs/${body.run_id}`);
  assert.deepEqual([run.body.email, run.body.payload, run.body.status], ['ada@example.com', { a: 1 }, 'active']);
  assert.equal((await start('bob@example.com', await t.key({ scopes: ['automations:write'] }))).status, 403);
  assert.equal((await start('no address')).status, 400);
  assert.equal((await t.runs(id)).length, 1);
});

test('202 a test mails at once, whatever waits, calls nobody and counts nowhere; 403 in a paused workspace', async () => {
  const { id } = await t.automation({
    steps: [
      WAIT,
      { key: 'call', type: 'webhook', config: { url: 'https://example.com/hook' } },
      { key: 'paid', type: 'wait_for_event', config: { event: 'event:paid', timeout: '1 day' } },
      mail(),
      END,
    ],
  });
  const turn = async (state: string): Promise<void> => {
    await sql`update workspaces set status = ${state} where id = ${t.app.workspaceId}`.execute(t.app.db);
    forgetSenderDomains(t.app.workspaceId);
  };
  await turn('paused');
  assert.equal((await t.call('POST', `/${id}/test`, { body: { email: 'me@example.com' } })).status, 403);
  assert.deepEqual(await t.runs(id), []);
  await turn('active');
  const { status, body } = await t.call('POST', `/${id}/test`, { body: { email: 'me@example.com' } });
  assert.equal(status, 202);
  await t.service.runOnce();
  assert.deepEqual(await t.mails('me@example.com'), ['[Test] Hello you']);
  const [run] = await t.runs(id);
  assert.deepEqual([run.id, run.test, run.status], [body.run_id, true, 'completed']);
  assert.deepEqual(stepsOf(run), [
    'wait completed',
    'call skipped',
    'paid completed',
    'mail completed',
    'done completed',
  ]);
  assert.deepEqual(Object.values((await t.call('GET', `/${id}`)).body.stats), [0, 0, 0, 0, 0]);
});

test('403 for a run by hand in a paused workspace, where an event starts a run that is held', async () => {
  const { id } = await t.enabled({ trigger: { type: 'event:paused' }, steps: [WAIT, END] });
  const turn = (state: string) =>
    sql`update workspaces set status = ${state} where id = ${t.app.workspaceId}`.execute(t.app.db);
  await turn('paused');
  try {
    for (const body of [{ email: 'ada@example.com' }, { email: 'no address' }]) {
      const { status, body: refused } = await t.call('POST', `/${id}/runs`, { body });
      assert.deepEqual([status, refused.message], [403, 'Sending is paused for this workspace.']);
    }
    assert.deepEqual(await t.runs(id), []);
    assert.equal((await t.event('paused', 'ada@example.com')).started, 1);
    await t.later(0);
    assert.deepEqual(
      (await t.runs(id)).map(({ status, held }) => [status, held]),
      [['active', true]],
    );
  } finally {
    await turn('active');
  }
});

test('200 cancels the active runs that the filter finds, and no others', async () => {
  const { id } = await t.enabled({ trigger: API, steps: [WAIT, mail(), END] });
  for (const name of ['a', 'b', 'c']) await t.call('POST', `/${id}/runs`, { body: { email: `${name}@example.com` } });
  await t.service.runOnce();
  const cancel = (filter?: object) =>
    t.call('POST', `/${id}/runs/cancel`, filter === undefined ? {} : { body: { filter } });
  assert.deepEqual((await cancel({ email: 'A@example.com' })).body, { success: true, cancelled: 1 });
  assert.equal((await cancel({ version: 2 })).body.cancelled, 0);
  const unknown = await cancel({ contact: 'a' });
  assert.deepEqual([unknown.status, unknown.body.param], [400, 'filter']);
  assert.equal((await cancel()).body.cancelled, 2);
  assert.equal((await cancel()).body.cancelled, 0);
  await t.later(4 * 86_400);
  const runs = await t.runs(id);
  assert.deepEqual(
    runs.map((run) => [run.status, run.reason, ...stepsOf(run)]),
    Array(3).fill(['exited', 'cancelled', 'wait skipped']),
  );
  assert.deepEqual(await t.mails('a@example.com'), []);
  assert.equal((await t.call('GET', `/${id}`)).body.stats.exited, 3);
});

test('200 lists runs by state and person, and 404 for a run of another automation', async () => {
  const { id } = await t.enabled({ trigger: API, steps: [WAIT, END] });
  const other = await t.enabled({ trigger: API, steps: [END] });
  for (const name of ['d', 'e', 'f']) await t.call('POST', `/${id}/runs`, { body: { email: `${name}@example.com` } });
  const page = await t.call('GET', `/${id}/runs?limit=2&status=active`);
  assert.deepEqual([page.body.total, page.body.data.length, page.body.has_more], [3, 2, true]);
  const rest = await t.call('GET', `/${id}/runs?limit=2&status=active&cursor=${page.body.next_cursor}`);
  assert.deepEqual(
    rest.body.data.map(({ email }: { email: string }) => email),
    ['d@example.com'],
  );
  assert.equal((await t.call('GET', `/${id}/runs?email=E@example.com`)).body.total, 1);
  assert.equal((await t.call('GET', `/${id}/runs?status=failed`)).body.total, 0);
  const run = page.body.data[0].id;
  assert.equal((await t.call('GET', `/${other.id}/runs/${run}`)).status, 404);
  assert.equal((await t.call('GET', `/${id}/runs/${newId()}`)).status, 404);
});

test('the metric of stuck runs is 0, and counts a run whose due row was lost', async () => {
  const stuck = async (): Promise<string> =>
    /^posthorn_automation_runs_stuck (\d+)$/m.exec((await t.app.request({ url: '/metrics' })).text)?.[1] ?? '';
  const { id } = await t.enabled({ trigger: API, steps: [WAIT, END] });
  await t.call('POST', `/${id}/runs`, { body: { email: 'lost@example.com' } });
  assert.equal(await stuck(), '0');
  await sql`delete from automation_due where email = 'lost@example.com'`.execute(t.app.db);
  assert.equal(await stuck(), '1');
  await sql`delete from automation_runs where email = 'lost@example.com'`.execute(t.app.db);
});

test('a key of some newsletters sees and cancels their runs and those of none, whatever the automation names', async () => {
  const { id } = await t.enabled({ trigger: { type: 'newsletter_subscribed' }, steps: [WAIT, END] });
  const [own, other] = [await t.newsletter('own-runs'), await t.newsletter('other-runs')];
  for (const [newsletter, email] of [
    [own, 'own@example.com'],
    [other, 'other@example.com'],
  ] as const) {
    await t.call('POST', `/v1/newsletters/${newsletter}/subscribers`, { body: { email } });
  }
  const runs = await t.runs(id);
  assert.equal(runs.length, 2);
  const hidden = runs.find((run) => run.email === 'other@example.com');
  const key = await t.key({ newsletter_ids: [own] });
  const { data, total } = (await t.call('GET', `/${id}/runs`, { key })).body;
  assert.deepEqual([data.map((run: { email: string }) => run.email), total], [['own@example.com'], 1]);
  assert.equal((await t.call('GET', `/${id}/runs/${hidden.id}`, { key })).status, 404);
  assert.equal((await t.call('POST', `/${id}/runs/cancel`, { key, body: {} })).body.cancelled, 1);
  assert.equal((await t.call('GET', `/${id}/runs/${hidden.id}`)).body.status, 'active');

  const byHand = await t.enabled({ trigger: API, steps: [WAIT, END] });
  await t.call('POST', `/${byHand.id}/runs`, { body: { email: 'of-none@example.com' } });
  assert.equal((await t.call('GET', `/${byHand.id}/runs`, { key })).body.total, 1);
});
