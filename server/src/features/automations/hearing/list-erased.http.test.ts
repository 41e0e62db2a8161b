import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type AutomationsApp, createAutomationsApp } from '../test-kit.ts';

let t: AutomationsApp;
before(async () => {
  t = await createAutomationsApp();
});
after(() => t.close());

const WAIT = { key: 'wait', type: 'delay', config: { duration: '1 day' } };
const start = (id: string, email: string) => t.call('POST', `/${id}/runs`, { body: { email } });

test('A person who was erased from contacts or from a newsletter starts nothing until they come back', async () => {
  const newsletter = await t.newsletter('erased-people');
  const { id } = await t.enabled({ trigger: { type: 'event:bought' }, reentry: 'every', steps: [WAIT] });
  const subscribe = (email: string) => t.call('POST', `/v1/newsletters/${newsletter}/subscribers`, { body: { email } });
  const [contact, subscriber] = ['contact@erased.test', 'subscriber@erased.test'];
  await t.call('POST', '/v1/contacts', { body: { email: contact } });
  const added = await subscribe(subscriber);
  for (const email of [contact, subscriber]) assert.equal((await t.event('bought', email)).started, 1);
  await t.call('DELETE', `/v1/contacts/${contact}?erase=true`);
  await t.call('DELETE', `/v1/newsletters/${newsletter}/subscribers/${added.body.id}`);
  assert.deepEqual(await t.runs(id), []);
  for (const email of [contact, subscriber]) {
    assert.equal((await t.event('bought', email)).started, 0);
    const refused = await start(id, email);
    assert.deepEqual([refused.status, refused.body.param], [422, 'email']);
    assert.equal((await t.call('POST', `/${id}/test`, { body: { email } })).status, 422);
  }
  assert.deepEqual(await t.runs(id), []);
  await subscribe(subscriber);
  assert.equal((await t.event('bought', subscriber)).started, 1);
  assert.equal((await start(id, 'nobody@erased.test')).status, 202);
});
