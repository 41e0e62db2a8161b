/**
 * reads: what a newsletter of a million people and its issues cost to look at, over HTTP in one process: pages,
 * searches for what is common, rare, absent and too short for an index, statistics. Beside them, in the same run, the
 * yardstick: one row by its primary key through the same driver, and the smallest read over HTTP.
 *
 *   npm run bench -- reads [subscribers] [emails]
 */
import { sql } from 'kysely';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { fillNewsletter } from './fill-newsletter.ts';
import { report } from './results.ts';

const SUBSCRIBERS = Number(process.argv[2] ?? 1_000_000);
const EMAILS = Number(process.argv[3] ?? 5_000_000);
const RUNS = 40;

/** Common, rare and absent; as long as an index needs them, and shorter. */
const SEARCHES =
  'a q ! qz da _x % é 漢 .. ada gmail firma12 abc dmitri.abc abcdef nobody-at-all xyzzy@nowhere.example'.split(' ');

interface Times {
  p50: number;
  p95: number;
}

async function timesOf(work: () => Promise<unknown>): Promise<Times> {
  const times: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const from = performance.now();
    await work();
    times.push(performance.now() - from);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(RUNS - 1, Math.floor(RUNS * share))] ?? 0;
  return { p50: at(0.5), p95: at(0.95) };
}

const shown = ({ p50, p95 }: Times): string => `${p50.toFixed(1)}/${p95.toFixed(1)} ms`;

const database = await startBenchDatabase();
try {
  const first = await startProcess({ databaseUrl: database.url, startTimeoutMs: 180_000 });
  await first.stop(); // it has made the tables and the home workspace
  const { rows } = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const workspaceId = rows[0]?.id ?? '';
  await sql`set statement_timeout = 0`.execute(database.db);
  const filled = await fillNewsletter(database.db, workspaceId, { subscribers: SUBSCRIBERS, emails: EMAILS });
  report(
    'reads, filling',
    `${SUBSCRIBERS} subscribers in ${filled.subscribersSeconds.toFixed(0)} s, ${EMAILS} emails in ${filled.emailsSeconds.toFixed(0)} s`,
    'none',
  );
  const posthorn = await startProcess({
    databaseUrl: database.url,
    startTimeoutMs: 180_000,
    env: { POSTHORN_API_KEY: first.key },
  });
  try {
    const base = `/v1/newsletters/${filled.newsletterId}`;
    const read = async (path: string): Promise<{ data: { id: string }[]; next_cursor: string | null }> => {
      const { status, body } = await posthorn.fetch(path);
      if (status !== 200) throw new Error(`${path} was answered with ${status}: ${JSON.stringify(body)}`);
      return body as { data: { id: string }[]; next_cursor: string | null };
    };
    const middle = Math.max(2, Math.floor(SUBSCRIBERS / 200));
    const people = `${base}/subscribers`;
    const deep = (await read(`${people}?limit=100&page=${middle}`)).next_cursor ?? '';
    const deepByAddress = (await read(`${people}?limit=100&page=${middle}&sort=email`)).next_cursor ?? '';
    const somebody = (await read(`${people}?limit=1`)).data[0]?.id ?? '';
    const issue = filled.issueIds[0] ?? '';
    const paths: Record<string, string> = {
      'the smallest read': '/v1/webhooks',
      'first page': people,
      'page by cursor in the middle': `${people}?limit=100&cursor=${deep}`,
      'page by cursor in the middle, by address': `${people}?limit=100&sort=email&cursor=${deepByAddress}`,
      [`page number ${middle}, in the middle`]: `${people}?limit=100&page=${middle}`,
      [`page number ${middle * 2}, the last`]: `${people}?limit=100&page=${middle * 2}`,
      [`page number ${middle}, by address`]: `${people}?limit=100&page=${middle}&sort=email`,
      'page of a status (1 in 20)': `${people}?status=pending`,
      'page of a status, by address': `${people}?status=pending&sort=email`,
      'page of a source': `${people}?source=fair`,
      'page of a source that nobody has': `${people}?source=nowhere`,
      ...Object.fromEntries(SEARCHES.map((text) => [`search ${text}`, `${people}?search=${encodeURIComponent(text)}`])),
      'search gmail, pending, by address': `${people}?search=gmail&status=pending&sort=email`,
      'search abc, by cursor in the middle': `${people}?search=abc&cursor=${deep}`,
      'one subscriber': `${people}/${somebody}`,
      'newsletter with counts': base,
      'list of issues': `${base}/issues`,
      'emails of the newsletter': `/v1/emails?newsletter_id=${filled.newsletterId}`,
      'emails of the newsletter, page 200': `/v1/emails?newsletter_id=${filled.newsletterId}&page=200`,
      'emails of the newsletter that bounced (1 in 20,000)': `/v1/emails?newsletter_id=${filled.newsletterId}&status=bounced`,
      'emails of the newsletter that wait (none)': `/v1/emails?newsletter_id=${filled.newsletterId}&status=queued`,
      'all emails': '/v1/emails',
      'all emails, page 200': '/v1/emails?page=200',
      'all emails that bounced (1 in 20,000)': '/v1/emails?status=bounced',
      'all emails that complained (none)': '/v1/emails?status=complained',
      'all emails in the hands of a worker (none)': '/v1/emails?status=sending',
      'all emails to somebody': '/v1/emails?to=nobody@gmail.com',
    };
    if (issue !== '') {
      paths['one issue'] = `${base}/issues/${issue}`;
      paths['stats of an issue'] = `${base}/issues/${issue}/stats`;
      paths['recipients of an issue'] = `${base}/issues/${issue}/recipients`;
      paths['recipients that bounced (1 in 20,000)'] = `${base}/issues/${issue}/recipients?status=bounced`;
      paths['recipients who clicked (1 in 20,000)'] = `${base}/issues/${issue}/recipients?status=clicked`;
      paths['recipients who opened (1 in 3)'] = `${base}/issues/${issue}/recipients?status=opened`;
      paths['recipients whose email waits (none)'] = `${base}/issues/${issue}/recipients?status=queued`;
      const half = (await read(`${base}/issues/${issue}/recipients?limit=100&page=${middle}`)).next_cursor ?? '';
      paths['page by cursor in the middle, recipients who clicked'] =
        `${base}/issues/${issue}/recipients?status=clicked&cursor=${half}`;
      paths['emails of the issue that wait (none)'] = `/v1/emails?issue_id=${issue}&status=queued`;
      paths['emails of the issue by a subject that it has not'] = `/v1/emails?issue_id=${issue}&subject=nothing`;
    }
    const yardstick = await timesOf(() =>
      sql`select * from subscribers where workspace_id = ${workspaceId} and id = ${somebody}`.execute(database.db),
    );
    report('reads, yardstick', `a row by its primary key, p50/p95 ${shown(yardstick)}`, 'none');
    for (const [name, path] of Object.entries(paths)) {
      await read(path);
      const times = await timesOf(() => read(path));
      report(
        `reads, ${name}`,
        `p50/p95 ${shown(times)} of ${SUBSCRIBERS} subscribers, ${EMAILS} emails`,
        name.startsWith('page by cursor') ? 'p95 < 10 ms' : 'p95 < 50 ms',
      );
    }
  } finally {
    await posthorn.stop();
  }
} finally {
  await database.close();
}
