// accept: POST /v1/send with 2 KB of html over 16 connections, committed before the answer, beside a bare Fastify route
// with one validated committed INSERT on the same PostgreSQL. The two take turns, so that the machine's moods even out.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { freePort, startProcess } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { postgresMeter, processorMs } from './processor-time.ts';
import { report } from './results.ts';

const ROUNDS = Number(process.argv[2] ?? 3);
const SECONDS = Number(process.argv[3] ?? 6);
const WARM_SECONDS = 10;
const body = JSON.stringify({
  from: 'Acme <hello@posthorn.test>',
  to: ['ada@example.com'],
  subject: 'Your receipt',
  html: `<p>${'Thank you for your order. '.repeat(80)}</p>`,
});

const database = await startBenchDatabase();
const ours = await startProcess({ databaseUrl: database.url, args: ['--role', 'api'] });
const port = await freePort();
const bare = spawn(process.execPath, [fileURLToPath(new URL('./yardstick-accept-server.ts', import.meta.url))], {
  env: { ...process.env, DATABASE_URL: database.url, PORT: String(port) },
  stdio: ['ignore', 'pipe', 'inherit'],
});
await new Promise((resolve) => bare.stdout.once('data', resolve));

interface Load {
  perSecond: number;
  p99: number;
  bad: number;
  /** Milliseconds of processor time for one request. */
  nodeMs: number;
  postgresMs: number;
}

const postgres = await postgresMeter(database.db);
const load = async (url: string, key: string, duration: number, pid = 0): Promise<Load> => {
  const [nodeBefore, postgresBefore] = [processorMs(pid), postgres()];
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
    body,
    connections: 16,
    duration,
  });
  return {
    perSecond: result.requests.average,
    p99: result.latency.p99,
    bad: result.non2xx + result.errors,
    nodeMs: (processorMs(pid) - nodeBefore) / result.requests.total,
    postgresMs: (postgres() - postgresBefore) / result.requests.total,
  };
};
const median = (numbers: number[]): number => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

const send = `${ours.url}/v1/send`;
const yardstick = `http://127.0.0.1:${port}/send`;
// Long enough for the compiler: a service runs for days, and a cold route costs three times a warm one.
await load(send, ours.key, WARM_SECONDS);
await load(yardstick, '', WARM_SECONDS);
const mine: Load[] = [];
const theirs: Load[] = [];
for (let round = 0; round < ROUNDS; round += 1) {
  mine.push(await load(send, ours.key, SECONDS, ours.pid));
  theirs.push(await load(yardstick, '', SECONDS, bare.pid));
}
const bad = [...mine, ...theirs].reduce((sum, run) => sum + run.bad, 0);
const [a, b] = [median(mine.map((run) => run.perSecond)), median(theirs.map((run) => run.perSecond))];
const [p, q] = [median(mine.map((run) => run.p99)), median(theirs.map((run) => run.p99))];
const cpu = (runs: Load[]): string =>
  `${(median(runs.map((run) => run.nodeMs)) * 1_000).toFixed(0)} + ${(median(runs.map((run) => run.postgresMs)) * 1_000).toFixed(0)} µs`;
report(
  'accept',
  `${a.toFixed(0)}/s, p99 ${p} ms; bare route ${b.toFixed(0)}/s, p99 ${q} ms: ratio ${(a / b).toFixed(2)}, p99 ratio ${(p / q).toFixed(2)}, ${bad} not 2xx; CPU of a request, Node + PostgreSQL: ${cpu(mine)}; bare ${cpu(theirs)}`,
  '≥ 0.6 of the bare route, p99 ≤ 3 times its p99',
);
bare.kill();
await ours.stop();
await database.close();
