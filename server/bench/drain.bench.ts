/**
 * drain: a queue of emails of 4 KB html, filled through POST /v1/send while no worker runs, then emptied by one
 * worker process into Postfix's smtp-sink with the pacing out of the way; unsigned and signed. Beside it, to the same
 * sink in the same run, what most senders do: a loop of nodemailer's sendMail over its pool with html and text of the
 * same size.
 *
 *   npm run bench -- drain [emails] [emails of the loop]
 */
import { sql } from 'kysely';
import { startDebianSmtpSink } from '../test/harness/postfix.ts';
import { startProcess } from '../test/harness/posthorn-process.ts';
import { type BenchDatabase, startBenchDatabase } from './bench-database.ts';
import { nodemailerLoop } from './nodemailer-loop.ts';
import { postgresMeter, processorMs } from './processor-time.ts';
import { report } from './results.ts';

const EMAILS = Number(process.argv[2] ?? 20_000);
const LOOP = Number(process.argv[3] ?? EMAILS / 5);
const KEY = 'bench_key_that_every_process_here_knows';
const CALL_MAX = 1_000;
const html = `<p>${'Hello, this is your receipt. '.repeat(140)}</p>`;
const text = 'Hello, this is your receipt. '.repeat(140);

interface Drained {
  perSecond: number;
  /** Milliseconds of processor time for one email. */
  nodeMs: number;
  postgresMs: number;
}

async function drain(
  stack: AsyncDisposableStack,
  database: BenchDatabase,
  sinkPort: number,
  from: string,
): Promise<Drained> {
  const env = {
    POSTHORN_API_KEY: KEY,
    POSTHORN_SEND_RATE: '100000',
    POSTHORN_PROVIDER_CEILING: '100000',
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sinkPort}?tls=none`,
    POSTHORN_SENDER_DOMAINS: 'bench.example',
  };
  const api = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  stack.defer(async () => void (await api.stop()));
  for (let first = 0; first < EMAILS; first += CALL_MAX) {
    const to = Array.from({ length: Math.min(CALL_MAX, EMAILS - first) }, (_, n) => `u${first + n}@example.com`);
    const { status, body } = await api.fetch('/v1/send', { body: { from, to, subject: 'Your receipt', html } });
    if (status !== 202) throw new Error(JSON.stringify(body));
  }
  await api.stop();
  await sql`vacuum analyze`.execute(database.db);
  const postgres = await postgresMeter(database.db);
  const postgresBefore = postgres();
  const worker = await startProcess({ databaseUrl: database.url, args: ['--role', 'worker'], listens: false, env });
  stack.defer(async () => void (await worker.stop()));
  const nodeBefore = processorMs(worker.pid);
  for (let open = 1; open > 0; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { rows } = await sql<{ open: number }>`
      select count(*) as open from (select from emails where status in ('queued', 'sending') limit 1)`.execute(
      database.db,
    );
    open = rows[0]?.open ?? 0;
  }
  const nodeMs = (processorMs(worker.pid) - nodeBefore) / EMAILS;
  const postgresMs = (postgres() - postgresBefore) / EMAILS;
  await worker.stop();
  // Measured where it is written: from the first hand-off to the last outcome, start-up left out.
  const { rows } = await sql<{ sent: number; seconds: number }>`
    select count(*) filter (where status = 'sent') as sent,
           extract(epoch from max(sent_at) - min(handoff_at))::double precision as seconds from emails`.execute(
    database.db,
  );
  const [{ sent, seconds } = { sent: 0, seconds: 0 }] = rows;
  if (sent !== EMAILS) throw new Error(`${sent} of ${EMAILS} were sent`);
  await sql`truncate emails, contents, send_requests, email_events, email_attempts, attachments`.execute(database.db);
  return { perSecond: EMAILS / seconds, nodeMs, postgresMs };
}

const loop = (port: number, isSigned: boolean): Promise<{ perSecond: number; nodeMs: number }> =>
  nodemailerLoop({
    port,
    emails: LOOP,
    isSigned,
    messageTo: (n) => ({ from: 'a@posthorn.test', to: `u${n}@example.com`, subject: 'Your receipt', html, text }),
  });

await using stack = new AsyncDisposableStack();
const database = await startBenchDatabase();
stack.defer(() => database.close());
const sink = await startDebianSmtpSink();
stack.defer(() => sink.stop());
for (const [name, from, dkim] of [
  ['unsigned', 'shop@bench.example', false],
  ['DKIM-signed', 'shop@posthorn.test', true],
] as const) {
  const before = await loop(sink.port, dkim);
  const ours = await drain(stack, database, sink.port, from);
  const after = await loop(sink.port, dkim);
  const theirs = (before.perSecond + after.perSecond) / 2;
  report(
    `drain, ${name}`,
    `${ours.perSecond.toFixed(0)}/s; nodemailer loop ${theirs.toFixed(0)}/s: ratio ${(ours.perSecond / theirs).toFixed(2)}; ` +
      `CPU per 1,000: worker ${ours.nodeMs.toFixed(2)} s, PostgreSQL ${ours.postgresMs.toFixed(2)} s, loop ${after.nodeMs.toFixed(2)} s`,
    '≥ 4 times the loop',
  );
}
