import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { systemClock } from '#platform/clock.ts';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { selectSegment } from './contacts-of-segment.ts';

let app: TestApp;
before(async () => {
  app = await createTestApp();
  await call('POST', '/v1/contacts/batch', {
    contacts: [
      { email: 'ada@example.com', properties: { plan: 'pro', seats: 3, vip: true, since: '2026-01-01' } },
      { email: 'bob@example.com', properties: { plan: 'free', seats: 1 } },
      { email: 'cid@acme.test', unsubscribed: true },
    ],
  });
});
after(() => app.close());

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

async function call(method: 'GET' | 'POST' | 'PATCH' | 'DELETE', url: string, body?: unknown) {
  const answer = await app.request({ method, url, ...(body === undefined ? {} : { body }) });
  return { ...answer, body: answer.body as Body };
}

const all = (...conditions: object[]) => ({ match: 'all', conditions });
const aSegment = async (filter: object, name = 'Some'): Promise<Body> =>
  (await call('POST', '/v1/segments', { name, filter })).body;
const emailsOf = (contacts: Body[]): string[] => contacts.map(({ email }) => email);
const membersOf = async (id: string): Promise<string[]> =>
  emailsOf((await call('GET', `/v1/segments/${id}/contacts`)).body.data);
const pro = { field: 'property:plan', op: 'equals', value: 'pro' };
const atExample = { field: 'domain', op: 'equals', value: 'EXAMPLE.com' };

test('201 with the segment, which is read, listed, changed and deleted', async () => {
  const { status, body } = await call('POST', '/v1/segments', { name: 'Pros', filter: all(pro) });
  assert.equal(status, 201);
  const { id, created_at, updated_at, ...rest } = body;
  assert.ok(id && created_at && updated_at);
  assert.deepEqual(rest, { name: 'Pros', filter: all(pro) });
  assert.deepEqual((await call('GET', `/v1/segments/${id}`)).body, body);
  assert.equal((await call('GET', '/v1/segments?search=pros')).body.total, 1);
  assert.deepEqual(await membersOf(id), ['ada@example.com']);
  const changed = await call('PATCH', `/v1/segments/${id}`, { filter: all(atExample) });
  assert.deepEqual([changed.body.name, changed.body.filter], ['Pros', all(atExample)]);
  assert.deepEqual(await membersOf(id), ['bob@example.com', 'ada@example.com']);
  assert.deepEqual((await call('PATCH', `/v1/segments/${id}`, { name: 'Pros' })).body, changed.body);
  assert.deepEqual((await call('DELETE', `/v1/segments/${id}`)).body, { success: true, id });
  assert.equal((await call('GET', `/v1/segments/${id}`)).status, 404);
});

test('422 with the place of the fault, and nothing is stored', async () => {
  const { body: before } = await call('GET', '/v1/segments');
  const first = 'filter.conditions[0]';
  const nested = (depth: number): object => (depth === 1 ? all(pro) : all(nested(depth - 1)));
  const bad: [string, unknown][] = [
    ['filter', 'everybody'],
    ['filter.match', { conditions: [pro] }],
    ['filter.conditions', all()],
    ['filter.conditions', { match: 'all' }],
    ['filter.conditions', all(...Array.from({ length: 51 }, () => pro))],
    ['filter.sql', { ...all(pro), sql: '1=1' }],
    [first, { match: 'any', conditions: ['1=1'] }],
    [`${first}.field`, all({ op: 'equals', value: 'x' })],
    [`${first}.field`, all({ field: 'password', op: 'equals', value: 'x' })],
    [`${first}.field`, all({ field: 'property:nothing', op: 'is_set' })],
    [`${first}.field`, all({ field: 'property:__proto__', op: 'is_set' })],
    [`${first}.field`, all({ field: 'list:1', op: 'is_true' })],
    [`${first}.field`, all({ field: `list:${newId()}`, op: 'is_true' })],
    [`${first}.field`, all({ field: `segment:${newId()}`, op: 'is_true' })],
    [`${first}.op`, all({ field: 'email' })],
    [`${first}.op`, all({ field: 'email', op: 'gt', value: 'x' })],
    [`${first}.op`, all({ field: 'property:seats', op: 'contains', value: '3' })],
    [`${first}.op`, all({ field: 'property:plan', op: 'before', value: '2026-01-01' })],
    [`${first}.op`, all({ field: 'property:vip', op: 'equals', value: true })],
    [`${first}.value`, all({ field: 'property:seats', op: 'gt', value: 'three' })],
    [`${first}.value`, all({ field: 'property:seats', op: 'gt' })],
    [`${first}.value`, all({ field: 'property:since', op: 'before', value: '2026-02-30' })],
    [`${first}.value`, all({ field: 'email', op: 'contains', value: '' })],
    [`${first}.value`, all({ field: 'email', op: 'contains', value: 7 })],
    [`${first}.value`, all({ field: 'email', op: 'contains', value: 'x'.repeat(501) })],
    [`${first}.value`, all({ field: 'unsubscribed', op: 'is_true', value: true })],
    [`${first}.count`, all({ field: 'opened', op: 'at_least', count: 0 })],
    [`${first}.count`, all({ field: 'opened', op: 'none', count: 1 })],
    [`${first}.count`, all({ ...pro, count: 1 })],
    [`${first}.within`, all({ field: 'opened', op: 'none', within: 'a while' })],
    [`${first}.within`, all({ field: 'opened', op: 'none', within: '3651 days' })],
    [`${first}.vaule`, all({ ...pro, vaule: 'x' })],
    [`filter.conditions[1].conditions[0].op`, all(pro, { match: 'any', conditions: [{ field: 'name', op: '=' }] })],
    [[first, ...Array<string>(4).fill('conditions[0]')].join('.'), nested(6)],
  ];
  for (const [param, filter] of bad) {
    const created = await call('POST', '/v1/segments', { name: 'Bad', filter });
    assert.deepEqual([created.status, created.body.param], [422, param], created.text);
    assert.equal((await call('POST', '/v1/segments/preview', { filter })).status, 422);
  }
  assert.equal((await call('POST', '/v1/segments', { name: 'Deep', filter: nested(5) })).status, 201);
  assert.equal((await call('GET', '/v1/segments')).body.total, before.total + 1);
});

test('400 names a fault of the name and one of the filter together, and nothing is stored', async () => {
  const { id } = await aSegment(all(pro));
  const bad = { name: '', filter: all({ field: 'password', op: 'equals', value: 'x' }) };
  const { total } = (await call('GET', '/v1/segments')).body;
  for (const [method, url] of [
    ['POST', '/v1/segments'],
    ['PATCH', `/v1/segments/${id}`],
  ] as const) {
    const { status, body, text } = await call(method, url, bad);
    assert.equal(status, 400, text);
    assert.match(body.details.join(' '), /name .*filter\.conditions\[0\]\.field is unknown/);
  }
  assert.equal((await call('GET', '/v1/segments')).body.total, total);
  assert.deepEqual((await call('GET', `/v1/segments/${id}`)).body.filter, all(pro));
});

test('a filter from a list, its conditions of mail and of what is set', async () => {
  const list = (await call('POST', '/v1/lists', { name: 'Listed' })).body.id;
  await call('POST', `/v1/lists/${list}/contacts`, { emails: ['ada@example.com', 'cid@acme.test'] });
  const listed = { field: `list:${list}`, op: 'is_true' };
  const { id } = await aSegment(all(listed, { field: 'unsubscribed', op: 'is_false' }, { field: 'sent', op: 'none' }));
  assert.deepEqual(await membersOf(id), ['ada@example.com']);
  await call('DELETE', `/v1/lists/${list}`);
  assert.deepEqual(await membersOf(id), []);
});

test('422 for segments that name each other in a circle, and for one that would be too long; 409 to delete one that is named', async () => {
  const inner = await aSegment(all(atExample), 'Inner');
  const middle = await aSegment(all({ field: `segment:${inner.id}`, op: 'is_true' }, pro));
  const outer = await aSegment({ match: 'any', conditions: [{ field: `segment:${middle.id}`, op: 'is_false' }] });
  assert.deepEqual(await membersOf(middle.id), ['ada@example.com']);
  assert.deepEqual(await membersOf(outer.id), ['cid@acme.test', 'bob@example.com']);
  for (const one of [inner, middle, outer]) {
    const answer = await call('PATCH', `/v1/segments/${inner.id}`, {
      filter: all({ field: `segment:${one.id}`, op: 'is_true' }),
    });
    assert.deepEqual([answer.status, answer.body.param], [422, 'filter.conditions[0].field'], answer.text);
  }
  assert.deepEqual((await call('GET', `/v1/segments/${inner.id}`)).body, inner);
  const removed = await call('DELETE', `/v1/segments/${middle.id}`);
  assert.equal(removed.status, 409);
  assert.match(removed.body.message, /Some/);
  const many = (id: string) => all(...Array.from({ length: 10 }, () => ({ field: `segment:${id}`, op: 'is_true' })));
  const long = await aSegment(many(outer.id));
  const longer = await call('POST', '/v1/segments', { name: 'Longer', filter: many(long.id) });
  assert.deepEqual([longer.status, longer.body.param], [422, 'filter'], longer.text);
  const grown = await call('PATCH', `/v1/segments/${inner.id}`, {
    filter: all(...Array.from({ length: 20 }, () => pro)),
  });
  assert.deepEqual([grown.status, grown.body.param], [422, 'filter'], grown.text);
});

test('a preview counts and shows contacts, and stores nothing', async () => {
  const { body } = await call('POST', '/v1/segments/preview', { filter: all(atExample) });
  assert.deepEqual([body.count, body.looked_at, body.complete], [2, 3, true]);
  assert.deepEqual(emailsOf(body.contacts), ['bob@example.com', 'ada@example.com']);
});

test('an explanation says of each condition whether a contact meets it', async () => {
  const { id } = await aSegment(
    all(atExample, { match: 'any', conditions: [pro, { field: 'opened', op: 'at_least' }] }),
  );
  const { body } = await call('GET', `/v1/segments/${id}/explain?contact=bob@example.com`);
  assert.equal(body.matches, false);
  assert.deepEqual(
    body.conditions.map(({ at, matches }: Body) => [at, matches]),
    [
      ['filter.conditions[0]', true],
      ['filter.conditions[1]', false],
      ['filter.conditions[1].conditions[0]', false],
      ['filter.conditions[1].conditions[1]', false],
    ],
  );
  assert.deepEqual(body.conditions[2], { at: 'filter.conditions[1].conditions[0]', ...pro, matches: false });
  assert.equal((await call('GET', `/v1/segments/${id}/explain?contact=ada@example.com`)).body.matches, true);
  assert.equal((await call('GET', `/v1/segments/${id}/explain?contact=none@example.com`)).status, 404);
  assert.equal((await call('GET', `/v1/segments/${id}/explain`)).status, 400);
});

test('a segment as a select is evaluated within the transaction that embeds it', async () => {
  const { id } = await aSegment(all(atExample));
  const emails = await inTransaction(app.db, async (tx) => {
    const select = await selectSegment({ workspaceId: app.workspaceId, clock: systemClock }, tx, id);
    const { rows } = await sql<{ email: string }>`select email from (${select}) s order by email`.execute(tx);
    return rows.map(({ email }) => email);
  });
  assert.deepEqual(emails, ['ada@example.com', 'bob@example.com']);
});

test('mail to an address that a contact had before belongs to it, until another contact has the address', async () => {
  const moved = (await call('POST', '/v1/contacts', { email: 'before@example.org' })).body;
  await sql`
    insert into emails (workspace_id, id, content_id, recipient, lane, turn, status, sent_at)
    values (${app.workspaceId}, ${newId()}, ${newId()}, 'before@example.org', 1, 1, 'sent', now())`.execute(app.db);
  await call('PATCH', `/v1/contacts/${moved.id}`, { email: 'after@example.org' });
  const { id } = await aSegment(all({ field: 'sent', op: 'at_least', within: '1 hour' }));
  assert.deepEqual(await membersOf(id), ['after@example.org']);
  await call('POST', '/v1/contacts', { email: 'before@example.org' });
  assert.deepEqual(await membersOf(id), ['before@example.org']);
});
