import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../../../test/harness/app.ts';
import { aNewsletter, aWorkspace } from '../../../../../test/harness/builders.ts';

interface Listed {
  data: { id: string; email: string; name: string | null; status: string; created_at: string }[];
  page?: number;
  total?: number;
  total_pages?: number;
  total_is_estimate?: boolean;
  has_more: boolean;
  next_cursor: string | null;
}

let api: TestApp;
let base: string;
const ROWS = 5_000;

before(async () => {
  api = await createTestApp();
  const { id } = await aNewsletter(api.db, api.workspaceId);
  base = `/v1/newsletters/${id}/subscribers`;
  // Oldest first; 5,000 rows, so that a search goes beyond what is looked through in order.
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, source, status, created_at)
    select ${api.workspaceId}, ph_uuidv7(), ${id}, 'reader' || lpad(n::text, 4, '0') || '@example.com',
           case when n = 7 then 'Zoë 100%_Sure' when n = 8 then 'back\\slash' end,
           case when n % 1000 = 0 then 'rare' end,
           (array['active', 'pending', 'unsubscribed'])[1 + n % 3]::subscriber_status,
           timestamptz '2026-01-01' + make_interval(secs => n)
      from generate_series(1, ${ROWS}::integer) as n`.execute(api.db);
  await strangers('reader0007@example.com');
});
after(() => api.close());

/** The same address where it must not be found. */
async function strangers(email: string): Promise<void> {
  const other = await aWorkspace(api.db);
  for (const [workspaceId, newsletterId] of [
    [other, (await aNewsletter(api.db, other)).id],
    [api.workspaceId, (await aNewsletter(api.db, api.workspaceId)).id],
  ]) {
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, status)
      values (${workspaceId}, ph_uuidv7(), ${newsletterId}, ${email}, 'Zoë 100%_Sure', 'active')`.execute(api.db);
  }
}

const list = async (query: Record<string, string> = {}): Promise<Listed> => {
  const answer = await api.request({ url: `${base}?${new URLSearchParams(query)}` });
  assert.equal(answer.status, 200, answer.text);
  return answer.body as Listed;
};
const emailsOf = ({ data }: Listed): string[] => data.map(({ email }) => email);
const reader = (n: number): string => `reader${String(n).padStart(4, '0')}@example.com`;

test('200 newest first, with the total from the kept sums', async () => {
  const first = await list({ limit: '2' });
  assert.deepEqual(emailsOf(first), [reader(5_000), reader(4_999)]);
  assert.deepEqual([first.page, first.total, first.total_pages, first.has_more], [1, 5_000, 2_500, true]);
  assert.deepEqual(emailsOf(await list({ limit: '2', page: '2' })), [reader(4_998), reader(4_997)]);
  const past = await list({ page: '2501', limit: '2' });
  assert.deepEqual([past.data, past.has_more, past.next_cursor], [[], false, null]);
});

test('200 in each order, page by page through a cursor, with nothing lost or twice', async () => {
  for (const [sort, firstEmail] of [
    ['created_at', reader(1)],
    ['-created_at', reader(5_000)],
    ['email', reader(1)],
  ] as const) {
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Listed = await list({
        sort,
        limit: '100',
        status: 'pending',
        ...(cursor === null ? {} : { cursor }),
      });
      assert.equal(page.total === undefined, cursor !== null);
      seen.push(...emailsOf(page));
      cursor = page.next_cursor;
    } while (cursor !== null);
    const expected = Array.from({ length: ROWS }, (_, index) => index + 1)
      .filter((n) => n % 3 === 1)
      .map(reader);
    assert.deepEqual(seen, sort === '-created_at' ? expected.toReversed() : expected, firstEmail);
  }
});

test('200 for a status, a source, and both with a search', async () => {
  assert.equal((await list({ status: 'active' })).total, 1_666);
  const rare = await list({ source: 'rare' });
  assert.deepEqual([rare.total, emailsOf(rare)], [5, [5_000, 4_000, 3_000, 2_000, 1_000].map(reader)]);
  assert.deepEqual(emailsOf(await list({ source: 'rare', status: 'active', search: 'READER3' })), [reader(3_000)]);
  assert.deepEqual((await list({ source: 'nowhere' })).data, []);
});

test('200 for a search by any part of the address or name, in any case, near the top or at the bottom of the list', async () => {
  for (const [search, expected] of [
    ['reader0007', [7]],
    ['READER0007@EXAMPLE.COM', [7]],
    ['zoë', [7]],
    ['ZOË 100', [7]],
    ['100%_s', [7]],
    ['back\\sl', [8]],
    ['%', [7]],
    ['_', [7]],
    ['\\', [8]],
    ['0%_0', []],
    ['reader%', []],
    ['zz', []],
    ['nobody at all', []],
    ['er4999', [4_999]],
    ['99@', [4_999, 4_899, 4_799]],
  ] as const) {
    const found = await list({ search, limit: '3' });
    assert.deepEqual(emailsOf(found), expected.map(reader), search);
    if (search !== '99@') assert.equal(found.total, expected.length, search);
  }
  assert.equal((await list({ search: '99@' })).total, 50);
  assert.equal((await list({ search: ' ' })).total, 5_000);
});

test('200 for a search that goes on through pages and cursors as an unsearched list would', async () => {
  const expected = Array.from({ length: ROWS }, (_, index) => ROWS - index)
    .map(reader)
    .filter((email) => email.includes('77'));
  for (const by of ['page', 'cursor'] as const) {
    const seen: string[] = [];
    let next: Record<string, string> | null = {};
    for (let page = 2; next !== null; page += 1) {
      const found: Listed = await list({ search: '77', limit: '20', ...next });
      seen.push(...emailsOf(found));
      next = found.next_cursor === null ? null : by === 'page' ? { page: String(page) } : { cursor: found.next_cursor };
    }
    assert.deepEqual(seen, expected, by);
  }
});

test('400 for a status, order, page or cursor that is none', async () => {
  const byTime = (await list({ limit: '1' })).next_cursor ?? '';
  for (const [query, param] of [
    ['status=ACTIVE', 'status'],
    ['status=deleted', 'status'],
    ['status=active,pending', 'status'],
    ['status=active&status=pending', 'status'],
    ['status=', 'status'],
    ['sort=name', 'sort'],
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['limit=-1', 'limit'],
    ['cursor=abc', 'cursor'],
    [`cursor=${byTime}&sort=email`, 'cursor'],
    ['search=%00', 'search'],
    [`search=${'x'.repeat(255)}`, 'search'],
  ] as const) {
    const answer = await api.request({ url: `${base}?${query}` });
    assert.deepEqual([answer.status, (answer.body as { param?: string }).param], [400, param], query);
  }
});

test('the total of more than 10,000 that match a search is an estimate and says so', async () => {
  const { id } = await aNewsletter(api.db, api.workspaceId);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status)
    select ${api.workspaceId}, ph_uuidv7(), ${id}, n || '@many.example', 'active' from generate_series(1, 10050) as n`.execute(
    api.db,
  );
  const { body } = await api.request({ url: `/v1/newsletters/${id}/subscribers?search=many` });
  const { total, total_is_estimate } = body as Listed;
  assert.deepEqual([total, total_is_estimate], [10_001, true]);
  const all = (await api.request({ url: `/v1/newsletters/${id}/subscribers` })).body as Listed;
  assert.deepEqual([all.total, all.total_is_estimate], [10_050, undefined]);
});
