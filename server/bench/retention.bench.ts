/**
 * retention: removing old emails, with their sends, contents and events, beside full sending. It fills a database with
 * emails that are older than the retention, drains a queue to Postfix's smtp-sink once without and once beside the
 * removal, and lets the removal end. The yardstick is one `delete` of the same kind of rows without rests.
 *
 *   npm run bench -- retention [old emails] [emails to drain]
 */
import { sql } from 'kysely';
import type { Db } from '#platform/db/database.ts';
import { newId } from '#platform/ids.ts';
import { startDebianSmtpSink } from '../test/harness/postfix.ts';
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import { type BenchDatabase, startBenchDatabase } from './bench-database.ts';
import { requireSink } from './require-sink.ts';
import { report } from './results.ts';

const [OLD = 5_000_000, DRAIN = 20_000] = process.argv.slice(2).map(Number);
const KEY = 'bench_key_that_every_process_here_knows';
/** Rows are inserted in pages of so many sends, each with an email and two events. */
const SENDS_AT_ONCE = 10_000;
/** So much is removed in one statement for the yardstick. */
const YARDSTICK = Math.min(100_000, OLD / 10);
const html = `<p>${'Hello, this is your receipt. '.repeat(140)}</p>`;

/** Emails of a hundred days ago, one send and one content each, as a shop has them. */
async function fillOld(db: Db, workspaceId: string, emails: number): Promise<void> {
  for (let left = emails; left > 0; left -= SENDS_AT_ONCE) {
    await sql`
      with rows as materialized (
        select overlay(ph_uuidv7()::text placing
                 lpad(to_hex(((extract(epoch from now() - interval '100 days') * 1000)::bigint) >> 16), 8, '0') from 1 for 8)::uuid as id, n
          from generate_series(1, ${Math.min(left, SENDS_AT_ONCE)}::integer) as n
      ), contents as (
        insert into contents (workspace_id, id, from_address, from_domain, subject, html)
        select ${workspaceId}, id, 'shop@bench.example', 'bench.example', 'Your receipt', repeat('receipt ', 60) from rows
      ), sends as (
        insert into send_requests (workspace_id, id, content_id, source, total)
        select ${workspaceId}, id, id, 'api', 1 from rows
      ), emails as (
        insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, sent_at, provider_message_id)
        select ${workspaceId}, id, id, id, 'old' || n || '@example.com', 1, 0, 'delivered', now(), id::text from rows
      )
      insert into email_events (workspace_id, id, email_id, type, recipient)
      select ${workspaceId}, ph_uuidv7(), r.id, t.type::email_event_type, 'old' || r.n || '@example.com'
        from rows r cross join (values ('send'), ('delivery')) as t (type)
       where ${workspaceId}::uuid is not null`.execute(db);
  }
}

const oldEmails = async (db: Db, workspaceId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from emails where workspace_id = ${workspaceId}`.execute(db);
  return rows[0]?.n ?? 0;
};

async function queueEmails(api: PosthornProcess): Promise<void> {
  for (let first = 0; first < DRAIN; first += 1_000) {
    const to = Array.from({ length: Math.min(1_000, DRAIN - first) }, (_, n) => `u${first + n}@example.com`);
    const body = { from: 'shop@bench.example', to, subject: 'Your receipt', html };
    const { status } = await api.fetch('/v1/send', { body });
    if (status !== 202) throw new Error(`answered ${status}`);
  }
}

/** Empties the queue with a worker; `days` is its retention, 0 without. Emails per second, and the old ones removed. */
async function drain(
  database: BenchDatabase,
  sinkPort: number,
  days: number,
  old: string,
): Promise<{ perSecond: number; removed: number; seconds: number }> {
  const env = {
    POSTHORN_API_KEY: KEY,
    POSTHORN_KEY_LIMIT_HOURLY: '0',
    POSTHORN_KEY_LIMIT_DAILY: '0',
    POSTHORN_KEY_LIMIT_MONTHLY: '0',
    POSTHORN_SEND_RATE: '100000',
    POSTHORN_PROVIDER_CEILING: '100000',
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sinkPort}?tls=none`,
    POSTHORN_SENDER_DOMAINS: 'bench.example',
    POSTHORN_RETENTION_DAYS: String(days),
  };
  const api = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  await queueEmails(api);
  await api.stop();
  await sql`update rounds set next_at = 'epoch'`.execute(database.db);
  const before = await oldEmails(database.db, old);
  const beganMs = performance.now();
  const worker = await startProcess({ databaseUrl: database.url, args: ['--role', 'worker'], listens: false, env });
  for (let open = 1; open > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { rows } = await sql<{ open: number }>`
      select count(*)::integer as open from (select from emails where status in ('queued', 'sending') limit 1)`.execute(
      database.db,
    );
    open = rows[0]?.open ?? 0;
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  await worker.stop();
  const { rows } = await sql<{ seconds: number }>`
    select extract(epoch from max(sent_at) - min(handoff_at))::double precision as seconds
      from emails where handoff_at is not null`.execute(database.db);
  await sql`update emails set handoff_at = null where handoff_at is not null`.execute(database.db);
  return { perSecond: DRAIN / (rows[0]?.seconds ?? 1), removed: before - (await oldEmails(database.db, old)), seconds };
}

/** The rest of the old emails, by a worker that has nothing else to do. */
async function removeRest(database: BenchDatabase, old: string): Promise<{ perSecond: number; removed: number }> {
  const before = await oldEmails(database.db, old);
  await sql`update rounds set next_at = 'epoch'`.execute(database.db);
  const env = { POSTHORN_API_KEY: KEY };
  const worker = await startProcess({ databaseUrl: database.url, args: ['--role', 'worker'], listens: false, env });
  const beganMs = performance.now();
  let left = before;
  // At most a minute: the rate is what counts.
  while (left > 0 && performance.now() - beganMs < 60_000) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    left = await oldEmails(database.db, old);
  }
  const seconds = (performance.now() - beganMs) / 1_000;
  await worker.stop();
  return { perSecond: (before - left) / seconds, removed: before - left };
}

requireSink();
await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const sink = await startDebianSmtpSink();
stack.defer(() => sink.stop());
const setUp = await startProcess({ databaseUrl: database.url, env: { POSTHORN_API_KEY: KEY } });
await setUp.stop(); // the tables are there
const old = newId();
await fillOld(database.db, old, OLD);
await sql`vacuum analyze`.execute(database.db);
const yardstickMs = performance.now();
await sql`with gone as (
    delete from emails where workspace_id = ${old} and id in (
      select id from emails where workspace_id = ${old} order by id limit ${YARDSTICK}) returning id)
  delete from email_events v using gone g where v.workspace_id = ${old} and v.email_id = g.id`.execute(database.db);
const bare = YARDSTICK / ((performance.now() - yardstickMs) / 1_000);
const alone = await drain(database, sink.port, 0, old);
const beside = await drain(database, sink.port, 90, old);
const rest = await removeRest(database, old);
report(
  'retention',
  `of ${OLD} old emails ${rest.perSecond.toFixed(0)}/s leave, one bare delete of ${YARDSTICK} ${bare.toFixed(0)}/s; ` +
    `beside a drain ${(beside.removed / beside.seconds).toFixed(0)}/s, and the drain ${beside.perSecond.toFixed(0)}/s, alone ${alone.perSecond.toFixed(0)}/s: ratio ${(beside.perSecond / alone.perSecond).toFixed(2)}`,
  'the drain keeps half of its speed',
);
