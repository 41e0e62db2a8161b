import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type AutomationsApp, type Body, createAutomationsApp } from '../test-kit.ts';

let t: AutomationsApp;
before(async () => {
  t = await createAutomationsApp();
});
after(() => t.close());

async function made(path: string, body: object, key?: string): Promise<Body> {
  const reply = await t.call('POST', path, { body, ...(key === undefined ? {} : { key }) });
  assert.ok(reply.status < 300, reply.text);
  return reply.body;
}

const contact = async (email: string): Promise<string> => (await made('/v1/contacts', { email })).id;

async function addressesOf(condition: object): Promise<string[]> {
  const body = await made('/v1/segments/preview', { filter: { match: 'all', conditions: [condition] } });
  return body.contacts.map(({ email }: { email: string }) => email).toSorted();
}

const rows = async (): Promise<{ name: string; count: number; times: number }[]> => {
  const found = await sql<{ name: string; count: number; times: number }>`
    select name, count::integer as count, cardinality(times) as times from contact_events order by name`.execute(
    t.app.db,
  );
  return found.rows;
};

test('A segment knows which contacts have had an event, and how often', async () => {
  const often = 'often@segment.test';
  const once = 'once@segment.test';
  const never = 'never@segment.test';
  for (const email of [often, once, never]) await contact(email);
  await Promise.all([1, 2, 3].map(() => t.event('order.paid', often)));
  await t.event('order.paid', once);
  await t.event('other', never);
  await t.event('order.paid', 'stranger@segment.test');
  const field = 'received_event:order.paid';
  assert.deepEqual(await addressesOf({ field, op: 'at_least' }), [often, once]);
  assert.deepEqual(await addressesOf({ field, op: 'at_least', count: 3, within: '1 hour' }), [often]);
  assert.deepEqual(await addressesOf({ field, op: 'at_least', count: 4 }), []);
  assert.deepEqual(await addressesOf({ field, op: 'none' }), [never]);
  await sql`update contact_events set times = (select array_agg(x - interval '2 days') from unnest(times) x)`.execute(
    t.app.db,
  );
  assert.deepEqual(await addressesOf({ field, op: 'at_least', within: '1 day' }), []);
  assert.deepEqual(await addressesOf({ field, op: 'at_least', within: '3 days' }), [often, once]);
});

test('An event of a test key concerns no segment, and an erased contact leaves nothing of its events', async () => {
  const email = 'gone@segment.test';
  const id = await contact(email);
  await sql`delete from contact_events`.execute(t.app.db);
  await t.event('seen', email, {}, { key: await t.key({ mode: 'test', scopes: ['events:write'] }) });
  assert.deepEqual(await rows(), []);
  await t.event('seen', email);
  assert.deepEqual(await rows(), [{ name: 'seen', count: 1, times: 1 }]);
  assert.equal((await t.call('DELETE', `/v1/contacts/${id}?erase=true`)).status, 200);
  assert.deepEqual(await rows(), []);
});

test('Of a contact the newest 50 times and the newest 100 names are kept, and every event is counted', async () => {
  const email = 'busy@segment.test';
  const id = await contact(email);
  await Promise.all(Array.from({ length: 60 }, () => t.event('tick', email)));
  assert.deepEqual(await rows(), [{ name: 'tick', count: 60, times: 50 }]);
  await sql`
    insert into contact_events (workspace_id, contact_id, name, count, times)
    select workspace_id, id, 'old.' || lpad(n::text, 3, '0'), 1, array[now() - interval '1 year' - n * interval '1 day']
      from contacts, generate_series(1, 99) n where id = ${id}`.execute(t.app.db);
  await t.event('new', email);
  const names = (await rows()).map(({ name }) => name);
  assert.equal(names.length, 100);
  assert.deepEqual([names.includes('new'), names.includes('tick'), names.includes('old.099')], [true, true, false]);
});

test('422 names the fault of a condition on events', async () => {
  const preview = async (condition: object) =>
    (await t.call('POST', '/v1/segments/preview', { body: { filter: { match: 'all', conditions: [condition] } } }))
      .body;
  const event = 'received_event:order.paid';
  const unnamed = await preview({ field: 'received_event:', op: 'none' });
  assert.equal(unnamed.param, 'filter.conditions[0].field');
  const many = await preview({ field: event, op: 'at_least', count: 51, within: '1 day' });
  assert.equal(many.param, 'filter.conditions[0].count');
  const valued = await preview({ field: event, op: 'none', value: 'x' });
  assert.equal(valued.param, 'filter.conditions[0].value');
});
