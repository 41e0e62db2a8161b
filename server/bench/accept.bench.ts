// accept: POST /v1/send with 2 KB of html over 16 connections, committed before the answer, with a key that has limits
// (as every key has by default) and with one that has none, beside a bare Fastify route with one validated committed
// INSERT on the same PostgreSQL. The three take turns, so that the machine's moods even out.
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
// All three tiers are counted, as by default; only the numbers are high enough for a benchmark.
const LIMITS = { hourly: 1_000_000_000, daily: 1_000_000_000, monthly: 1_000_000_000 };
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

const limited = await ours.fetch('/v1/api-keys', {
  method: 'POST',
  body: { name: 'limited', scopes: ['emails:send'], limits: LIMITS },
});
const { key: limitedKey } = limited.body as { key: string }; // a new key is shown once, in this answer

const send = `${ours.url}/v1/send`;
const yardstick = `http://127.0.0.1:${port}/send`;
// Long enough for the compiler: a service runs for days, and a cold route costs three times a warm one.
await load(send, limitedKey, WARM_SECONDS);
await load(yardstick, '', WARM_SECONDS);
const runs: Record<'limited' | 'unlimited' | 'bare', Load[]> = { limited: [], unlimited: [], bare: [] };
for (let round = 0; round < ROUNDS; round += 1) {
  runs.limited.push(await load(send, limitedKey, SECONDS, ours.pid));
  runs.bare.push(await load(yardstick, '', SECONDS, bare.pid));
  runs.unlimited.push(await load(send, ours.key, SECONDS, ours.pid));
}
const cpu = (of: Load[]): string =>
  `${(median(of.map((run) => run.nodeMs)) * 1_000).toFixed(0)} + ${(median(of.map((run) => run.postgresMs)) * 1_000).toFixed(0)} µs`;
const perSecond = (of: Load[]): number => median(of.map((run) => run.perSecond));
const p99 = (of: Load[]): number => median(of.map((run) => run.p99));
for (const [what, own, target] of [
  ['accept, key with limits', runs.limited, '≥ 0.6 of the bare route, p99 ≤ 2.5 times its p99'],
  ['accept, key without limits', runs.unlimited, '≥ 0.7 of the bare route, p99 ≤ 2.5 times its p99'],
] as const) {
  const bad = [...own, ...runs.bare].reduce((sum, run) => sum + run.bad, 0);
  report(
    what,
    `${perSecond(own).toFixed(0)}/s, p99 ${p99(own)} ms; bare route ${perSecond(runs.bare).toFixed(0)}/s, p99 ${p99(runs.bare)} ms: ratio ${(perSecond(own) / perSecond(runs.bare)).toFixed(2)}, p99 ratio ${(p99(own) / p99(runs.bare)).toFixed(2)}, ${bad} not 2xx; CPU of a request, Node + PostgreSQL: ${cpu(own)}; bare ${cpu(runs.bare)}`,
    target,
  );
}
bare.kill();
await ours.stop();
await database.close();
