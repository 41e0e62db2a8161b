// relay: messages of 2 KB handed in over 16 connections and committed before the 250, beside `smtp-source` (Debian
// package postfix) and the same client into a bare smtp-server that answers 250 and keeps nothing, and beside one that
// commits an INSERT for each message. smtp-source cannot sign in, so the relay has the client of this bench. They take
// turns, so that the machine's moods even out.
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort, startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { postgresMeter, processorMs } from './processor-time.ts';
import { report } from './results.ts';
import { type SmtpLoad, smtpLoad } from './smtp-load.ts';

const ROUNDS = Number(process.argv[2] ?? 3);
const SECONDS = Number(process.argv[3] ?? 4);
const WARM_SECONDS = 4;
const CONNECTIONS = 16;
const SOURCE_MESSAGES = 8_000;
const text = `${'Thank you for your order. '.repeat(3)}\r\n`.repeat(26);
const message = (n: number): string =>
  [
    'From: Acme <hello@posthorn.test>',
    'To: ada@example.com',
    'Subject: Your receipt',
    'Date: Mon, 23 Nov 2026 09:00:00 +0000',
    `Message-ID: <${process.pid}.${Date.now()}.${n}@bench.example>`,
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    '',
    text,
  ].join('\r\n');

const database = await startBenchDatabase();
const relayPort = await freePort();
const ours = await startProcess({
  databaseUrl: database.url,
  args: ['--role', 'api', '--role', 'smtp'],
  env: {
    POSTHORN_SMTP_RELAY_PORT: String(relayPort),
    POSTHORN_SMTP_RELAY_PER_MINUTE: '1000000',
    POSTHORN_INBOUND_SMTP_PORT: '0',
  },
});
async function bareServer(env: Record<string, string>): Promise<{ port: number; child: ChildProcess; pid: number }> {
  const port = await freePort();
  const child = spawn(process.execPath, [fileURLToPath(new URL('./bare-smtp-server.ts', import.meta.url))], {
    env: { PATH: process.env['PATH'], ...env, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await new Promise((resolve) => child.stdout.once('data', resolve));
  return { port, child, pid: child.pid ?? 0 };
}
const bare = await bareServer({});
const keeping = await bareServer({ DATABASE_URL: database.url });

const into = (port: number, seconds = SECONDS): Promise<SmtpLoad> =>
  smtpLoad({ port, key: ours.key, connections: CONNECTIONS, seconds, message });
const run = promisify(execFile);
async function smtpSource(): Promise<number> {
  const started = performance.now();
  const sessions = ['-s', String(CONNECTIONS), '-m', String(SOURCE_MESSAGES), '-d', '-l', String(text.length)];
  const envelope = ['-f', 'hello@posthorn.test', '-t', 'ada@example.com'];
  await run('/usr/sbin/smtp-source', [...sessions, ...envelope, `127.0.0.1:${bare.port}`]);
  return SOURCE_MESSAGES / ((performance.now() - started) / 1_000);
}
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

interface Measured extends SmtpLoad {
  /** Microseconds of processor time for one message. */
  node: number;
  postgres: number;
}
const postgres = await postgresMeter(database.db);
async function measured(port: number, pid: number): Promise<Measured> {
  const [nodeBefore, postgresBefore] = [processorMs(pid), postgres()];
  const load = await into(port);
  const of = (ms: number): number => (ms / load.messages) * 1_000;
  return { ...load, node: of(processorMs(pid) - nodeBefore), postgres: of(postgres() - postgresBefore) };
}

try {
  for (const port of [relayPort, keeping.port, bare.port]) await into(port, WARM_SECONDS);
  await smtpSource();
  const [relay, kept, client]: [Measured[], Measured[], Measured[]] = [[], [], []];
  const source: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    relay.push(await measured(relayPort, ours.pid));
    kept.push(await measured(keeping.port, keeping.pid));
    client.push(await measured(bare.port, bare.pid));
    source.push(await smtpSource());
  }
  const middle = (of: readonly Measured[], field: keyof Measured): number => median(of.map((one) => one[field]));
  const rateOf = (of: readonly Measured[]): string => `${middle(of, 'perSecond').toFixed(0)}/s`;
  const cpuOf = (of: readonly Measured[]): string =>
    `${middle(of, 'node').toFixed(0)} + ${middle(of, 'postgres').toFixed(0)} µs`;
  const ratio = (rate: number): string => (middle(relay, 'perSecond') / rate).toFixed(2);
  report(
    'relay',
    `${rateOf(relay)} committed, p50 ${middle(relay, 'p50').toFixed(0)} ms, p99 ${middle(relay, 'p99').toFixed(0)} ms; bare smtp-server with one committed INSERT: ${rateOf(kept)}, p99 ${middle(kept, 'p99').toFixed(0)} ms: ratio ${ratio(middle(kept, 'perSecond'))}; bare smtp-server that keeps nothing: smtp-source ${median(source).toFixed(0)}/s, the same client ${rateOf(client)}: ratio ${ratio(median(source))} and ${ratio(middle(client, 'perSecond'))}; CPU of a message, Node + PostgreSQL: ${cpuOf(relay)}; one INSERT ${cpuOf(kept)}; nothing kept ${middle(client, 'node').toFixed(0)} µs`,
    '≥ 0.5 of smtp-source into the bare server',
  );
} finally {
  bare.child.kill();
  keeping.child.kill();
  await ours.stop();
  await database.close();
}
