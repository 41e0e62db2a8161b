import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql, type RawBuilder } from 'kysely';
import { systemActor } from '#platform/http/context.ts';
import { aNewsletter, aWorkspace } from '../../../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../../../test/harness/database.ts';
import { vacuum } from '../../../../../test/harness/vacuum.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import { type PageAsked, pageOfList } from './list-queries.ts';
import { type ListAsked, listSubscribers, type SubscriberPage } from './list-subscribers.ts';
import { searchPage } from './search-queries.ts';

let t: TestDatabase;
let workspaceId: string;
let newsletter: Newsletter;

/** More than are looked through before an index is asked, newer than whom a test looks for. */
const FILLERS = 12_000;
const ASCII = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n));
const FOLLOWERS = [...ASCII, ' ', '\u007f', 'é', 'ß', '漢', 'Я', '–', '😀', ''];

before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
  const { id } = await aNewsletter(t.db, workspaceId);
  const found = await selectNewsletter(t.db, workspaceId, id);
  assert.ok(found);
  newsletter = found;
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, status, created_at)
    select ${workspaceId}, ph_uuidv7(), ${id}, 'f' || lpad(n::text, 5, '0') || '@example.com',
           case when n % 100 = 0 then 'hundred' when n % 3 = 0 then '%' end,
           case when n % 1000 = 0 then 'pending' else 'active' end, timestamptz '2026-02-01' + make_interval(secs => n)
      from generate_series(1, ${FILLERS}::integer) as n`.execute(t.db);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, status, created_at)
    select ${workspaceId}, ph_uuidv7(), ${id}, 'old' || n || '@example.com', 'O' || 'Qz' || follower, 'unsubscribed',
           timestamptz '2026-01-01' + make_interval(secs => n::integer)
      from unnest(${FOLLOWERS}::text[]) with ordinality as f (follower, n)`.execute(t.db);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, status, created_at)
    values (${workspaceId}, ph_uuidv7(), ${id}, 'x.qz@example.com', 'q z', 'unsubscribed', '2026-01-01'),
           (${workspaceId}, ph_uuidv7(), ${id}, 'q.z@example.com', 'kq é', 'unsubscribed', '2025-01-01')`.execute(t.db);
  await vacuum(t.db, 'subscribers');
});
after(() => t.close());

const list = (asked: ListAsked): Promise<SubscriberPage> =>
  listSubscribers({ db: t.db, workspaceId, actor: systemActor }, newsletter.id, asked);
const emailsOf = ({ rows, page }: SubscriberPage): string[] => rows.slice(0, page.limit).map(({ email }) => email);
const filler = (n: number): string => `f${String(n).padStart(5, '0')}@example.com`;

interface Node {
  'Node Type': string;
  'Index Name'?: string;
  'Heap Fetches'?: number;
  'Actual Rows': number;
  Plans?: Node[];
}

async function nodesOf(statement: RawBuilder<unknown>): Promise<Node[]> {
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: Node }] }>`explain (analyze, format json) ${statement}`.execute(
    t.db,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  assert.ok(plan);
  const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  return flat(plan);
}

const asked = (of: Partial<PageAsked>): PageAsked => ({
  newsletterId: newsletter.id,
  status: null,
  source: null,
  search: null,
  order: '-created_at',
  after: null,
  limit: 50,
  offset: 0,
  ...of,
});

test('a search for two letters finds them before every other character, at the end, and nowhere else', async () => {
  for (const search of ['qz', 'QZ', 'qZ']) {
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const found = await list({ search, page: String(page), limit: '40' });
      assert.deepEqual([found.total, found.totalIsEstimate], [FOLLOWERS.length + 1, false]);
      seen.push(...emailsOf(found));
      if (found.rows.length <= 40) break;
    }
    const expected = FOLLOWERS.map((_, n) => `old${n + 1}@example.com`);
    assert.deepEqual(seen.toSorted(), [...expected, 'x.qz@example.com'].toSorted(), search);
  }
  assert.deepEqual(emailsOf(await list({ search: 'kq' })), ['q.z@example.com']);
  assert.deepEqual(emailsOf(await list({ search: 'É', limit: '2' })), [
    `old${FOLLOWERS.indexOf('é') + 1}@example.com`,
    'q.z@example.com',
  ]);
  const nobody = await list({ search: 'wj' });
  assert.deepEqual([nobody.rows, nobody.total, nobody.totalIsEstimate], [[], 0, false]);
});

test('a search for two letters reads the index of trigrams and not the list', async () => {
  const nodes = await nodesOf(searchPage(workspaceId, { ...asked({}), search: 'qz' }, false));
  const indexes = new Set(nodes.flatMap((node) => node['Index Name'] ?? []));
  assert.deepEqual([...indexes].toSorted(), ['subscribers_beyond_ascii', 'subscribers_search']);
  assert.ok(!nodes.some((node) => node['Node Type'] === 'Seq Scan'), JSON.stringify(nodes.map((n) => n['Node Type'])));
});

test('a search for one character, or several that make no word, finds each who has them, and counts the few', async () => {
  const oldOf = (...followers: string[]): string[] =>
    followers.map((one) => `old${FOLLOWERS.indexOf(one) + 1}@example.com`);
  for (const [search, expected] of [
    ['~', oldOf('~')],
    ['漢', oldOf('漢')],
    ['😀', oldOf('😀')],
    ['ß', oldOf('ß')],
    ['Я', oldOf('Я')],
    ['я', oldOf('Я')],
    ['z漢', oldOf('漢')],
    ['z!', oldOf('!')],
    ['~~', []],
    ['漢字', []],
    ['..', []],
    ['_', oldOf('_')],
    ['字', []],
  ] as const) {
    const found = await list({ search, limit: '5' });
    assert.deepEqual([emailsOf(found), found.total, found.totalIsEstimate], [expected, expected.length, false], search);
  }
  const zs = await list({ search: 'z', limit: '5', status: 'unsubscribed', sort: 'email' });
  assert.deepEqual([zs.total, zs.totalIsEstimate], [FOLLOWERS.length + 2, false]);
  const second = await list({ search: 'q', limit: '5', page: '3', sort: 'email' });
  const byAddress = [...FOLLOWERS.map((_, n) => `old${n + 1}@example.com`), 'x.qz@example.com', 'q.z@example.com'];
  assert.deepEqual(emailsOf(second), byAddress.toSorted().slice(10, 15));
  assert.deepEqual(
    [second.total, second.totalIsEstimate],
    [FOLLOWERS.length + 2, false],
    'old, and so none of the sample',
  );
});

test('a search for a character that few have reads those few and not the list', async () => {
  for (const search of ['~', '字', '~~']) {
    const nodes = await nodesOf(searchPage(workspaceId, { ...asked({}), search }, false));
    assert.ok(
      nodes.some((node) => node['Index Name'] === 'subscribers_characters'),
      search,
    );
    assert.ok(Math.max(...nodes.map((node) => node['Actual Rows'])) <= 2, search);
  }
});

test('a filter without an index is estimated from the newest rows, and never below the rows seen', async () => {
  const some = await list({ search: '%' });
  assert.equal(some.totalIsEstimate, true);
  assert.ok(some.total !== null && Math.abs(some.total - 3_961) < 200, String(some.total));
  const last = await list({ search: '%', page: '40', limit: '100' });
  assert.deepEqual([last.rows.length, last.total, last.totalIsEstimate], [61, 3_961, false]);
});

test('a page far down is the same from either end of the list, in each order', async () => {
  const all = Array.from({ length: FILLERS }, (_, n) => filler(n + 1));
  const size = FILLERS + FOLLOWERS.length + 2;
  for (const [page, from] of [
    [2, 100],
    [60, 5_900],
    [100, 9_900],
    [120, 11_900],
  ] as const) {
    const query = { limit: '100', page: String(page) };
    assert.deepEqual(emailsOf(await list(query)), all.toReversed().slice(from, from + 100));
    assert.deepEqual(emailsOf(await list({ ...query, sort: 'email' })), all.slice(from, from + 100));
    const active = all.filter((_, n) => (n + 1) % 1_000 !== 0);
    const byStatus = await list({ ...query, sort: 'email', status: 'active' });
    assert.deepEqual(emailsOf(byStatus), active.slice(from, from + 100));
  }
  const last = await list({ limit: '100', page: '122' });
  assert.deepEqual([last.rows.length, last.rows.at(-1)?.email, last.total], [size - 12_100, 'q.z@example.com', size]);
  assert.deepEqual((await list({ limit: '100', page: '123' })).rows, []);
});

test('a page far down passes over entries of an index alone', async () => {
  for (const what of [{}, { order: 'email' }, { order: 'email', status: 'active' }] as const) {
    const nodes = await nodesOf(pageOfList(workspaceId, asked({ ...what, offset: 6_000 }), null));
    const scan = nodes.find((node) => node['Actual Rows'] > 5_000);
    assert.ok(scan);
    assert.deepEqual([scan['Node Type'], scan['Heap Fetches']], ['Index Only Scan', 0], JSON.stringify(what));
  }
});

test('a state that few are in is listed by address, page by page', async () => {
  const pending = Array.from({ length: 12 }, (_, n) => filler((n + 1) * 1_000));
  for (const status of ['pending', 'unsubscribed'] as const) {
    const all = emailsOf(await list({ status, sort: 'email', limit: '100' }));
    assert.deepEqual(all, all.toSorted());
    if (status === 'pending') assert.deepEqual(all, pending);
    const second = await list({ status, sort: 'email', limit: '5', page: '2' });
    assert.deepEqual(emailsOf(second), all.slice(5, 10));
    assert.equal(second.total, status === 'pending' ? 12 : FOLLOWERS.length + 2);
  }
});
