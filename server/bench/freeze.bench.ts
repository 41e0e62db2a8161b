/**
 * freeze: lists of 10,000 to 1,000,000 active subscribers turned into one pending email each by the code that a worker
 * runs, page by page. Beside it, in the same run and by the same server, the least that any program could do: one bare
 * `insert … select` of the same rows into a table with the same columns and indexes and no more.
 *
 *   npm run bench -- freeze [subscribers] [page size]
 */
import { sql } from 'kysely';
import { bulkSends, plainContent } from '#features/outbox';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { type Db, inTransaction, openDatabase } from '#platform/db/database.ts';
import { systemClock } from '#platform/clock.ts';
import { migrate } from '#platform/db/migrations/migrate.ts';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { pageOfActiveSubscribers } from '../src/features/newsletters/issues/fan-out/queries.ts';
import { aWorkspace } from '../test/harness/builders.ts';
import { startBenchDatabase } from './bench-database.ts';
import { residentMegabytes } from './processor-time.ts';
import { report } from './results.ts';

const LARGEST = Number(process.argv[2] ?? 1_000_000);
const PAGE = process.argv[3] === undefined ? undefined : Number(process.argv[3]);
const SIZES = [10_000, 30_000, 100_000, 300_000, 1_000_000].filter((size) => size <= LARGEST);

async function fillList(db: Db, workspaceId: string, count: number): Promise<string> {
  const newsletterId = newId();
  // In the order of people who signed up, which is not the order of their addresses.
  for (let first = 1; first <= count; first += 50_000) {
    await sql`
      insert into subscribers (workspace_id, id, newsletter_id, email, name, status)
      select ${workspaceId}, ph_uuidv7(), ${newsletterId}, md5(n::text) || '@example.com', 'Reader ' || n, 'active'
        from generate_series(${first}::integer, ${Math.min(count, first + 49_999)}::integer) as n`.execute(db);
  }
  await sql`vacuum analyze subscribers`.execute(db);
  await sql`checkpoint`.execute(db);
  return newsletterId;
}

const openSend = (db: Db, workspaceId: string, newsletterId: string): Promise<string> =>
  inTransaction(db, (tx) =>
    bulkSends.open(tx, {
      workspaceId,
      origin: { source: 'issue', newsletterId, issueId: newId() },
      audience: { kind: 'newsletter', audienceId: newsletterId },
      content: plainContent({
        from: parseMailbox('Bench <news@bench.example>'),
        domain: { domain: 'bench.example', domainId: null },
        subject: 'News',
        html: '<p>News</p>',
        text: 'News',
        attachments: [],
      }),
      personal: {
        liquid: false,
        headers: [],
        preheader: null,
        frame: { html: { before: '', after: '', preheader: '', footer: '' }, text: { after: '' } },
      },
      links: null,
      sandbox: false,
      requestId: null,
    }),
  );

/** Rows a second of one statement into a table like `emails`, indexes and all, without triggers and checks. */
async function bareInsert(db: Db, workspaceId: string, newsletterId: string, count: number): Promise<number> {
  await sql`drop table if exists bare_emails`.execute(db);
  await sql`create table bare_emails (like emails including defaults including storage including indexes)`.execute(db);
  const [sendId, contentId] = [newId(), newId()];
  const startedAt = performance.now();
  await sql`
    insert into bare_emails (workspace_id, id, send_id, content_id, recipient, recipient_name, subscriber_id, lane, turn, status)
    select s.workspace_id, ph_uuidv7(), ${sendId}::uuid, ${contentId}::uuid, s.email, s.name, s.id, 2, -1, 'pending'
      from subscribers s
     where s.workspace_id = ${workspaceId} and s.newsletter_id = ${newsletterId} and s.status = 'active'
     order by s.email`.execute(db);
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  await sql`drop table bare_emails`.execute(db);
  return perSecond;
}

async function measure(db: Db, count: number): Promise<void> {
  const workspaceId = await aWorkspace(db);
  const newsletterId = await fillList(db, workspaceId, count);
  const bare = await bareInsert(db, workspaceId, newsletterId, count);
  await sql`checkpoint`.execute(db);
  const sendId = await openSend(db, workspaceId, newsletterId);
  let peak = residentMegabytes(process.pid);
  const watch = setInterval(() => {
    peak = Math.max(peak, residentMegabytes(process.pid));
  }, 100);
  const startedAt = performance.now();
  const frozen = await bulkSends.freeze(db, [{ kind: 'newsletter', page: pageOfActiveSubscribers }], () => true, PAGE);
  const perSecond = count / ((performance.now() - startedAt) / 1_000);
  clearInterval(watch);
  if (frozen !== count) throw new Error(`${frozen} of ${count} were frozen`);
  const readAt = performance.now();
  const counts = (await bulkSends.countsOf(db, workspaceId, [sendId])).get(sendId);
  const readMs = performance.now() - readAt;
  const cancelAt = performance.now();
  await bulkSends.cancel(db, { workspaceId, sendId });
  const cancelMs = performance.now() - cancelAt;
  if (counts?.total !== count) throw new Error(`the statistics say ${counts?.total}`);
  report(
    'freeze',
    `${count} subscribers: ${Math.round(perSecond)} rows/s, ${(perSecond / bare).toFixed(2)} × the bare insert (${Math.round(bare)}/s), RSS at most ${Math.round(peak)} MB; statistics in ${readMs.toFixed(1)} ms, cancel in ${cancelMs.toFixed(1)} ms`,
    '≥ 40,000 rows/s, RSS < 256 MB and flat, statistics < 20 ms',
  );
  await sql`truncate emails, send_counts, send_requests, contents, subscribers, subscriber_counts cascade`.execute(db);
}

const server = await startBenchDatabase();
// The bare insert of a million is one statement, and may take as long as it takes.
const log = createLog({ level: 'silent' });
const database = openDatabase({ url: server.url, poolMax: 4, applicationName: 'bench', log, queryTimeoutMs: 0 });
try {
  await migrate({ url: server.url, log, clock: systemClock });
  for (const size of SIZES) await measure(database.db, size);
} finally {
  await database.close();
  await server.close();
}
