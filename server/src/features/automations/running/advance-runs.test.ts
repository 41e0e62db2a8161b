import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { onFaultPoint } from '#platform/fault-points.ts';
import { type AutomationsApp, createAutomationsApp, END, stepsOf } from '../test-kit.ts';
import { createRunService } from '../run-service.ts';

let t: AutomationsApp;
let template: string;
before(async () => {
  t = await createAutomationsApp();
  template = await t.template();
});
after(() => t.close());
afterEach(async () => {
  onFaultPoint(undefined);
  assert.equal(await t.stuck(), 0);
});

let named = 0;
const aPerson = (): string => `person-${(named += 1)}@example.com`;
const anEvent = (): string => `event-${(named += 1)}`;
const mail = (more: object = {}, key = 'mail') => ({
  key,
  type: 'send_email',
  config: { template_id: template, ...more },
});
const onError = { on_error: 'continue' };
const delay = (duration: string, key = 'wait') => ({ key, type: 'delay', config: { duration } });

async function anAutomation(steps: object[], given: object = {}) {
  const name = anEvent();
  const { id } = await t.enabled({ trigger: { type: `event:${name}` }, steps, ...given });
  return { id, name };
}

test('a run takes its steps: it waits, is mailed with the payload, and is completed and counted', async () => {
  const { id, name } = await anAutomation([
    delay('1 day'),
    { key: 'paid', type: 'condition', config: { field: 'payload.paid', op: 'equals', value: true, else: 'end' } },
    mail({ transactional: true }),
    END,
  ]);
  const [email, other] = [aPerson(), aPerson()];
  assert.deepEqual(await t.event(name, email, { name: 'Ada', paid: true }), {
    success: true,
    started: 1,
    resumed: 0,
    ended: 0,
  });
  await t.event(name, other, { name: 'Bob', paid: false });
  await t.service.runOnce();
  const waiting = await t.runs(id);
  assert.deepEqual(waiting.map(stepsOf), [['wait waiting'], ['wait waiting']]);
  assert.deepEqual([waiting[0].status, waiting[0].step, waiting[0].held], ['active', 'wait', false]);
  // Time goes on beside it: ten minutes are left for a busy machine to get here.
  await t.later(86_400 - 600);
  assert.deepEqual(await t.mails(email), []);
  await t.later(601);
  assert.deepEqual([await t.mails(email), await t.mails(other)], [['Hello Ada'], []]);
  const [mailed, left] = await t.runs(id);
  assert.deepEqual(stepsOf(mailed), ['wait completed', 'paid completed', 'mail completed', 'done completed']);
  assert.deepEqual([mailed.status, mailed.reason, mailed.steps[2].output.status], ['completed', null, 'queued']);
  for (const { key, started_at, completed_at } of mailed.steps) assert.ok(started_at <= completed_at, key);
  assert.deepEqual(
    [left.status, left.reason, stepsOf(left)],
    ['completed', 'no', ['wait completed', 'paid completed']],
  );
  const shown = await t.call('GET', `/v1/emails/${mailed.steps[2].output.email_id}`);
  assert.deepEqual([shown.body.source, shown.body.automation_run_id], ['automation', mailed.id]);
  const { stats } = (await t.call('GET', `/${id}`)).body;
  assert.deepEqual(stats, { enrolled: 2, active: 0, completed: 2, exited: 0, failed: 0 });
});

for (const point of ['claimed', 'accepted', 'before-commit', 'after-commit']) {
  test(`a worker that dies at ${point} sends each email once, with its record`, async () => {
    const { id, name } = await anAutomation([
      delay('1 hour'),
      mail(),
      delay('1 hour', 'pause'),
      mail({}, 'again'),
      END,
    ]);
    const people = Array.from({ length: 5 }, aPerson);
    for (const email of people) await t.event(name, email, { name: 'Ada' });
    let deaths = 0;
    onFaultPoint((reached) => {
      if (reached !== `automations.advance.${point}` || deaths >= 3) return;
      deaths += 1;
      throw new Error(`died at ${reached}`);
    });
    const earlier = t.logged.length;
    for (let round = 0; round < 6; round += 1) await t.later(3_601);
    assert.ok(deaths === 3 && t.logged.length > earlier, `${deaths} deaths`);
    t.logged.length = earlier;
    for (const email of people) assert.deepEqual(await t.mails(email), ['Hello Ada', 'Hello Ada']);
    for (const run of await t.runs(id)) {
      assert.deepEqual([run.status, run.steps.length], ['completed', 5]);
    }
  });
}

test('several workers at once take each step once', async () => {
  const { id, name } = await anAutomation([mail(), mail({}, 'again'), END]);
  const people = Array.from({ length: 40 }, aPerson);
  await Promise.all(people.map((email) => t.event(name, email, { name: 'Ada' })));
  const services = [1, 2, 3, 4].map(() => createRunService(t.wiring));
  for (let round = 0; round < 4; round += 1) await Promise.all(services.map((one) => one.runOnce()));
  const counts = await Promise.all(people.map((email) => t.mails(email)));
  assert.deepEqual([...new Set(counts.map((mails) => mails.length))], [2]);
  assert.equal((await t.call('GET', `/${id}`)).body.stats.completed, 40);
});

test('a missing variable is final: the run fails and tells of it, or goes on', async () => {
  const strict = await t.template({
    subject: 'Order {{ order_id }}',
    variables: [{ key: 'order_id', type: 'string', required: true }],
  });
  const stops = await anAutomation([mail({ template_id: strict }), END]);
  const goesOn = await anAutomation([{ ...mail({ template_id: strict }), ...onError }, END]);
  const email = aPerson();
  await t.event(stops.name, email);
  await t.event(goesOn.name, email);
  await t.service.runOnce();
  const [failed] = await t.runs(stops.id);
  assert.deepEqual([failed.status, failed.reason, stepsOf(failed)], ['failed', 'mail', ['mail failed']]);
  assert.match(failed.steps[0].error, /variables.order_id is required/);
  const [completed] = await t.runs(goesOn.id);
  assert.deepEqual([completed.status, stepsOf(completed)], ['completed', ['mail failed', 'done completed']]);
  assert.deepEqual(await t.mails(email), []);
  const events = await t.call('GET', '/v1/events?type=automation.failed');
  assert.deepEqual(
    events.body.data.map((one: { event_data: { run: { id: string } } }) => one.event_data.run.id),
    [failed.id],
  );
});

test('a run of a disabled automation is held and goes on when it is enabled; a paused workspace holds its runs too', async () => {
  const { id, name } = await anAutomation([delay('1 hour'), mail(), END]);
  const email = aPerson();
  await t.event(name, email, { name: 'Ada' });
  await t.service.runOnce();
  await t.call('POST', `/${id}/disable`);
  assert.equal((await t.event(name, aPerson())).started, 0);
  await t.later(3_601);
  const [held] = await t.runs(id);
  assert.deepEqual([held.status, held.held, await t.mails(email)], ['active', true, []]);
  await t.call('POST', `/${id}/enable`);
  const setWorkspace = (status: string) =>
    sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);
  await setWorkspace('paused');
  await t.service.runOnce();
  assert.deepEqual(await t.mails(email), []);
  await setWorkspace('active');
  await t.service.runOnce();
  assert.deepEqual([(await t.runs(id))[0].status, await t.mails(email)], ['completed', ['Hello Ada']]);
});

test('runs finish on the version that they began with', async () => {
  const { id, name } = await anAutomation([delay('1 hour'), mail({ subject: 'Old' }), END]);
  const [early, late] = [aPerson(), aPerson()];
  await t.event(name, early);
  await t.service.runOnce();
  const steps = [mail({ subject: 'New' }), END];
  assert.equal((await t.call('PATCH', `/${id}`, { body: { steps } })).body.version, 2);
  await t.event(name, late);
  await t.later(3_601);
  assert.deepEqual([await t.mails(early), await t.mails(late)], [['Old'], ['New']]);
  assert.deepEqual(
    (await t.runs(id)).map(({ version }) => version),
    [1, 2],
  );
});

test('a webhook step posts once, is repeated with the same id until it is taken, and gives up as the step says', async () => {
  const posts: { id: string; email: string }[] = [];
  const statuses = [500, 204, 410];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      posts.push(JSON.parse(Buffer.concat(chunks).toString()));
      response.writeHead(statuses[posts.length - 1] ?? 500).end();
    });
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`; // it listens on TCP
  const { id, name } = await anAutomation([{ key: 'call', type: 'webhook', config: { url } }, END]);
  const [email, other] = [aPerson(), aPerson()];
  await t.event(name, email, { a: 1 });
  await t.service.runOnce();
  const [failing] = await t.runs(id);
  assert.deepEqual([failing.status, stepsOf(failing), posts.length], ['active', ['call waiting'], 1]);
  assert.match(failing.steps[0].error, /answered 500/);
  await t.later(6);
  const [taken] = await t.runs(id);
  assert.deepEqual([taken.status, stepsOf(taken)], ['completed', ['call completed', 'done completed']]);
  assert.deepEqual(
    posts.map((post) => [post.id, post.email]),
    Array(2).fill([`${taken.id}:call`, email]),
  );
  await t.event(name, other);
  await t.service.runOnce();
  assert.deepEqual([(await t.runs(id))[1].status, posts.length], ['failed', 3]);
  await new Promise((done) => server.close(done));
});

test('a run that fails for a fault of ours waits, and holds up no other', async () => {
  const { id, name } = await anAutomation([mail(), END]);
  const [bad, good] = [aPerson(), aPerson()];
  await t.event(name, bad, { name: 'Bad' });
  await t.event(name, good, { name: 'Good' });
  await sql`update automation_due set step = 'gone' where email = ${bad}`.execute(t.app.db);
  const earlier = t.logged.length;
  await t.service.runOnce();
  assert.deepEqual([await t.mails(bad), await t.mails(good)], [[], ['Hello Good']]);
  assert.ok(t.logged.length > earlier);
  t.logged.length = earlier;
  await sql`update automation_due set step = 'mail' where email = ${bad}`.execute(t.app.db);
  await t.later(60);
  assert.deepEqual(await t.mails(bad), ['Hello Bad']);
  assert.equal((await t.call('GET', `/${id}`)).body.stats.completed, 2);
});

test('a suppressed person gets transactional mail recorded as suppressed, and leaves before other mail', async () => {
  const email = aPerson();
  await t.call('POST', '/v1/suppressions', { body: { email } });
  const wanted = await anAutomation([mail({ transactional: true }), END]);
  const bulk = await anAutomation([mail(), END]);
  await t.event(wanted.name, email);
  await t.event(bulk.name, email);
  await t.service.runOnce();
  const [tried] = await t.runs(wanted.id);
  assert.deepEqual([tried.status, tried.steps[0].output.status], ['completed', 'suppressed']);
  const [left] = await t.runs(bulk.id);
  assert.deepEqual([left.status, left.reason, stepsOf(left)], ['exited', 'suppressed', ['mail skipped']]);
});
