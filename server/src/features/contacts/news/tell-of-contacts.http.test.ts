import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { addReactions, reactionTo } from '#platform/announcements.ts';
import { createLog } from '#platform/log.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { contactsCreated, contactsErased, contactsJoinedList, contactsUpdated } from '../announcements.ts';
import { runBulkJob } from '../bulk/run-bulk-job.ts';

let app: TestApp;
/** Each announcement with the addresses that it told of. */
let told: string[];

before(async () => {
  app = await createTestApp();
  const note =
    (name: string) =>
    async (_tx: unknown, news: readonly { email: string }[]): Promise<void> => {
      told.push(`${name} ${news.map(({ email }) => email.split('@', 1)[0]).join(' ')}`);
    };
  addReactions(app.db, [
    reactionTo(contactsCreated, note('created')),
    reactionTo(contactsUpdated, note('updated')),
    reactionTo(contactsJoinedList, note('joined')),
    reactionTo(contactsErased, async (_tx, { emails }) => void told.push(`erased ${emails.length}`)),
  ]);
});
after(() => app.close());
beforeEach(() => {
  told = [];
});

async function call(method: 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown): Promise<{ id: string }> {
  const answer = await app.request({ method, url, ...(body === undefined ? {} : { body }) });
  assert.ok(answer.status < 300, answer.text);
  return Object(answer.body);
}

test('A batch is announced once for those who are new and once for those who changed', async () => {
  const rows = (...names: string[]) => names.map((name) => ({ email: `${name}@batch.test`, first_name: name }));
  await call('POST', '/v1/contacts/batch', { contacts: rows('a', 'b') });
  await call('POST', '/v1/contacts/batch', {
    contacts: [...rows('a', 'c', 'd'), { email: 'b@batch.test', name: 'B' }],
  });
  assert.deepEqual(told, ['created a b', 'updated b', 'created c d']);
});

test('A contact is announced when it is created and when a field changes, and not when nothing does', async () => {
  const contact = { email: 'ada@one.test', first_name: 'Ada' };
  await call('POST', '/v1/contacts', contact);
  await call('POST', '/v1/contacts', contact);
  await call('PATCH', '/v1/contacts/ada@one.test', { first_name: 'Ada' });
  await call('PATCH', '/v1/contacts/ada@one.test', { first_name: 'Augusta' });
  await call('POST', '/v1/contacts/ada@one.test/unsubscribe', {});
  await call('POST', '/v1/contacts/ada@one.test/unsubscribe', {});
  assert.deepEqual(told, ['created ada', 'updated ada', 'updated ada']);
});

test('Contacts who come on a list are announced once, and one who left it is not', async () => {
  const { id } = await call('POST', '/v1/lists', { name: 'News' });
  const emails = ['a', 'b', 'c'].map((name) => `${name}@list.test`);
  await call('POST', '/v1/contacts/batch', { contacts: emails.map((email) => ({ email })) });
  await call('POST', '/v1/contacts/c@list.test/unsubscribe', { list_id: id });
  told = [];
  await call('POST', `/v1/lists/${id}/contacts`, { emails });
  await call('POST', `/v1/lists/${id}/contacts`, { emails });
  assert.deepEqual(told, ['joined a b']);
});

test('A bulk job announces those whom it changed, page by page', async () => {
  const { id } = await call('POST', '/v1/lists', { name: 'Bulk' });
  const emails = ['a', 'b'].map((name) => `${name}@bulk.test`);
  await call('POST', '/v1/contacts/batch', { contacts: emails.map((email) => ({ email })) });
  await call('POST', `/v1/lists/${id}/contacts`, { emails: ['a@bulk.test'] });
  told = [];
  const filter = { match: 'all', conditions: [{ field: 'domain', op: 'equals', value: 'bulk.test' }] };
  const wiring = { db: app.db, clock: app.clock, log: createLog({ level: 'silent' }), secrets: app.secrets };
  const actions = [
    { type: 'add_to_list', list_id: id },
    { type: 'update', set: { name: 'X' } },
    { type: 'remove_from_list', list_id: id },
  ];
  for (const action of actions) {
    await call('POST', '/v1/contacts/bulk', { filter, action });
    while (await runBulkJob(wiring));
  }
  assert.deepEqual(told, ['joined b', 'updated a b']);
});

test('An erased contact is announced with its addresses, and a deleted one is not', async () => {
  await call('POST', '/v1/contacts/batch', { contacts: [{ email: 'a@gone.test' }, { email: 'b@gone.test' }] });
  await call('PATCH', '/v1/contacts/a@gone.test', { email: 'a2@gone.test' });
  told = [];
  await call('DELETE', '/v1/contacts/b@gone.test');
  await call('DELETE', '/v1/contacts/a2@gone.test?erase=true');
  assert.deepEqual(told, ['erased 2']);
});
