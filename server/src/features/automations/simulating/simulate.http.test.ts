import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { type AutomationsApp, type Body, createAutomationsApp, END } from '../test-kit.ts';

let t: AutomationsApp;
let template: string;
before(async () => {
  t = await createAutomationsApp();
  template = await t.template({ html: '<p>{{ order_id }}</p>' });
});
after(() => t.close());

const mail = (key = 'mail', more: object = {}) => ({
  key,
  type: 'send_email',
  config: { template_id: template, ...more },
});
const WAIT = { key: 'wait', type: 'delay', config: { until_local: '09:00', timezone: 'Europe/Berlin' } };
const PAID = {
  key: 'paid',
  type: 'wait_for_event',
  config: { event: 'event:paid', timeout: '2 days', on_timeout: 'remind' },
};
const AT = '2026-12-01T12:00:00.000Z';

const count = async (): Promise<unknown> =>
  (
    await sql`select (select count(*) from automation_runs) as runs, (select count(*) from emails) as emails,
      (select count(*) from automation_entries) as entries`.execute(t.app.db)
  ).rows;

async function simulated(id: string, body: object): Promise<Body> {
  const earlier = await count();
  const reply = await t.call('POST', `/${id}/simulate`, { body: { email: 'ada@example.com', at: AT, ...body } });
  assert.equal(reply.status, 200, reply.text);
  assert.deepEqual(await count(), earlier, 'nothing is written');
  return reply.body;
}
const shown = ({ steps, ended }: Body): unknown[] => [
  ...steps.map(({ key, at, branch }: Body) => [key, at, branch].filter((part) => part !== null).join(' ')),
  ended,
];

test('200 with the dated steps, the branches and the rendered emails, for each way through it', async () => {
  const { id } = await t.automation({
    steps: [
      WAIT,
      PAID,
      mail('thanks'),
      END,
      mail('remind', { subject: 'Pay {{ order_id }}' }),
      { key: 'last', type: 'delay', config: { duration: '30 days' } },
    ],
    exit_on: [{ type: 'event:gone' }],
  });
  const payload = { order_id: '42' };
  const paid = await simulated(id, { payload, events: [{ at: '2026-12-03T10:00:00Z', name: 'paid' }] });
  assert.deepEqual(shown(paid), [
    'wait 2026-12-02T08:00:00.000Z',
    'paid 2026-12-03T10:00:00.000Z event',
    'thanks 2026-12-03T10:00:00.000Z',
    'done 2026-12-03T10:00:00.000Z',
    'completed',
  ]);
  assert.deepEqual([paid.steps[2].subject, paid.steps[2].html], ['Hello you', '<p>42</p>']);
  const silent = await simulated(id, { payload, until: '2026-12-10T00:00:00Z' });
  assert.deepEqual(shown(silent), [
    'wait 2026-12-02T08:00:00.000Z',
    'paid 2026-12-04T08:00:00.000Z timeout',
    'remind 2026-12-04T08:00:00.000Z',
    'last 2026-12-04T08:00:00.000Z',
    'waiting',
  ]);
  assert.equal(silent.steps[2].subject, 'Pay 42');
  const gone = await simulated(id, { events: [{ at: '2026-12-01T13:00:00Z', name: 'event:gone' }] });
  assert.deepEqual(shown(gone), ['wait 2026-12-01T13:00:00.000Z event:gone', 'exited']);
});

test('200 with the fault of an email that cannot be rendered', async () => {
  const strict = await t.template({ variables: [{ key: 'order_id', type: 'string', required: true }] });
  const { id } = await t.automation({ steps: [mail('mail', { template_id: strict }), END] });
  const { steps, ended } = await simulated(id, {});
  assert.deepEqual([steps.length, ended], [1, 'failed']);
  assert.match(steps[0].error, /variables.order_id is required/);
});

test('one template serves broadcasts and automations: the names of the contact, a field of the payload before them', async () => {
  const names = ['first_name', 'last_name', 'name', 'properties.plan', 'contact.first_name'];
  const html = names.map((name) => `{{ ${name} | default: "none" }}`).join('|');
  const shared = await t.template({ subject: 'Hi {{ first_name | default: "there" }}', html });
  const { id } = await t.automation({ steps: [mail('mail', { template_id: shared }), END] });
  const contact = { email: 'shared@example.com', first_name: 'Ada', properties: { plan: 'pro' } };
  await t.app.request({ url: '/v1/contacts', body: contact });
  const of = async (body: object) => (await simulated(id, body)).steps[0];
  const known = await of({ email: contact.email });
  assert.deepEqual([known.subject, known.html], ['Hi Ada', 'Ada|none|Ada|pro|Ada']);
  const told = await of({ email: contact.email, payload: { first_name: 'Eve', name: 'Order' } });
  assert.deepEqual([told.subject, told.html], ['Hi Eve', 'Eve|none|Order|pro|Ada']);
  assert.equal(
    (await of({ email: 'unknown@example.com', payload: { properties: { plan: 'own' } } })).subject,
    'Hi there',
  );
});

test('a run takes the steps and branches that its simulation told', async () => {
  const condition = { key: 'big', type: 'condition', config: { field: 'payload.total', op: 'greater_than', value: 9 } };
  const steps = [
    { ...condition, config: { ...condition.config, else: 'small' } },
    mail('large'),
    END,
    mail('small'),
    WAIT,
  ];
  const { id } = await t.enabled({ trigger: { type: 'api' }, steps });
  for (const [email, total] of [
    ['large@example.com', 10],
    ['small@example.com', 9],
  ] as const) {
    const told = await simulated(id, { email, payload: { total } });
    const { body } = await t.call('POST', `/${id}/runs`, { body: { email, payload: { total } } });
    await t.later(86_401);
    await t.later(86_401);
    const run = (await t.call('GET', `/${id}/runs/${body.run_id}`)).body;
    const taken = run.steps.map(({ key, output }: Body) => [key, output?.branch ?? null]);
    assert.deepEqual(
      taken,
      told.steps.map(({ key, branch }: Body) => [key, branch]),
    );
    assert.equal(run.status, told.ended);
  }
});

test('400 and 422 for times that are none or too long, and 404 for an automation that is not there', async () => {
  const { id } = await t.automation({ steps: [END] });
  const refused = async (body: object): Promise<unknown> => {
    const reply = await t.call('POST', `/${id}/simulate`, { body: { email: 'ada@example.com', at: AT, ...body } });
    return [reply.status, reply.body.param];
  };
  assert.deepEqual(await refused({ until: '2026-11-30T00:00:00Z' }), [400, 'until']);
  assert.deepEqual(await refused({ until: '2028-01-01T00:00:00Z' }), [422, 'until']);
  assert.deepEqual(await refused({ at: 'soon' }), [400, 'at']);
  for (const at of ['9999-12-31T23:00:00Z', '9999-01-01T00:00:00Z', '0001-01-01T00:00:00Z']) {
    assert.deepEqual(await refused({ at }), [422, 'at'], at);
    assert.deepEqual(
      await refused({
        events: [
          { at: AT, name: 'paid' },
          { at, name: 'paid' },
        ],
      }),
      [422, 'events[1].at'],
    );
  }
  assert.deepEqual(await refused({ email: 'nobody' }), [400, 'email']);
  assert.equal((await t.call('POST', '/nonsense/simulate', { body: { email: 'ada@example.com' } })).status, 404);
});

test('400 with every fault of type and of meaning at once', async () => {
  const { status, body } = await t.call('POST', `/${newId()}/simulate`, { body: { email: 'no address', payload: 5 } });
  assert.deepEqual([status, body.details.map((fault: string) => fault.split(' ')[0])], [400, ['payload', 'email']]);
});
