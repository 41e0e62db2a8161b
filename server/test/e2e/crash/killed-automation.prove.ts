/**
 * A process is killed at each boundary of a step of an automation: before its effect, between the effect and its
 * record, and after. Each person gets the email once, each contact is changed once, and the receiver of the calls gets
 * each at least once, always with the same id and body.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { undoAfter } from '../../harness/undo.ts';
import { until } from '../../harness/until.ts';
import { createRig } from './rig.ts';
import { startWebhookReceiver } from './webhook-receiver.ts';

const PEOPLE = Array.from({ length: 5 }, (_, index) => `person-${index}@example.com`);
/** In the order in which the lives reach them: the contact first, then the email, then the call. */
const BOUNDARIES = [
  { at: 'automations.advance.claimed' },
  { at: 'automations.advance.before-commit' },
  { at: 'automations.advance.after-commit' },
  { at: 'automations.advance.accepted' },
  { at: 'automations.call.answered' },
];
const STEPS = ['change completed', 'add completed', 'mail completed', 'call completed'];

test('killed at each boundary of a step, an automation does each step once', { timeout: 300_000 }, async (t) => {
  const receiver = await startWebhookReceiver();
  undoAfter(t, () => receiver.close());
  const rig = await createRig({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32' } });
  undoAfter(t, rig.close);
  const api = await rig.start('api');
  const make = async (path: string, body: unknown): Promise<string> => {
    const made = await api.fetch(path, { method: 'POST', body });
    assert.ok(made.status < 300, `${path}: ${made.status} ${JSON.stringify(made.body)}`);
    return String((made.body as Record<string, unknown>)['id']); // an answer of our own API
  };
  const list = await make('/v1/lists', { name: 'Readers' });
  await Promise.all(PEOPLE.map((email) => make('/v1/contacts', { email, properties: { stage: 'new' } })));
  const template = await make('/v1/templates', {
    name: 'Hello',
    subject: 'Hello',
    from: 'hello@posthorn.test',
    html: '<p>Hello</p>',
    publish: true,
  });
  const automation = await make('/v1/automations', {
    name: 'Welcome',
    trigger: { type: 'api' },
    steps: [
      { key: 'change', type: 'update_contact', config: { properties: { stage: 'greeted' } } },
      { key: 'add', type: 'add_to_list', config: { list_id: list } },
      { key: 'mail', type: 'send_email', config: { template_id: template, transactional: true } },
      { key: 'call', type: 'webhook', config: { url: receiver.url('call') } },
    ],
  });
  await make(`/v1/automations/${automation}/enable`, {});
  for (const email of PEOPLE) await make(`/v1/automations/${automation}/runs`, { email });

  for (const { at } of BOUNDARIES) {
    const life = await rig.start('worker', [{ at, pass: 1, act: 'kill' }], { CRASH_ARMED: '1' });
    await life.ended;
    assert.match(life.output(), new RegExp(`fault: kill at ${at},`));
  }
  const calledTwice = receiver.received.length;
  assert.ok(calledTwice > 0, 'the receiver was called before the kill');
  // A minute: the lease of the calls that nobody has recorded.
  await rig.query('update automation_due set due_at = now()');
  await rig.start('worker');
  await until('every run is completed', async () => {
    const left = await rig.query(`select from automation_runs where status <> 'completed'`);
    return left.length === 0 ? true : undefined;
  });
  await rig.untilQuiet();

  const runs = await rig.query(
    `select r.email, array_agg(s.key || ' ' || s.status order by s.position) as steps
     from automation_runs r join automation_steps s on s.workspace_id = r.workspace_id and s.run_id = r.id
     group by r.workspace_id, r.id, r.email order by r.email`,
  );
  assert.deepEqual(
    runs,
    PEOPLE.map((email) => ({ email, steps: STEPS })),
  );
  // A hand-off that a kill cut off is repeated under its Message-ID, as with every email.
  const received = new Map(rig.sink.messages.map((one) => [one.header('message-id'), one.to.join()]));
  assert.deepEqual([...received.values()].toSorted(), PEOPLE);
  const [accepted] = await rig.query('select count(*)::integer as emails from emails');
  assert.deepEqual(accepted, { emails: PEOPLE.length });
  const changed = await rig.query(
    `select c.email, c.properties ->> 'stage' as stage, count(m.contact_id)::integer as lists from contacts c
     left join contact_list_members m on m.workspace_id = c.workspace_id and m.contact_id = c.id
     group by c.workspace_id, c.id, c.email, c.properties order by c.email`,
  );
  assert.deepEqual(
    changed,
    PEOPLE.map((email) => ({ email, stage: 'greeted', lists: 1 })),
  );
  const bodies = new Map(receiver.received.map(({ eventId, bodyHash }) => [`${eventId} ${bodyHash}`, eventId]));
  const steps = await rig.query(`select run_id || ':call' as id from automation_steps where key = 'call' order by 1`);
  assert.deepEqual(
    [...bodies.values()].toSorted(),
    steps.map(({ id }) => id),
  );
  assert.ok(receiver.received.length > PEOPLE.length, 'a call that was not recorded is made again');
});
