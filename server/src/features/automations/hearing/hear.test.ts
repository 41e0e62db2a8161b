import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { emailsReported } from '#features/feedback';
import { inTransaction } from '#platform/db/database.ts';
import { type AutomationsApp, createAutomationsApp, END, stepsOf } from '../test-kit.ts';

let t: AutomationsApp;
let template: string;
before(async () => {
  t = await createAutomationsApp();
  template = await t.template();
});
after(() => t.close());
afterEach(async () => {
  assert.equal(await t.stuck(), 0);
  assert.deepEqual(t.logged, []);
});

let named = 0;
const aPerson = (): string => `someone-${(named += 1)}@example.com`;
const anEvent = (): string => `happened-${(named += 1)}`;
const mail = { key: 'mail', type: 'send_email', config: { template_id: '', transactional: true } };
const mailed = () => ({ ...mail, config: { ...mail.config, template_id: template } });
const WAIT = { key: 'wait', type: 'delay', config: { duration: '10 days' } };
const waitFor = (event: string, more: object = {}) => ({
  key: 'paid',
  type: 'wait_for_event',
  config: { event, timeout: '2 days', on_timeout: 'end', ...more },
});

async function anAutomation(steps: object[], given: object = {}) {
  const name = anEvent();
  const { id } = await t.enabled({ trigger: { type: `event:${name}` }, steps, ...given });
  return { id, name };
}
const statuses = async (id: string): Promise<unknown[]> =>
  (await t.runs(id)).map(({ status, reason }) => (reason === null ? status : `${status} ${reason}`));

test('re-entry once lets a person in once for each version, also when events come at the same time', async () => {
  const { id, name } = await anAutomation([END]);
  const email = aPerson();
  const answers = await Promise.all(Array.from({ length: 8 }, () => t.event(name, email)));
  assert.equal(
    answers.reduce((sum, { started }) => sum + started, 0),
    1,
  );
  assert.equal((await t.event(name, aPerson())).started, 1);
  await t.call('PATCH', `/${id}`, { body: { steps: [{ ...END, key: 'other' }] } });
  assert.deepEqual([(await t.event(name, email)).started, (await t.event(name, email)).started], [1, 0]);
});

test('re-entry every lets a person in each time, and with a correlation once for each value', async () => {
  const every = await anAutomation([END], { reentry: 'every' });
  const keyed = await anAutomation([END], { reentry: 'every', correlation: 'order.id' });
  const email = aPerson();
  for (const expected of [1, 1]) assert.equal((await t.event(every.name, email)).started, expected);
  const order = (id: unknown) => t.event(keyed.name, email, { order: { id } });
  assert.deepEqual([(await order(1)).started, (await order(1)).started, (await order(2)).started], [1, 0, 1]);
  assert.deepEqual(
    (await t.runs(keyed.id)).map(({ correlation }) => correlation),
    ['1', '2'],
  );
});

test('re-entry after a time lets a person in again when it has passed', async () => {
  const { name } = await anAutomation([END], { reentry: 'after:2 days' });
  const email = aPerson();
  const ago = (interval: string) =>
    sql`update automation_entries set entered_at = now() - ${interval}::interval where email = ${email}`.execute(
      t.app.db,
    );
  assert.equal((await t.event(name, email)).started, 1);
  await ago('47 hours');
  assert.equal((await t.event(name, email)).started, 0);
  await ago('49 hours');
  assert.deepEqual([(await t.event(name, email)).started, (await t.event(name, email)).started], [1, 0]);
});

test('a filter lets only events in for which all of it holds', async () => {
  const name = anEvent();
  const filter = [{ field: 'payload.total', op: 'greater_than', value: 100 }];
  await t.enabled({ trigger: { type: `event:${name}`, filter }, steps: [END] });
  assert.equal((await t.event(name, aPerson(), { total: 100 })).started, 0);
  assert.equal((await t.event(name, aPerson(), { total: 101 })).started, 1);
});

test('a run waits for its event, of the same person and correlation, and goes on with it or with its time', async () => {
  const paid = anEvent();
  const { id, name } = await anAutomation([waitFor(`event:${paid}`), mailed(), END], { correlation: 'order' });
  const [ada, bob] = [aPerson(), aPerson()];
  await t.event(name, ada, { order: 1, name: 'Ada' });
  await t.event(name, ada, { order: 2, name: 'Ada' });
  await t.event(name, bob, { order: 1 });
  await t.service.runOnce();
  const [waiting] = await t.runs(id);
  assert.deepEqual([waiting.waits_for, waiting.step], [`event:${paid}`, 'paid']);
  assert.equal((await t.event(paid, ada, { order: 3 })).resumed, 0);
  assert.equal((await t.event(paid, ada, { order: 2, total: 7 })).resumed, 1);
  await t.service.runOnce();
  const [first, second] = await t.runs(id);
  assert.deepEqual([first.status, second.status], ['active', 'completed']);
  assert.deepEqual(second.steps[0].output, { branch: 'event', event: { order: 2, total: 7 } });
  assert.deepEqual(await t.mails(ada), ['Hello Ada']);
  await t.later(2 * 86_400 + 1);
  assert.deepEqual(await statuses(id), ['completed timeout', 'completed', 'completed timeout']);
  assert.deepEqual(await t.mails(bob), []);
});

test('a run hears its event from when it gets to the step, before a worker takes it and while it is held', async () => {
  const paid = anEvent();
  const { id, name } = await anAutomation([waitFor(`event:${paid}`), END], { reentry: 'every', correlation: 'order' });
  const email = aPerson();
  await t.event(name, email, { order: 1 });
  assert.equal((await t.event(paid, email, { order: 2 })).resumed, 0);
  assert.equal((await t.event(paid, email, { order: 1, total: 7 })).resumed, 1);
  assert.equal((await t.event(paid, email, { order: 1, total: 8 })).resumed, 0, 'the first one counts');
  await t.service.runOnce();
  assert.deepEqual((await t.runs(id))[0].steps[0].output, { branch: 'event', event: { order: 1, total: 7 } });

  await t.event(name, email, { order: 3 });
  await t.call('POST', `/${id}/disable`);
  await t.service.runOnce();
  assert.equal((await t.runs(id))[1].held, true);
  assert.equal((await t.event(paid, email, { order: 3 })).resumed, 1);
  await t.call('POST', `/${id}/enable`);
  await t.service.runOnce();
  assert.deepEqual(await statuses(id), ['completed', 'completed']);
});

test('exits and goals end a run during a delay, and not the runs of others', async () => {
  const [left, bought] = [anEvent(), anEvent()];
  const { id, name } = await anAutomation([WAIT, mailed(), END], {
    exit_on: [{ type: `event:${left}`, filter: [{ field: 'payload.really', op: 'equals', value: true }] }],
    goal: { type: `event:${bought}` },
  });
  const people = [aPerson(), aPerson(), aPerson()];
  for (const email of people) await t.event(name, email);
  await t.service.runOnce();
  const [ada = '', bob = ''] = people;
  assert.equal((await t.event(left, ada, { really: false })).ended, 0);
  assert.equal((await t.event(left, ada, { really: true })).ended, 1);
  assert.equal((await t.event(bought, bob)).ended, 1);
  assert.deepEqual(await statuses(id), [`exited event:${left}`, 'completed goal', 'active']);
  assert.deepEqual(stepsOf((await t.runs(id))[0]), ['wait skipped']);
  await t.later(11 * 86_400);
  assert.deepEqual([await t.mails(ada), await t.mails(bob)], [[], []]);
  const { stats } = (await t.call('GET', `/${id}`)).body;
  assert.deepEqual(stats, { enrolled: 3, active: 0, completed: 2, exited: 1, failed: 0 });
});

test('signing up, confirming and leaving start automations of their newsletter in the same transaction', async () => {
  const slug = `list-${(named += 1)}`;
  const [newsletter, other] = [await t.newsletter(slug), await t.newsletter(`${slug}-other`)];
  const of = async (type: string, id: string | null = newsletter): Promise<string> =>
    (await t.enabled({ trigger: { type, newsletter_id: id }, steps: [WAIT, mailed(), END] })).id;
  const joined = await of('newsletter_subscribed');
  const confirmed = await of('newsletter_confirmed', null);
  const left = await of('newsletter_unsubscribed');
  const elsewhere = await of('newsletter_subscribed', other);
  const email = aPerson();
  const { body } = await t.call('POST', `/v1/newsletters/${newsletter}/subscribers`, { body: { email } });
  assert.deepEqual(
    await Promise.all([joined, confirmed, left, elsewhere].map(async (id) => (await t.runs(id)).length)),
    [1, 1, 0, 0],
  );
  await t.call('POST', `/v1/newsletters/${newsletter}/subscribers/${body.id}/unsubscribe`);
  const [run] = await t.runs(left);
  assert.deepEqual([run.email, run.newsletter_id, run.payload.subscriber_id], [email, newsletter, body.id]);
});

test('an erased person starts no automation, and the runs of that person are gone', async () => {
  const newsletter = await t.newsletter(`erasing-${(named += 1)}`);
  const joined = await t.enabled({
    trigger: { type: 'newsletter_subscribed', newsletter_id: newsletter },
    steps: [WAIT, END],
  });
  const left = await t.enabled({
    trigger: { type: 'newsletter_unsubscribed', newsletter_id: newsletter },
    steps: [END],
  });
  const email = aPerson();
  const { body } = await t.call('POST', `/v1/newsletters/${newsletter}/subscribers`, { body: { email } });
  assert.equal((await t.runs(joined.id)).length, 1);
  await t.call('DELETE', `/v1/newsletters/${newsletter}/subscribers/${body.id}`);
  assert.deepEqual([await t.runs(joined.id), await t.runs(left.id)], [[], []]);
  const { rows } = await sql`select from automation_entries where email = ${email}`.execute(t.app.db);
  assert.equal(rows.length, 0);
  assert.equal((await t.call('GET', `/${joined.id}`)).body.stats.active, 0);
});

test('an event of the email of a run wakes that run, and starts no automation; one of another email does', async () => {
  const opened = await t.enabled({ trigger: { type: 'email_opened' }, reentry: 'every', steps: [END] });
  const { id, name } = await anAutomation([mailed(), waitFor('email_opened', { on_timeout: 'continue' }), END]);
  const email = aPerson();
  await t.event(name, email, { name: 'Ada' });
  await t.service.runOnce();
  const [run] = await t.runs(id);
  const emailId = run.steps[0].output.email_id;
  const open = (opened: string) =>
    inTransaction(t.app.db, (tx) =>
      emailsReported.announce(tx, [
        { workspaceId: t.app.workspaceId, emailId: opened, type: 'open', recipient: email, details: {} },
      ]),
    );
  const sent = await t.call('POST', '/v1/send', {
    body: { from: 'a@posthorn.test', to: email, subject: 'By hand', text: 'Hi' },
  });
  await open(sent.body.emails[0].id);
  assert.deepEqual([(await t.runs(id))[0].status, (await t.runs(opened.id)).length], ['active', 1]);
  await open(emailId);
  await t.service.runOnce();
  const [woken] = await t.runs(id);
  assert.deepEqual([woken.status, woken.steps[1].output.branch], ['completed', 'event']);
  assert.equal((await t.runs(opened.id)).length, 1);
});

test('an event of a test key concerns runs of test keys only, whose emails stay on the server', async () => {
  const paid = anEvent();
  const { id, name } = await anAutomation([waitFor(`event:${paid}`), mailed(), END]);
  const key = await t.key({ mode: 'test' });
  const email = aPerson();
  assert.equal((await t.event(name, email, {}, { key })).started, 1);
  assert.equal((await t.event(name, email)).started, 1);
  await t.service.runOnce();
  assert.equal((await t.event(paid, email, {}, { key })).resumed, 1);
  await t.service.runOnce();
  const [sandboxed, live] = await t.runs(id);
  assert.deepEqual([sandboxed.status, live.status], ['completed', 'active']);
  const { rows } = await sql<{ sandbox: boolean }>`
    select sandbox from emails where id = ${sandboxed.steps[1].output.email_id}`.execute(t.app.db);
  assert.deepEqual(rows, [{ sandbox: true }]);
});

test('a contact that a test key adds enters as in a test: its email stays on the server', async () => {
  const { id } = await t.enabled({ trigger: { type: 'contact_created' }, steps: [mailed(), END] });
  const key = await t.key({ mode: 'test' });
  for (const by of [{ key }, {}]) {
    const { status } = await t.call('POST', '/v1/contacts', { body: { email: aPerson() }, ...by });
    assert.equal(status, 201);
  }
  await t.service.runOnce();
  const sent = (await t.runs(id)).map((run) => run.steps[0].output.email_id);
  const { rows } = await sql<{ sandbox: boolean }>`
    select sandbox from emails where id = any (${sent}::uuid[]) order by sandbox`.execute(t.app.db);
  assert.deepEqual(rows, [{ sandbox: false }, { sandbox: true }]);
});
