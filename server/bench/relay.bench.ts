// relay: messages of 2 KB handed in over 16 connections and committed before the 250, beside `smtp-source` (Debian
// package postfix) and the same client into a bare smtp-server that answers 250 and keeps nothing. smtp-source cannot
// sign in, so the relay has the client of this bench. They take turns, so that the machine's moods even out.
import { execFile, spawn } from 'node:child_process';
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
const barePort = await freePort();
const bare = spawn(process.execPath, [fileURLToPath(new URL('./bare-smtp-server.ts', import.meta.url))], {
  env: { ...process.env, PORT: String(barePort) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((resolve) => bare.stdout.once('data', resolve));

const into = (port: number, seconds = SECONDS): Promise<SmtpLoad> =>
  smtpLoad({ port, key: ours.key, connections: CONNECTIONS, seconds, message });
const run = promisify(execFile);
async function smtpSource(): Promise<number> {
  const started = performance.now();
  const sessions = ['-s', String(CONNECTIONS), '-m', String(SOURCE_MESSAGES), '-d', '-l', String(text.length)];
  const envelope = ['-f', 'hello@posthorn.test', '-t', 'ada@example.com'];
  await run('/usr/sbin/smtp-source', [...sessions, ...envelope, `127.0.0.1:${barePort}`]);
  return SOURCE_MESSAGES / ((performance.now() - started) / 1_000);
}
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

try {
  const postgres = await postgresMeter(database.db);
  await into(relayPort, WARM_SECONDS);
  await into(barePort, WARM_SECONDS);
  await smtpSource();
  const relay: (SmtpLoad & { nodeMs: number; postgresMs: number })[] = [];
  const [client, source]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const [nodeBefore, postgresBefore] = [processorMs(ours.pid), postgres()];
    const load = await into(relayPort);
    const of = (ms: number): number => (ms / load.messages) * 1_000;
    relay.push({
      ...load,
      nodeMs: of(processorMs(ours.pid) - nodeBefore),
      postgresMs: of(postgres() - postgresBefore),
    });
    client.push((await into(barePort)).perSecond);
    source.push(await smtpSource());
  }
  const rate = median(relay.map(({ perSecond }) => perSecond));
  const middle = (of: (one: (typeof relay)[number]) => number): string => median(relay.map(of)).toFixed(0);
  report(
    'relay',
    `${rate.toFixed(0)}/s committed, p50 ${middle((one) => one.p50)} ms, p99 ${middle((one) => one.p99)} ms; bare smtp-server: smtp-source ${median(source).toFixed(0)}/s, the same client ${median(client).toFixed(0)}/s: ratio ${(rate / median(source)).toFixed(2)} and ${(rate / median(client)).toFixed(2)}; CPU of a message, Node + PostgreSQL: ${middle((one) => one.nodeMs)} + ${middle((one) => one.postgresMs)} µs`,
    '≥ 0.5 of smtp-source into the bare server',
  );
} finally {
  bare.kill();
  await ours.stop();
  await database.close();
}
