/**
 * analytics: what counts over time and the overview cost to read, over HTTP in one process, after a year with five
 * million emails: each quarter of an hour (hour, after a hundred days) has mail of two domains, four kinds and five
 * tags, to two providers.
 *
 *   npm run bench -- analytics [emails]
 */
import { sql } from 'kysely';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { report } from './results.ts';

const EMAILS = Number(process.argv[2] ?? 5_000_000);
const DAYS = 365;
/** Older counts are merged to hours. */
const QUARTERS_DAYS = 100;
const RUNS = 40;
const ZONE = 'Europe/Berlin';
const DAY_MS = 86_400_000;

const database = await startBenchDatabase();
try {
  const first = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000 });
  await first.stop(); // it has made the tables and the home workspace
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const filled = await fill(rows[0]?.id ?? '');
  report('analytics, filling', `${filled} rows for ${EMAILS} emails in ${DAYS} days`, 'none');
  const posthorn = await startProcess({
    databaseUrl: database.url,
    startTimeoutMs: 180_000,
    env: { POSTHORN_API_KEY: first.key },
  });
  try {
    for (const [name, path] of Object.entries(paths())) {
      const read = async (): Promise<void> => {
        const { status, body } = await posthorn.fetch(path);
        if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`);
      };
      await read();
      const times: number[] = [];
      for (let run = 0; run < RUNS; run += 1) {
        const from = performance.now();
        await read();
        times.push(performance.now() - from);
      }
      times.sort((a, b) => a - b);
      const at = (share: number): string => (times[Math.floor(RUNS * share)] ?? 0).toFixed(1);
      report(`analytics, ${name}`, `p50/p95 ${at(0.5)}/${at(0.95)} ms`, '50 ms');
    }
  } finally {
    await posthorn.stop();
  }
} finally {
  await database.close();
}

/** As the counts of a year are kept once they are folded. Returns how many rows. */
async function fill(workspaceId: string): Promise<number> {
  const today = Math.floor(Date.now() / DAY_MS);
  const n = Math.max(1, Math.round(EMAILS / (DAYS * 96) / 4));
  await sql`set statement_timeout = 0`.execute(database.db);
  await sql`
    insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, tag, delay, sent, delivered, opened,
      opened_machine, clicked, bounced, bounced_permanent, complained, unsubscribed, suppressed, failed, folded)
    select ${workspaceId}, q, md5(k.domain)::uuid, k.source, '00000000-0000-0000-0000-000000000000', k.tag, k.delay, ${n}::integer,
           ${n}::integer, ${n}::integer / 3, ${n}::integer / 5, ${n}::integer / 9, 1, 1, 0, 0, 0, 0, true
      from (select generate_series(to_timestamp(0) + make_interval(days => ${today - DAYS}::integer),
                                   to_timestamp(0) + make_interval(days => ${today - QUARTERS_DAYS}::integer),
                                   interval '1 hour')
             union
            select generate_series(to_timestamp(0) + make_interval(days => ${today - QUARTERS_DAYS}::integer), now(),
                                   interval '15 minutes')) as t (q)
     cross join (values ('a', 'api', '', 0), ('a', 'issue', '', 0), ('b', 'api', '', 0), ('b', 'confirmation', '', 0),
                        ('a', 'api', 'kind:receipt', 0), ('a', 'api', 'kind:login', 0), ('b', 'api', 'kind:alert', 0),
                        ('b', 'api', 'team:red', 0), ('b', 'api', 'team:blue', 0), ('a', 'api', '@google', 0),
                        ('a', 'api', '@google', 3), ('a', 'api', '@microsoft', 0), ('a', 'api', '@microsoft', 5),
                        ('a', 'issue', '@google', 0), ('a', 'issue', '@google', 3))
             as k (domain, source, tag, delay)`.execute(database.db);
  const from = performance.now();
  const put = await sql`
    update email_counts set in_eighths = true
     where workspace_id = ${workspaceId} and quarter < now() - interval '1 day'`.execute(database.db);
  const tookMs = performance.now() - from;
  report(
    'analytics, putting into eighths',
    `${Number(put.numAffectedRows)} rows in ${(tookMs / 1000).toFixed(1)} s`,
    'none',
  );
  await sql`vacuum analyze email_counts, email_counts_by_eighth`.execute(database.db);
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from email_counts where workspace_id = ${workspaceId}`.execute(database.db);
  return rows[0]?.n ?? 0;
}

function paths(): Record<string, string> {
  const day = (ago: number): string => new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10);
  const of = (days: number, more: string): string =>
    `/v1/analytics?start=${day(days)}&end=${day(0)}&timezone=${ZONE}&${more}`;
  return {
    '30 days by day': of(30, 'granularity=day'),
    '30 days by day and source': of(30, 'granularity=day&dimensions=period,source'),
    '30 days by tag': of(30, 'dimensions=tag'),
    '83 days by hour': of(83, 'granularity=hour'),
    'a year by day': of(365, 'granularity=day'),
    'a year by week and domain': of(365, 'granularity=week&dimensions=period,domain'),
    'a year by month': of(365, 'granularity=month'),
    'a year by tag': of(365, 'dimensions=tag'),
    'a year by provider': of(365, 'dimensions=mailbox_provider'),
    health: '/v1/analytics/health',
    overview: '/v1/overview',
  };
}
