import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { newId } from '#platform/ids.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;
type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

async function call(method: Method, url: string, body?: unknown, headers: Record<string, string> = {}) {
  const answer = await app.request({ method, url, headers, ...(body === undefined ? {} : { body }) });
  return { ...answer, body: answer.body as Body };
}

let made = 0;
const anAddress = (): string => `member-${(made += 1)}@example.com`;
const aContact = async (given: object = {}): Promise<Body> =>
  (await call('POST', '/v1/contacts', { email: anAddress(), ...given })).body;
const aList = async (name = 'Customers'): Promise<string> => (await call('POST', '/v1/lists', { name })).body.id;
const add = (list: string, body: object) => call('POST', `/v1/lists/${list}/contacts`, body);
const countOf = async (list: string): Promise<number> => (await call('GET', `/v1/lists/${list}`)).body.contact_count;
const membersOf = async (list: string): Promise<string[]> =>
  (await call('GET', `/v1/contacts?list_id=${list}`)).body.data.map(({ id }: Body) => id);
const unsubscribe = (contact: Body, body?: object) => call('POST', `/v1/contacts/${contact.id}/unsubscribe`, body);

test('201 with the list, which is read, changed and deleted', async () => {
  const { status, body } = await call('POST', '/v1/lists', { name: 'First', description: 'Who came first' });
  assert.equal(status, 201);
  const { id, created_at, updated_at, ...rest } = body;
  assert.ok(id && created_at && updated_at);
  assert.deepEqual(rest, { name: 'First', description: 'Who came first', contact_count: 0 });
  const read = await call('GET', `/v1/lists/${id}`);
  assert.deepEqual(read.body, body);
  assert.equal((await call('GET', '/v1/lists?search=first')).body.total, 1);
  const changed = await call('PATCH', `/v1/lists/${id}`, { description: null });
  assert.deepEqual([changed.body.name, changed.body.description], ['First', null]);
  const etag = { 'if-match': String(read.headers['etag']) };
  assert.equal((await call('DELETE', `/v1/lists/${id}`, undefined, etag)).status, 409);
  assert.deepEqual((await call('DELETE', `/v1/lists/${id}`)).body, { success: true, id });
  assert.equal((await call('GET', `/v1/lists/${id}`)).status, 404);
});

test('contacts are added by id or by address, once, and counted', async () => {
  const [list, one, other, third] = [await aList(), await aContact(), await aContact(), await aContact()];
  const missing = newId();
  const byId = await add(list, { contact_ids: [one.id, one.id, missing] });
  assert.deepEqual(byId.body, { success: true, added: 1, skipped: 0, not_found: [missing] });
  const { body } = await add(list, { emails: [one.email, other.email.toUpperCase(), 'stranger@example.com'] });
  assert.deepEqual(body, { success: true, added: 1, skipped: 1, not_found: ['stranger@example.com'] });
  assert.equal(await countOf(list), 2);
  assert.deepEqual(await membersOf(list), [other.id, one.id]);
  assert.deepEqual((await call('GET', `/v1/contacts/${one.id}`)).body.list_ids, [list]);
  assert.deepEqual((await call('GET', `/v1/contacts/${third.id}`)).body.list_ids, []);
  assert.equal((await call('GET', `/v1/contacts?list_id=${list}&email=${third.email}`)).body.total, 0);
  assert.equal((await call('GET', `/v1/contacts?list_id=${list}&search=${one.email}`)).body.total, 1);
});

test('contacts are taken off a list, and deleted contacts and lists take each other along', async () => {
  const [list, kept] = [await aList(), await aList()];
  const contacts = [await aContact(), await aContact(), await aContact()];
  for (const id of [list, kept]) await add(id, { contact_ids: contacts.map(({ id: contact }) => contact) });
  const [first, second, third] = contacts;
  const removed = await call('DELETE', `/v1/lists/${list}/contacts`, { emails: [first.email, 'stranger@example.com'] });
  assert.deepEqual(removed.body, { success: true, removed: 1 });
  await call('DELETE', `/v1/contacts/${second.id}`);
  assert.deepEqual([await countOf(list), await countOf(kept)], [1, 2]);
  assert.deepEqual(await membersOf(list), [third.id]);
  await call('DELETE', `/v1/lists/${list}`);
  assert.deepEqual((await call('GET', `/v1/contacts/${third.id}`)).body.list_ids, [kept]);
});

test('400 for no contacts, for both names of them, and for an address that is none; nobody is added', async () => {
  const [list, contact] = [await aList(), await aContact()];
  const bad: [string, object][] = [
    ['contact_ids', {}],
    ['emails', { contact_ids: [contact.id], emails: [contact.email] }],
    ['emails[1]', { emails: [contact.email, 'nobody'] }],
    ['contact_ids', { contact_ids: [] }],
  ];
  for (const [param, body] of bad) {
    const answer = await add(list, body);
    assert.deepEqual([answer.status, answer.body.param], [400, param], answer.text);
  }
  assert.equal(await countOf(list), 0);
});

test('a contact who left a list is not added again, also when it was deleted and came back', async () => {
  const [list, other] = [await aList(), await aList()];
  const contact = await aContact();
  for (const id of [list, other]) await add(id, { contact_ids: [contact.id] });
  const { status, body } = await unsubscribe(contact, { list_id: list });
  assert.equal(status, 200);
  assert.deepEqual([body.unsubscribed, body.list_ids], [false, [other]]);
  assert.deepEqual([await countOf(list), await countOf(other)], [0, 1]);
  assert.deepEqual((await add(list, { contact_ids: [contact.id] })).body.added, 0);
  await call('DELETE', `/v1/lists/${list}/contacts`, { contact_ids: [contact.id] });
  assert.deepEqual((await add(list, { contact_ids: [contact.id] })).body.skipped, 1);
  await call('DELETE', `/v1/contacts/${contact.id}`);
  const back = await aContact({ email: contact.email });
  assert.deepEqual((await add(list, { contact_ids: [back.id] })).body.added, 0);
  assert.deepEqual((await add(other, { contact_ids: [back.id] })).body.added, 1);
  assert.deepEqual([await countOf(list), await countOf(other)], [0, 1]);
});

test('unsubscribing twice keeps the first time', async () => {
  const contact = await aContact();
  const first = await unsubscribe(contact);
  assert.deepEqual([first.status, first.body.unsubscribed], [200, true]);
  assert.deepEqual((await unsubscribe(contact, {})).body, first.body);
});

test('404 for a list and a contact that are none, and nothing is changed', async () => {
  const contact = await aContact();
  const [answer, missing] = [
    await unsubscribe(contact, { list_id: newId() }),
    await add(newId(), { emails: [contact.email] }),
  ];
  assert.deepEqual([answer.status, missing.status], [404, 404]);
  assert.equal((await unsubscribe({ id: newId() })).status, 404);
  assert.deepEqual((await call('GET', `/v1/contacts/${contact.id}`)).body, contact);
});

test('requests at once count each contact once', async () => {
  const list = await aList();
  const contacts = Array.from({ length: 60 }, () => ({ email: anAddress() }));
  await call('POST', '/v1/contacts/batch', { contacts });
  const emails = contacts.map(({ email }) => email);
  await Promise.all([
    add(list, { emails }),
    add(list, { emails: emails.toReversed() }),
    ...emails.slice(0, 10).map((email) => call('DELETE', `/v1/contacts/${email}`)),
  ]);
  assert.equal(await countOf(list), 50);
  assert.equal((await membersOf(list)).length, 50);
});
