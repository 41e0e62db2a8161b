import { sql } from 'kysely';
import { type PosthornProcess, startProcess } from '../test/harness/posthorn-process.ts';
import type { BenchDatabase } from './bench-database.ts';
import { postgresMeter, processorMs } from './processor-time.ts';

export interface Drained {
  perSecond: number;
  /** Milliseconds of processor time for one email. */
  nodeMs: number;
  postgresMs: number;
}

interface Queue {
  database: BenchDatabase;
  sinkPort: number;
  emails: number;
  /** Accepts them over the API, while no worker runs. */
  fill(api: PosthornProcess): Promise<void>;
}

/** Fills a queue, empties it by one worker process with the pacing out of the way, and measures the emptying. */
export async function drainQueue(stack: AsyncDisposableStack, queue: Queue): Promise<Drained> {
  const { database, sinkPort, emails, fill } = queue;
  const env = {
    POSTHORN_API_KEY: 'bench_key_that_every_process_here_knows',
    POSTHORN_SEND_RATE: '100000',
    POSTHORN_PROVIDER_CEILING: '100000',
    POSTHORN_PROVIDER_URL: `smtp://127.0.0.1:${sinkPort}?tls=none`,
    POSTHORN_SENDER_DOMAINS: 'bench.example',
  };
  const api = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'], env });
  stack.defer(async () => void (await api.stop()));
  await fill(api);
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
  const nodeMs = (processorMs(worker.pid) - nodeBefore) / emails;
  const postgresMs = (postgres() - postgresBefore) / emails;
  await worker.stop();
  // Measured where it is written: from the first hand-off to the last outcome, start-up left out.
  const { rows } = await sql<{ sent: number; seconds: number }>`
    select count(*) filter (where status = 'sent') as sent,
           extract(epoch from max(sent_at) - min(handoff_at))::double precision as seconds from emails`.execute(
    database.db,
  );
  const [{ sent, seconds } = { sent: 0, seconds: 0 }] = rows;
  if (sent !== emails) throw new Error(`${sent} of ${emails} were sent`);
  await sql`truncate emails, contents, send_requests, email_events, email_attempts, attachments`.execute(database.db);
  return { perSecond: emails / seconds, nodeMs, postgresMs };
}
