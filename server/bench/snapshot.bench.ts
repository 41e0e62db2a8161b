/**
 * snapshot: accepting single sends while a queue of emails drains and another session holds a snapshot, as a backup or
 * a standby does. PostgreSQL then keeps each dead entry of the queue's indexes. The median of single sends is taken
 * before, and after so many emails have drained while the snapshot is held. Beside it the same with the heads of the
 * lanes fixed at 0, so that each accept looks for its turn from the lowest entry on.
 *
 *   npm run bench -- snapshot [emails]
 */
import { sql } from 'kysely';
import pg from 'pg';
import { startDebianSmtpSink } from '../test/harness/postfix.ts';
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import { type BenchDatabase, startBenchDatabase } from './bench-database.ts';
import { requireSink } from './require-sink.ts';
import { report } from './results.ts';

const EMAILS = Number(process.argv[2] ?? 60_000);
const KEY = 'bench_key_that_every_process_here_knows';
const CALL_MAX = 1_000;
const SINGLE_SENDS = 300;
const from = 'shop@bench.example';
const html = '<p>Hello, this is your receipt.</p>';

const median = (all: readonly number[]): number => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;

async function drained(database: BenchDatabase): Promise<void> {
  for (let open = 1; open > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from (select from emails where status in ('queued', 'sending') limit 1)`.execute(
      database.db,
    );
    open = rows[0]?.open ?? 0;
  }
}

async function accept(api: PosthornProcess, to: string[]): Promise<number> {
  const startedMs = performance.now();
  const { status, body } = await api.fetch('/v1/send', { body: { from, to, subject: 'Your receipt', html } });
  if (status !== 202) throw new Error(JSON.stringify(body));
  return performance.now() - startedMs;
}

/** The median of single sends, one after another, while the worker sends them. */
async function acceptP50(api: PosthornProcess, name: string): Promise<number> {
  const took: number[] = [];
  for (let n = 0; n < SINGLE_SENDS; n += 1) took.push(await accept(api, [`${name}${n}@example.com`]));
  return median(took);
}

interface Measured {
  beforeMs: number;
  afterMs: number;
}

async function measure(sinkPort: number, withHeads: boolean): Promise<Measured> {
  await using stack = new AsyncDisposableStack();
  const database = await startBenchDatabase();
  stack.defer(() => database.close());
  const env = {
    POSTHORN_API_KEY: KEY,
    POSTHORN_KEY_LIMIT_HOURLY: '0',
    POSTHORN_KEY_LIMIT_DAILY: '0',
    POSTHORN_KEY_LIMIT_MONTHLY: '0',
    POSTHORN_SEND_RATE: '100000',
    POSTHORN_PROVIDER_CEILING: '100000',
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sinkPort}?tls=none`,
    POSTHORN_SENDER_DOMAINS: 'bench.example',
  };
  const api = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  stack.defer(async () => void (await api.stop()));
  if (!withHeads) {
    await sql`create or replace function ph_lane_head(p_lane smallint) returns bigint language sql stable
      as 'select 0::bigint'`.execute(database.db);
  }
  const worker = await startProcess({ databaseUrl: database.url, args: ['--role', 'worker'], listens: false, env });
  stack.defer(async () => void (await worker.stop()));
  await acceptP50(api, 'warm');
  await drained(database);
  const beforeMs = await acceptP50(api, 'before');
  await drained(database);

  const holder = new pg.Client({ connectionString: database.url });
  await holder.connect();
  stack.defer(() => holder.end());
  await holder.query('begin isolation level repeatable read');
  await holder.query('select count(*) from send_pace');
  for (let first = 0; first < EMAILS; first += CALL_MAX) {
    await accept(
      api,
      Array.from({ length: Math.min(CALL_MAX, EMAILS - first) }, (_, n) => `u${first + n}@example.com`),
    );
  }
  await drained(database);
  const afterMs = await acceptP50(api, 'after');
  return { beforeMs, afterMs };
}

requireSink();
const sink = await startDebianSmtpSink();
try {
  const ours = await measure(sink.port, true);
  const without = await measure(sink.port, false);
  const shown = ({ beforeMs, afterMs }: Measured): string =>
    `p50 ${beforeMs.toFixed(1)} ms before, ${afterMs.toFixed(1)} ms after: ${(afterMs / beforeMs).toFixed(2)} times`;
  report(
    'snapshot',
    `${EMAILS.toLocaleString('en')} emails drain while a snapshot is held; accept ${shown(ours)}; from the lowest entry ${shown(without)}`,
    'accept p50 < 1.5 times',
  );
} finally {
  await sink.stop();
}
