/**
 * start: from the command to the first 200 of /health on an initialised data directory, and the memory of our process
 * ten seconds later; by `npm start` and by node alone. Beside it, a bare Fastify route with a pool, which has neither a
 * database to start nor anything to check.
 *
 *   npm run bench -- start [starts] [idle seconds]
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../test/harness/posthorn-process.ts';
import { startBenchDatabase } from './bench-database.ts';
import { residentMegabytes } from './processor-time.ts';
import { report } from './results.ts';

const [STARTS = 5, IDLE_SECONDS = 10] = process.argv.slice(2).map(Number);
const ROOT = path.join(import.meta.dirname, '../..');
const ENTRY = path.join(ROOT, 'server/src/main/posthorn.ts');

interface Start {
  seconds: number;
  megabytes: number;
}

async function untilHealthy(child: ChildProcess, port: number): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}`);
    const answer = await fetch(`http://127.0.0.1:${port}/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** The process whose memory counts: under npm it is a grandchild. */
function processOf(parent: number): number {
  const commandOf = (pid: number): string => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    } catch {
      return '';
    }
  };
  const parentOf = (pid: number): number =>
    Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  const isBelow = (pid: number): boolean => pid > 1 && (pid === parent || isBelow(parentOf(pid)));
  const found = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .find(
      (pid) => /node\0.*main\/posthorn\.ts/.test(commandOf(pid)) && !commandOf(pid).includes('run.mjs') && isBelow(pid),
    );
  if (found === undefined) throw new Error('the process was not found');
  return found;
}

async function startOnce(command: string, args: string[], folder: string, idleSeconds: number): Promise<Start> {
  const port = await freePort();
  const startedMs = performance.now();
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env['PATH'], PORT: String(port), POSTHORN_DATA_DIR: folder, POSTHORN_LOG_LEVEL: 'warn' },
    stdio: 'ignore',
  });
  await untilHealthy(child, port);
  const seconds = (performance.now() - startedMs) / 1_000;
  await new Promise((resolve) => setTimeout(resolve, idleSeconds * 1_000));
  const megabytes = residentMegabytes(processOf(child.pid ?? 0));
  child.kill('SIGTERM');
  await once(child, 'exit');
  return { seconds, megabytes };
}

async function bareOnce(databaseUrl: string): Promise<Start> {
  const port = String(await freePort());
  const startedMs = performance.now();
  const child = spawn(process.execPath, [path.join(import.meta.dirname, 'yardstick-accept-server.ts')], {
    env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, PORT: port },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const seconds = (performance.now() - startedMs) / 1_000;
  const megabytes = residentMegabytes(child.pid ?? 0);
  child.kill();
  await once(child, 'exit');
  return { seconds, megabytes };
}

async function series(run: (last: boolean) => Promise<Start>): Promise<Start> {
  const starts: Start[] = [];
  for (let n = 1; n <= STARTS; n += 1) starts.push(await run(n === STARTS));
  const middle = starts.map((start) => start.seconds).toSorted((a, b) => a - b)[Math.floor(STARTS / 2)] ?? 0;
  return { seconds: middle, megabytes: starts.at(-1)?.megabytes ?? 0 };
}

const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-start-'));
chmodSync(folder, 0o755); // as root, the database runs as another user and has to pass through
const data = path.join(folder, 'data');
await startOnce(process.execPath, [ENTRY], data, 0); // makes the database
const byNode = await series((last) => startOnce(process.execPath, [ENTRY], data, last ? IDLE_SECONDS : 0));
const byNpm = await series((last) => startOnce('npm', ['start'], data, last ? IDLE_SECONDS : 0));
const database = await startBenchDatabase();
const bare = await series(() => bareOnce(database.url));
await database.close();
rmSync(folder, { recursive: true, force: true });
report(
  'start',
  `npm start ${byNpm.seconds.toFixed(2)} s, node alone ${byNode.seconds.toFixed(2)} s (median of ${STARTS}), ${byNpm.megabytes.toFixed(0)} MB after ${IDLE_SECONDS} s; ` +
    `bare route ${bare.seconds.toFixed(2)} s, ${bare.megabytes.toFixed(0)} MB: ratios ${(byNpm.seconds / bare.seconds).toFixed(1)} and ${(byNpm.megabytes / bare.megabytes).toFixed(1)}`,
  '< 1.5 s, < 180 MB',
);
