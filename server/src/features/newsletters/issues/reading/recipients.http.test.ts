import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Body, createIssuesApp, type IssuesApp, type Reply } from '../test-kit.ts';

const READERS = 6;

let t: IssuesApp;
let of: string;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' } });
  const newsletterId = await t.list(READERS);
  const issueId = (await t.draft(newsletterId)).id;
  of = `/${newsletterId}/issues/${issueId}`;
  assert.equal((await t.call('POST', `${of}/send`)).status, 202);
  await t.until('all have it', async () => (await stats()).delivered === READERS);
  await sql`update emails set status = 'complained' where workspace_id = ${t.app.workspaceId}
    and recipient = 'reader-0@example.com'`.execute(t.app.db);
});
after(() => t.close());

const get = (query: string): Promise<Reply> => t.call('GET', `${of}/recipients?${query}`);
const stats = async (): Promise<Body> => (await t.call('GET', `${of}/stats`)).body;
const addresses = async (query: string): Promise<string[]> =>
  (await get(query)).body.data.map(({ email }: Body) => email).sort();

test('200: each count of the statistics is the number of recipients that it lists', async () => {
  const { total, pending, sent, delivered, complained, bounced, failed, unsubscribed } = await stats();
  for (const [counted, count] of Object.entries({
    total,
    pending,
    sent,
    delivered,
    complained,
    bounced,
    failed,
    unsubscribed,
  })) {
    const { body } = await get(`counted=${counted}`);
    assert.deepEqual([body.data.length, body.total], [count, count], counted);
  }
  assert.deepEqual([delivered, complained], [READERS, 1]);
  assert.equal((await get('status=delivered')).body.total, READERS - 1);
});

test('200: a part of an address finds its people, with a count and page by page, and nobody else', async () => {
  assert.deepEqual(await addresses('search=Reader-3'), ['reader-3@example.com']);
  assert.equal((await addresses('search=@example.com')).length, READERS);
  assert.deepEqual(await addresses('search=reader-0&counted=complained'), ['reader-0@example.com']);
  assert.deepEqual(await addresses('search=reader-1&counted=complained'), []);
  assert.deepEqual(await addresses('search=nobody%25'), []);
  const first = (await get('search=example.com&limit=4')).body;
  const rest = (await get(`search=example.com&limit=4&cursor=${first.next_cursor}`)).body;
  assert.deepEqual([first.data.length, first.total, rest.data.length, rest.has_more], [4, READERS, 2, false]);
  assert.equal((await get('search=reader-2&format=csv')).text.trim().split('\n').length, 2);
});

test('200: somebody who was deleted since is found by the whole address', async () => {
  await sql`delete from subscribers where workspace_id = ${t.app.workspaceId} and email = 'reader-5@example.com'`.execute(
    t.app.db,
  );
  assert.deepEqual(await addresses('search=reader-5@example.com'), ['reader-5@example.com']);
  assert.deepEqual(await addresses('search=reader-5'), []);
});

test('400 for a text that no index finds, and for two filters of one kind', async () => {
  for (const [query, param] of [
    ['search=ab', 'search'],
    ['search=---', 'search'],
    [`search=${'x'.repeat(321)}`, 'search'],
    ['counted=opened_machine', 'counted'],
    ['counted=sent&status=sent', 'counted'],
  ]) {
    const { status, body } = await get(query ?? '');
    assert.deepEqual([status, body.param], [400, param], query);
  }
});
