/**
 * Lists and searches of one newsletter with a million subscribers: what a page of each costs, and what the search index
 * adds to an insert. `node bench/subscribers.bench.ts [rows]`; it makes a database of its own and prints percentiles.
 */
import { sql } from 'kysely';
import { listSubscribers, type ListAsked } from '../src/features/newsletters/subscribers/list-subscribers.ts';
import { selectNewsletter } from '../src/features/newsletters/queries.ts';
import { aNewsletter, aWorkspace } from '../test/harness/builders.ts';
import { createTestDatabase } from '../test/harness/database.ts';

const ROWS = Number(process.argv[2] ?? 1_000_000);
const RUNS = 30;

const t = await createTestDatabase({ queryTimeoutMs: 0 });
try {
  const workspaceId = await aWorkspace(t.db);
  const { id } = await aNewsletter(t.db, workspaceId);
  const newsletter = await selectNewsletter(t.db, workspaceId, id);
  if (newsletter === undefined) throw new Error('the newsletter is missing');
  const insert = async (from: number, to: number): Promise<number> => {
    const started = performance.now();
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, source, status, created_at)
      select ${workspaceId}, ph_uuidv7(), ${id},
             (array['ada','bob','carla','dmitri','eve','farid','grace','hugo','ines','jun'])[1 + n % 10] || '.'
               || substr(md5(n::text), 1, 6) || case when n % 50 = 0 then '_x' when n % 77 = 0 then '%25' else '' end || n
               || '@' || (array['gmail.com','example.com','outlook.com','firma' || n % 5000 || '.de'])[1 + n % 4],
             case when n % 3 = 0 then null else initcap(substr(md5((n * 7)::text), 1, 5)) || ' ' || initcap(substr(md5((n * 13)::text), 1, 8)) end,
             'source-' || n % 7, (array['active','active','active','pending','unsubscribed'])[1 + n % 5]::subscriber_status,
             now() - make_interval(secs => ${ROWS} - n)
        from generate_series(${from}::integer, ${to}::integer) as n`.execute(t.db);
    return performance.now() - started;
  };
  const page = 50_000;
  let last = 0;
  for (let from = 1; from <= ROWS; from += page) last = await insert(from, Math.min(ROWS, from + page - 1));
  console.log(`the last ${page} rows: ${Math.round((page / last) * 1_000)} rows/s with the search index`);
  await sql`insert into subscribers (workspace_id, id, newsletter_id, email, name, status, created_at)
    values (${workspaceId}, ph_uuidv7(), ${id}, 'needle.qzxj@rare.example', 'Zoë Qwfpj', 'active', now() - interval '9 days')`.execute(
    t.db,
  );
  await sql`vacuum analyze subscribers`.execute(t.db);
  const { rows: sizes } = await sql<{ name: string; mb: number }>`
    select indexrelname as name, pg_relation_size(indexrelid) / 1048576 as mb from pg_stat_user_indexes
     where relname = 'subscribers' order by 2 desc`.execute(t.db);
  console.log(sizes.map(({ name, mb }) => `${name} ${mb} MB`).join(', '));

  const ctx = { db: t.db, workspaceId };
  const measure = async (name: string, asked: ListAsked): Promise<void> => {
    const times: number[] = [];
    let found = 0;
    for (let run = 0; run < RUNS; run += 1) {
      const started = performance.now();
      const { rows } = await listSubscribers(ctx, newsletter, asked);
      times.push(performance.now() - started);
      found = rows.length;
    }
    times.sort((a, b) => a - b);
    const at = (share: number): string => (times[Math.min(RUNS - 1, Math.floor(RUNS * share))] ?? 0).toFixed(1);
    console.log(`${name.padEnd(46)} p50 ${at(0.5).padStart(7)} ms  p95 ${at(0.95).padStart(7)} ms  ${found} rows`);
  };
  const cursorOf = async (asked: ListAsked): Promise<string> => {
    const listed = await listSubscribers(ctx, newsletter, asked);
    const row = listed.rows.at(-1);
    if (row === undefined) throw new Error('an empty page');
    return Buffer.from(JSON.stringify({ c: listed.keyOf(row), i: row.id })).toString('base64url');
  };
  const deep = await cursorOf({ page: '5000', limit: '100' });
  const deepEmail = await cursorOf({ page: '5000', limit: '100', sort: 'email' });
  await measure('first page', {});
  await measure('page of a status', { status: 'pending' });
  await measure('page of a source', { source: 'source-3' });
  await measure('page of a source that nobody has', { source: 'nowhere' });
  await measure('keyset page in the middle', { cursor: deep, limit: '100' });
  await measure('keyset page in the middle, by address', { cursor: deepEmail, limit: '100', sort: 'email' });
  await measure('page number 5,000', { page: '5000', limit: '100' });
  for (const search of [
    'a',
    '9',
    'qz',
    'zq',
    '_x',
    '%25',
    '%',
    '_',
    'ada',
    'gmail',
    'gmail.com',
    'firma123',
    'firma1234.de',
    'qzxj',
    'needle',
    'zoë',
    'abcdef',
    'dmitri.abc',
    'nobody-at-all',
    'ada.c4ca42',
    'xyzzy@nowhere.example',
  ]) {
    await measure(`search ${search}`, { search });
  }
  await measure('search gmail, pending, by address', { search: 'gmail', status: 'pending', sort: 'email' });
  await measure('search abc, keyset page in the middle', { search: 'abc', cursor: deep });
} finally {
  await t.close();
}
