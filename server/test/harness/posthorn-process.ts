import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import MEMORY from '../../../scripts/node-memory.json' with { type: 'json' };
import { COMPILE_CACHE, PROGRAM } from './program.ts';

/** A look at a process that does not listen yet costs a millisecond of the processor with which it starts. */
const LOOK_EVERY_MS = 50;
export const TEST_SECRET = 'a secret for tests that is long enough';

export interface ProcessOptions {
  /** Settings on top of the harness's own; a value of undefined unsets one. */
  env?: Record<string, string | undefined>;
  args?: readonly string[];
  /** Arguments for node itself, such as `--import` of a fault plan. */
  nodeArgs?: readonly string[];
  /** A database to share; without it the process starts its embedded one in a temporary folder. */
  databaseUrl?: string;
  /** False for a worker, which does not listen: `started` then waits for its first line instead of /health. */
  listens?: boolean;
  startTimeoutMs?: number;
  /** The port to listen on, for a process that takes the place of another; any free one when left out. */
  port?: number;
}

export interface PosthornProcess {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly url: string;
  readonly key: string;
  /** Everything it has printed so far. */
  output(): string;
  /** Resolves with the exit code (or signal) when it has ended. */
  readonly ended: Promise<number | NodeJS.Signals>;
  /** kill -9. */
  kill(): Promise<void>;
  /** SIGTERM, and waits for the end. */
  stop(): Promise<number | NodeJS.Signals>;
  fetch(
    pathname: string,
    init?: { method?: string; body?: unknown; headers?: Record<string, string> },
  ): Promise<{ status: number; body: unknown; headers: Headers }>;
}

/**
 * A port that was free a moment ago, and below those that a system gives to whoever asks for any (32,768 and up on
 * Linux, 49,152 and up elsewhere): until it is listened on, nobody gets it by chance.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(10_240, 32_768);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' || error.code === 'EACCES' ? resolve(false) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** Starts a real Posthorn process, as `npm start` does after its set-up, and waits until it serves. */
export async function startProcess(options: ProcessOptions = {}): Promise<PosthornProcess> {
  const port = options.port ?? (await freePort());
  const key = options.env?.['POSTHORN_API_KEY'] ?? `test_key_${randomBytes(16).toString('hex')}`;
  const folder = mkdtempSync(path.join(tmpdir(), 'posthorn-process-'));
  chmodSync(folder, 0o755); // As root, PostgreSQL runs as another user and has to pass through.
  const env: NodeJS.ProcessEnv = {
    PATH: process.env['PATH'],
    ...MEMORY.env,
    NODE_COMPILE_CACHE: COMPILE_CACHE,
    PORT: String(port),
    POSTHORN_DATA_DIR: path.join(folder, 'data'),
    POSTHORN_API_KEY: key,
    POSTHORN_LOG_LEVEL: 'warn',
    // Processes of tests run side by side: a test that needs the relay gives it a free port.
    POSTHORN_SMTP_RELAY_PORT: '0',
    POSTHORN_SMTP_RELAYS_PORT: '0',
    POSTHORN_KEY_LIMIT_HOURLY: '0',
    POSTHORN_KEY_LIMIT_DAILY: '0',
    POSTHORN_KEY_LIMIT_MONTHLY: '0',
    ...(options.databaseUrl === undefined
      ? {}
      : {
          DATABASE_URL: options.databaseUrl,
          POSTHORN_SECRET_KEY: TEST_SECRET,
          POSTHORN_UNSAFE_DATABASE: 'allow', // the tests run on one: with fsync each would be slower
        }),
    ...options.env,
  };
  const { args = [], nodeArgs = [] } = options;
  const memoryFlags = args.some((arg) => arg.startsWith('--role')) ? MEMORY.flagsOfRole : MEMORY.flagsOfOneProcess;
  const child = spawn(process.execPath, [...memoryFlags, ...nodeArgs, PROGRAM, ...args], {
    env,
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text));
  const ended = new Promise<number | NodeJS.Signals>((resolve) => {
    // Not 'exit': what it printed last is still on its way then.
    child.once('close', (code, signal) => {
      rmSync(folder, { recursive: true, force: true });
      resolve(code ?? signal ?? -1);
    });
  });
  const url = `http://127.0.0.1:${port}`;
  const { pid } = child;
  if (pid === undefined) throw new Error('node could not be started');
  await untilServing({
    child,
    url,
    listens: options.listens ?? true,
    output: () => printed,
    timeoutMs: options.startTimeoutMs ?? 60_000,
  });

  return {
    child,
    pid,
    url,
    key,
    ended,
    output: () => printed,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
    fetch: fetchFrom(url, key),
  };
}

/** Calls the API of a process with a key: its own JSON answers, read. */
export function fetchFrom(url: string, key: string): PosthornProcess['fetch'] {
  return async (pathname, init = {}) => {
    const answer = await fetch(`${url}${pathname}`, {
      method: init.method ?? (init.body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${key}`,
        ...(init.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...init.headers,
      },
      ...(init.body === undefined ? {} : { body: JSON.stringify(init.body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') ?? false;
    return { status: answer.status, body: isJson ? JSON.parse(text) : text, headers: answer.headers };
  };
}

const PLANNED_KILL = /^fault: kill at /m;

interface Waiting {
  child: ChildProcess;
  url: string;
  listens: boolean;
  output(): string;
  timeoutMs: number;
}

async function untilServing({ child, url, listens, output, timeoutMs }: Waiting): Promise<void> {
  const deadline = performance.now() + timeoutMs;
  while (performance.now() < deadline) {
    const isOver = child.exitCode !== null || child.signalCode !== null;
    // A worker may come to a planned kill before it has said that it runs.
    if (isOver && PLANNED_KILL.test(output())) return;
    if (isOver) throw new Error(`the process ended before it served:\n${output()}`);
    if (!listens && output().includes('Posthorn is running')) return;
    if (
      listens &&
      (await fetch(`${url}/health`).then(
        (answer) => answer.ok,
        () => false,
      ))
    )
      return;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  child.kill('SIGKILL');
  throw new Error(`the process did not serve within ${timeoutMs} ms:\n${output()}`);
}
