import pg from 'pg';
import { createTestDatabase } from '../../harness/database.ts';
import type { Fault } from '../../harness/fault-plan.ts';
import { freePort, type PosthornProcess, startProcess } from '../../harness/posthorn-process.ts';
import { FAULT_PLAN } from '../../harness/program.ts';
import { queryAt } from '../../harness/query.ts';
import type { FaultPlan } from '../../harness/smtp-faults.ts';
import { type SmtpSink, startSmtpSink } from '../../harness/smtp-sink.ts';
import { type Comparison, compareRecords } from './compare-records.ts';
import type { ReceivedRecord, StoredAttempt, StoredEmail } from './records.ts';
import { createSendingClient, type SendingClient } from './sending-client.ts';

/** Which roles a process has; `all` is what `npm start` runs. */
export type Part = 'all' | 'api' | 'worker';

export interface RigOptions {
  /** Settings over those below. */
  env?: Record<string, string>;
  sinkFaults?: FaultPlan;
  /** Where the processes with the API listen, for who has to know it beforehand; any free one when left out. */
  port?: number;
  /** Where the mail server listens, for one that goes away and comes back; any free one when left out. */
  sinkPort?: number;
  /** The messages that another provider than the mail server got; the installation is then given that one by `env`. */
  received?: () => ReceivedRecord[];
  /** A database of the test's own, which it also ends; otherwise one of the shared server. */
  databaseUrl?: string;
}

/** One installation under test: a database, a mail server, a client, and processes that come and go. */
export interface Rig {
  readonly databaseUrl: string;
  readonly sink: SmtpSink;
  readonly client: SendingClient;
  /** Starts a process; those with the API always listen on the same port. `env`: settings of this one alone. */
  start(part: Part, faults?: readonly Fault[], env?: Record<string, string>): Promise<PosthornProcess>;
  /** A second process that does everything, on a port of its own. */
  startBeside(): Promise<PosthornProcess>;
  /**
   * Keeps a process running as a supervisor does: a start with each list of faults, then without any. Leases of emails
   * run out by themselves after its first death, and at once after each later one: it has the only worker of the queue.
   */
  supervise(part: Part, lives: readonly (readonly Fault[])[]): Supervised;
  query(text: string): Promise<Record<string, unknown>[]>;
  /** Waits until every email has come to an end. */
  untilQuiet(timeoutMs?: number): Promise<void>;
  compare(): Promise<Comparison>;
  /** Ends every process that is left, the mail server and the database. */
  close(): Promise<void>;
}

export interface Supervised {
  /** The causes of death of the ended lives, in order. */
  readonly deaths: readonly string[];
  hasBegun(number: number): boolean;
  /** Resolves when life number `number` (the first is 0) serves. */
  life(number: number, timeoutMs?: number): Promise<PosthornProcess>;
}

const KEY = 'key_of_the_crash_tests_0123456789';
const POLL_MS = 50;
/** A message that has not come by then does not come, on whatever machine. */
const PATIENCE_MS = 120_000;

// Fast, with the shortest leases and waits there are: what takes a minute in life takes two seconds here.
const SETTINGS = {
  POSTHORN_API_KEY: KEY,
  POSTHORN_SEND_RATE: '500',
  POSTHORN_PROVIDER_CEILING: '500',
  POSTHORN_LEASE_SECONDS: '2',
  POSTHORN_UNCONFIRMED_SECONDS: '1',
  // Each connection makes its own plans, and a test starts many processes.
  POSTHORN_DATABASE_POOL: '4',
  POSTHORN_WORKER_DATABASE_POOL: '4',
  POSTHORN_LOG_LEVEL: 'warn',
};

const LEASES_ARE_OVER = "update emails set lease_until = now() where status = 'sending'";

const UNDECIDED = `select status, count(*)::int as n from emails
  where status in ('pending', 'queued', 'deferred', 'sending') or (status = 'unconfirmed' and unconfirmed_at is not null)
  group by status`;

export async function createRig(options: RigOptions = {}): Promise<Rig> {
  const own = options.databaseUrl === undefined ? await createTestDatabase({ poolMax: 2 }) : undefined;
  const databaseUrl = options.databaseUrl ?? own?.url ?? '';
  const sink = await startSmtpSink({
    ...(options.sinkPort === undefined ? {} : { port: options.sinkPort }),
    ...(options.sinkFaults === undefined ? {} : { faults: options.sinkFaults }),
  });
  const port = options.port ?? (await freePort());
  const client = createSendingClient({ url: `http://127.0.0.1:${port}`, key: KEY });
  const starting = new Set<Promise<PosthornProcess>>();
  const running = new Set<PosthornProcess>();
  let closing = false;
  const query: Rig['query'] = (text) => queryAt(databaseUrl, text);

  const launch = async (
    part: Part,
    faults: readonly Fault[],
    { ownPort = port, env = {} }: { ownPort?: number; env?: Record<string, string> } = {},
  ): Promise<PosthornProcess> => {
    const started = await startProcess({
      databaseUrl,
      listens: part !== 'worker',
      startTimeoutMs: 180_000,
      ...(part === 'worker' ? {} : { port: ownPort }),
      args: part === 'all' ? [] : ['--role', part],
      nodeArgs: ['--import', FAULT_PLAN],
      env: { ...SETTINGS, POSTHORN_PROVIDER_URL: sink.url, ...options.env, ...env, CRASH_PLAN: JSON.stringify(faults) },
    });
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };

  const whileStarting = (launched: Promise<PosthornProcess>): Promise<PosthornProcess> => {
    starting.add(launched);
    return launched.finally(() => starting.delete(launched));
  };

  const start: Rig['start'] = (part, faults = [], env = {}) => whileStarting(launch(part, faults, { env }));

  const supervise: Rig['supervise'] = (part, lives) => {
    const deaths: string[] = [];
    const begun: Promise<PosthornProcess>[] = [start(part, lives[0])];
    const follow = async (): Promise<void> => {
      for (const [number] of lives.entries()) {
        const process = await begun[number];
        await process?.ended;
        if (closing) return;
        deaths.push(/fault: kill at \S+, passing \d+/.exec(process?.output() ?? '')?.[0] ?? 'an accident');
        if (number > 0 && part !== 'api') await query(LEASES_ARE_OVER);
        begun.push(start(part, lives[number + 1]));
      }
    };
    const following = follow();
    following.catch(() => undefined); // heard by whoever waits for a life
    return {
      deaths,
      hasBegun: (number) => begun.length > number,
      async life(number, timeoutMs) {
        await untilTrue(() => begun.length > number, `life ${number} did not begin`, timeoutMs);
        return (await begun[number]) ?? Promise.reject(new Error(`there is no life ${number}`));
      },
    };
  };

  return {
    databaseUrl,
    sink,
    client,
    start,
    startBeside: async () => whileStarting(launch('all', [], { ownPort: await freePort() })),
    supervise,
    query,
    async untilQuiet(timeoutMs = PATIENCE_MS) {
      const until = performance.now() + timeoutMs;
      for (;;) {
        const asked = performance.now();
        const left = await query(UNDECIDED);
        if (left.length === 0) return;
        if (performance.now() > until)
          throw new Error(`not quiet after ${timeoutMs} ms: ${JSON.stringify(left)}\n${outputs(running)}`);
        // Looking through many emails must not be what keeps them from leaving.
        await pause(Math.max(POLL_MS, 4 * (performance.now() - asked)));
      }
    },
    async compare() {
      const { emails, attempts } = await readStored(databaseUrl);
      return compareRecords({
        accepted: client.accepted,
        received: options.received?.() ?? sink.messages.map(receivedRecord),
        emails,
        attempts,
      });
    },
    async close() {
      closing = true;
      await Promise.allSettled(starting); // what has not begun to serve is not left behind either
      await Promise.all([...running].map((process) => process.kill()));
      client.close();
      await sink.stop();
      await own?.close();
    },
  };
}

/** Until the next look at something that cannot tell us: another process, a table. */
const pause = (ms = POLL_MS): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets the faults of a process happen from now on. */
export async function arm(process: PosthornProcess): Promise<void> {
  process.child.kill('SIGUSR2');
  const isArmed = (): boolean => process.output().includes('fault plan armed');
  await untilTrue(isArmed, 'the fault plan was not armed').catch((error: Error) => {
    error.message += ` (${process.child.exitCode ?? process.child.signalCode}):\n${process.output()}`;
    throw error;
  });
}

export async function untilTrue(isTrue: () => boolean, otherwise: string, timeoutMs = PATIENCE_MS): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!isTrue()) {
    if (performance.now() > until) throw new Error(otherwise);
    await pause();
  }
}

const outputs = (running: ReadonlySet<PosthornProcess>): string => [...running].map((one) => one.output()).join('\n');

function receivedRecord(message: SmtpSink['messages'][number]): ReceivedRecord {
  const messageId = message.header('message-id') ?? '';
  return {
    emailId: /^<([^@]+)@/.exec(messageId)?.[1] ?? '',
    messageId,
    recipient: message.to.join(','),
    at: message.at,
  };
}

async function readStored(url: string): Promise<{ emails: StoredEmail[]; attempts: StoredAttempt[] }> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const emails = await client.query<StoredEmail>(
      'select id, recipient, status, unconfirmed_at as "unconfirmedAt" from emails',
    );
    const attempts = await client.query<StoredAttempt>(
      'select email_id as "emailId", outcome, ended_at as "endedAt" from email_attempts',
    );
    return { emails: emails.rows, attempts: attempts.rows };
  } finally {
    await client.end();
  }
}
