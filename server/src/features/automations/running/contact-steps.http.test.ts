import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { type AutomationsApp, type Body, createAutomationsApp, END, stepsOf } from '../test-kit.ts';

let t: AutomationsApp;
let template: string;
before(async () => {
  t = await createAutomationsApp();
  template = await t.template({ subject: 'Hello {{ contact.first_name | default: "you" }}' });
});
after(() => t.close());
afterEach(async () => assert.equal(await t.stuck(), 0));

let named = 0;
const aPerson = (): string => `contact-${(named += 1)}@example.com`;
const mail = { key: 'mail', type: 'send_email', config: {} as object };
const aMail = (more: object = {}) => ({ ...mail, config: { template_id: template, ...more } });

async function made(path: string, body: object): Promise<Body> {
  const reply = await t.call('POST', path, { body });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}
const aList = async (): Promise<string> => (await made('/v1/lists', { name: `List ${(named += 1)}` })).id;
const contactOf = async (email: string): Promise<Body> => (await t.call('GET', `/v1/contacts/${email}`)).body;

async function anAutomation(steps: object[], given: object = {}) {
  const name = `contact-event-${(named += 1)}`;
  const { id } = await t.enabled({ trigger: { type: `event:${name}` }, steps, ...given });
  return { id, name };
}

test('A contact who is created, changed or put on a list starts a run with its fields in conditions and mails', async () => {
  const list = await aList();
  const isPro = {
    key: 'pro',
    type: 'condition',
    config: { field: 'contact.properties.tier', op: 'equals', value: 'pro' },
  };
  const created = await t.enabled({ trigger: { type: 'contact_created' }, steps: [isPro, aMail()] });
  const updated = await t.enabled({ trigger: { type: 'contact_updated' }, steps: [END] });
  const joined = await t.enabled({ trigger: { type: 'list_joined', list_id: list }, steps: [END] });
  const [ada, bob] = [aPerson(), aPerson()];
  const contacts = [
    { email: ada, first_name: 'Ada', properties: { tier: 'pro' } },
    { email: bob, first_name: 'Bob', properties: { tier: 'free' } },
  ];
  await made('/v1/contacts/batch', { contacts });
  await made(`/v1/lists/${await aList()}/contacts`, { emails: [ada] });
  await made(`/v1/lists/${list}/contacts`, { emails: [bob] });
  await t.call('PATCH', `/v1/contacts/${ada}`, { body: { last_name: 'Lovelace' } });
  await t.service.runOnce();
  const emailsOf = async ({ id }: Body): Promise<string[]> => (await t.runs(id)).map(({ email }) => email);
  assert.deepEqual([await emailsOf(updated), await emailsOf(joined)], [[ada], [bob]]);
  assert.deepEqual((await emailsOf(created)).toSorted(), [ada, bob]);
  assert.deepEqual([await t.mails(ada), await t.mails(bob)], [['Hello Ada'], []]);
  const [run] = await t.runs(joined.id);
  assert.deepEqual(run.payload, { contact_id: (await contactOf(bob)).id, list_id: list });
  for (const { id } of [created, updated, joined]) await t.call('POST', `/${id}/disable`, { body: {} });
});

test('Steps change the contact, make one of a person who is none, and start no other automation', async () => {
  const [on, off] = [await aList(), await aList()];
  const others = await Promise.all(
    ['contact_created', 'contact_updated', 'list_joined'].map((type) => t.enabled({ trigger: { type }, steps: [END] })),
  );
  const { id, name } = await anAutomation([
    { key: 'note', type: 'update_contact', config: { properties: { stage: 'new', old: null } } },
    { key: 'on', type: 'add_to_list', config: { list_id: on } },
    { key: 'both', type: 'add_to_list', config: { list_id: off } },
    { key: 'off', type: 'remove_from_list', config: { list_id: off } },
    aMail(),
  ]);
  const [known, stranger] = [aPerson(), aPerson()];
  for (const { id: other } of others) await t.call('POST', `/${other}/disable`, { body: {} });
  await made('/v1/contacts', { email: known, properties: { old: 'x', kept: 'y' } });
  for (const { id: other } of others) await t.call('POST', `/${other}/enable`, { body: {} });
  for (const email of [known, stranger]) await t.event(name, email);
  await t.service.runOnce();
  const [first] = await t.runs(id);
  assert.deepEqual(stepsOf(first), [
    'note completed',
    'on completed',
    'both completed',
    'off completed',
    'mail completed',
  ]);
  assert.deepEqual((await contactOf(known)).properties, { kept: 'y', stage: 'new' });
  for (const email of [known, stranger]) assert.deepEqual((await contactOf(email)).list_ids, [on]);
  for (const { id: other } of others) {
    assert.deepEqual(await t.runs(other), []);
    await t.call('POST', `/${other}/disable`, { body: {} });
  }
});

test('A step brings nobody back to a list that they left, and an unsubscribe step keeps them off it', async () => {
  const list = await aList();
  const { id, name } = await anAutomation([{ key: 'on', type: 'add_to_list', config: { list_id: list } }]);
  const leaving = await anAutomation([{ key: 'off', type: 'unsubscribe', config: { list_id: list } }]);
  const email = aPerson();
  await made('/v1/contacts', { email });
  await made(`/v1/lists/${list}/contacts`, { emails: [email] });
  await t.event(leaving.name, email);
  await t.service.runOnce();
  assert.deepEqual((await contactOf(email)).list_ids, []);
  await t.event(name, email);
  await t.service.runOnce();
  const [run] = await t.runs(id);
  assert.deepEqual([run.status, run.steps[0].output], ['completed', { changed: false }]);
  assert.deepEqual((await contactOf(email)).list_ids, []);
});

test('An unsubscribe step takes a subscriber off a newsletter, and mail that they did not ask for stops', async () => {
  const newsletter = await t.newsletter('left-by-rule');
  const { id } = await t.enabled({
    trigger: { type: 'newsletter_subscribed', newsletter_id: newsletter },
    steps: [{ key: 'off', type: 'unsubscribe', config: { newsletter_id: newsletter } }, aMail()],
  });
  const email = aPerson();
  const { id: subscriber } = await made(`/v1/newsletters/${newsletter}/subscribers`, { email });
  await t.service.runOnce();
  const shown = await t.call('GET', `/v1/newsletters/${newsletter}/subscribers/${subscriber}`);
  assert.equal(shown.body.status, 'unsubscribed');
  const [run] = await t.runs(id);
  assert.deepEqual([run.status, run.reason, await t.mails(email)], ['exited', 'unsubscribed', []]);
});

test('Contacts who want no mail, or left the list that started the run, get transactional mail only', async () => {
  const list = await aList();
  const steps = [{ key: 'wait', type: 'delay', config: { duration: '1 day' } }, aMail()];
  const { id } = await t.enabled({ trigger: { type: 'list_joined', list_id: list }, steps });
  const other = await anAutomation([aMail({ transactional: true })]);
  const [left, optedOut, stays] = [aPerson(), aPerson(), aPerson()];
  const emails = [left, optedOut, stays];
  await made('/v1/contacts/batch', { contacts: emails.map((email) => ({ email })) });
  await made(`/v1/lists/${list}/contacts`, { emails });
  await t.service.runOnce();
  await made(`/v1/contacts/${left}/unsubscribe`, { list_id: list });
  await made(`/v1/contacts/${optedOut}/unsubscribe`, {});
  await t.later(86_401);
  const endOf = new Map((await t.runs(id)).map((run) => [run.email, run.reason]));
  assert.deepEqual(
    emails.map((email) => endOf.get(email)),
    ['unsubscribed', 'unsubscribed', null],
  );
  assert.deepEqual(await Promise.all(emails.map(t.mails)), [[], [], ['Hello you']]);
  await t.event(other.name, optedOut);
  await t.service.runOnce();
  assert.deepEqual(await t.mails(optedOut), ['Hello you']);
});

test('A list that is gone fails the step for good, and a test run changes nobody', async () => {
  const list = await aList();
  const { id, name } = await anAutomation([{ key: 'on', type: 'add_to_list', config: { list_id: list } }]);
  const [email, tester] = [aPerson(), aPerson()];
  await made(`/v1/automations/${id}/test`, { email: tester });
  await t.service.runOnce();
  assert.equal((await t.call('GET', `/v1/contacts/${tester}`)).status, 404);
  await t.call('DELETE', `/v1/lists/${list}`);
  await t.event(name, email);
  await t.service.runOnce();
  const failed = (await t.runs(id)).find((run) => run.email === email);
  assert.deepEqual([failed.status, stepsOf(failed)], ['failed', ['on failed']]);
  assert.equal((await t.call('GET', `/v1/contacts/${email}`)).status, 404);
});

test('A simulation changes contacts only for its own later steps', async () => {
  const email = aPerson();
  await made('/v1/contacts', { email, properties: { stage: 'new' } });
  const { id } = await t.automation({
    steps: [
      { key: 'note', type: 'update_contact', config: { properties: { stage: 'won' } } },
      { key: 'won', type: 'condition', config: { field: 'contact.properties.stage', op: 'equals', value: 'won' } },
      aMail(),
    ],
  });
  const { steps, ended } = await made(`/v1/automations/${id}/simulate`, { email });
  assert.deepEqual([steps.map(({ key }: Body) => key), ended], [['note', 'won', 'mail'], 'completed']);
  assert.deepEqual((await contactOf(email)).properties, { stage: 'new' });
});

test('POST /v1/events takes the id of a contact in place of the address', async () => {
  const { id, name } = await anAutomation([END]);
  const email = aPerson();
  const { id: contact } = await made('/v1/contacts', { email });
  assert.equal((await made('/v1/events', { name, contact_id: contact })).started, 1);
  assert.equal((await t.runs(id))[0].email, email);
  const both = await t.call('POST', '/v1/events', { body: { name, email, contact_id: contact } });
  const none = await t.call('POST', '/v1/events', { body: { name } });
  const unknown = await t.call('POST', '/v1/events', { body: { name, contact_id: id } });
  assert.deepEqual([both.status, none.status, unknown.status, unknown.body.param], [400, 400, 422, 'contact_id']);
  assert.equal((await t.runs(id)).length, 1);
});

test('422 for a list or newsletter that is not there and a property of another type, and 403 without the scope', async () => {
  await made('/v1/contacts', { email: aPerson(), properties: { seats: 3 } });
  const nobody = '0197f500-1c2d-7abc-8def-0123456789ab';
  const refused = async (type: string, config: object) => {
    const reply = await t.call('POST', '', {
      body: { name: 'A', trigger: { type: 'api' }, steps: [{ key: 'a', type, config }] },
    });
    return [reply.status, reply.body.param];
  };
  assert.deepEqual(await refused('add_to_list', { list_id: nobody }), [422, 'steps[0].config.list_id']);
  assert.deepEqual(await refused('unsubscribe', { newsletter_id: nobody }), [422, 'steps[0].config.newsletter_id']);
  assert.deepEqual(await refused('update_contact', { properties: { seats: 'x' } }), [
    422,
    'steps[0].config.properties.seats',
  ]);
  assert.deepEqual(await refused('unsubscribe', {}), [400, 'steps[0].config.list_id']);
  const { id } = await t.automation({
    steps: [{ key: 'a', type: 'update_contact', config: { properties: { seats: 4 } } }],
  });
  const key = await t.key({ scopes: ['automations:write', 'emails:send'] });
  const reply = await t.call('POST', `/${id}/enable`, { body: {}, key });
  assert.deepEqual([reply.status, (await t.call('GET', `/${id}`)).body.status], [403, 'disabled']);
});
