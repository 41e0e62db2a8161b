/**
 * One postmaster: find it, start it, wait for it, stop it. It runs in a process group of its own, so Ctrl-C in the
 * terminal does not stop it under our feet, and it outlives a kill -9 of this process on purpose: what it has
 * committed stays served, and the next start adopts it.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, closeSync, openSync, readFileSync, renameSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
// oxlint-disable-next-line no-restricted-imports -- what is waited for is another process, which shows its state in a file
import { setTimeout as pause } from 'node:timers/promises';
import { SERVER_ENVIRONMENT } from './cluster.ts';
import { explainFailure, isHeldByOrphans } from './explain-failure.ts';
import { lifeOf, servesCluster } from './process-identity.ts';
import { asUser, type ServerUser } from './server-user.ts';
import { PORT } from './socket-dir.ts';

const POLL_MS = 10;
/** 5 s. Replaying the WAL after a crash may take long; silence for this long is worth a line. */
const SAY_AFTER_POLLS = 500;
/** The processes of a killed server have gone long before, unless one is in the middle of a long computation. */
const ORPHANS_MS = 10_000;
const ORPHANS_POLL_MS = 100;
const LOG_BYTES_MAX = 10 * 2 ** 20;

export interface Postmaster {
  pid: number;
  /** Its life, so that no later process with the same number is taken for it. */
  life: string;
  socketDir: string;
  ready: boolean;
}

export interface ServerOptions {
  cluster: string;
  native: string;
  socketDir: string;
  logFile: string;
  user: ServerUser | undefined;
  settings: Record<string, string>;
  environment: Record<string, string>;
  signal: AbortSignal | undefined;
}

interface Say {
  info(message: string): void;
}

/** The live postmaster of this cluster according to postmaster.pid, checked against the processes there are. */
export function findPostmaster(cluster: string): Postmaster | undefined {
  let text: string;
  try {
    text = readFileSync(join(cluster, 'postmaster.pid'), 'utf8');
  } catch {
    return undefined;
  }
  // Lines: pid, data directory, start time, port, socket directory, listen address, shared memory key, status.
  const lines = text.split('\n').map((line) => line.trim());
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0 || !servesCluster(pid, cluster)) return undefined;
  const life = lifeOf(pid);
  return life === undefined ? undefined : { pid, life, socketDir: lines[4] ?? '', ready: lines[7] === 'ready' };
}

/** Starts a server and returns when it takes connections. The caller has made sure that none is running. */
export async function startPostmaster(options: ServerOptions, say: Say): Promise<Postmaster> {
  for (const begun = performance.now(); ; await pause(ORPHANS_POLL_MS)) {
    const tried = await tryToStart(options, say);
    if (!('failed' in tried)) return tried;
    const { failed, said } = tried;
    if (isHeldByOrphans(said) && performance.now() - begun < ORPHANS_MS) continue;
    throw explainFailure(`PostgreSQL could not start on ${options.cluster} (${failed})`, said, options.cluster);
  }
}

async function tryToStart(options: ServerOptions, say: Say): Promise<Postmaster | { failed: string; said: string }> {
  const { cluster, native, socketDir, logFile, user } = options;
  // PostgreSQL trusts the pid in a leftover file when any process has it by now, and would refuse to start.
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  rmSync(join(socketDir, `.s.PGSQL.${PORT}.lock`), { force: true });
  const logStart = rotateLog(logFile);
  const log = openSync(logFile, 'a', 0o600);
  const settings = {
    listen_addresses: '',
    unix_socket_directories: socketDir,
    port: String(PORT),
    ...options.settings,
  };
  const child = spawn(
    join(native, 'bin', 'postgres'),
    ['-D', cluster, ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    {
      cwd: '/',
      env: { ...SERVER_ENVIRONMENT, ...options.environment },
      detached: true,
      stdio: ['ignore', log, log],
      ...asUser(user),
    },
  );
  closeSync(log);
  const end = watchEnd(child);
  child.unref();
  try {
    for (let polls = 1; ; polls += 1) {
      const running = findPostmaster(cluster);
      if (running?.ready && running.pid === child.pid) return running;
      if (end.reason !== undefined) {
        return { failed: end.reason, said: readFileSync(logFile, 'utf8').slice(logStart) };
      }
      options.signal?.throwIfAborted();
      if (polls % SAY_AFTER_POLLS === 0) say.info(`PostgreSQL is still starting; it says why in ${logFile}.`);
      await pause(POLL_MS);
    }
  } catch (error) {
    child.kill('SIGINT'); // fast shutdown, also of one that is still starting
    while (end.reason === undefined) await pause(POLL_MS);
    throw error;
  }
}

/** Waits until a found postmaster takes connections; undefined when it ends instead. */
export async function untilReady(cluster: string, signal?: AbortSignal): Promise<Postmaster | undefined> {
  for (;;) {
    signal?.throwIfAborted();
    const running = findPostmaster(cluster);
    if (!running || running.ready) return running;
    await pause(POLL_MS);
  }
}

/** Fast shutdown: open transactions are rolled back, everything committed is on disk when this returns. */
export async function stopPostmaster({ pid, life, socketDir }: Postmaster): Promise<void> {
  if (lifeOf(pid) === life) process.kill(pid, 'SIGINT');
  while (lifeOf(pid) === life) await pause(POLL_MS);
  try {
    rmdirSync(socketDir);
  } catch {
    // Gone already, or not empty: then it is not only ours.
  }
}

function watchEnd(child: ChildProcess): { reason: string | undefined } {
  const end: { reason: string | undefined } = { reason: undefined };
  child.once('error', (error) => {
    end.reason = error.message;
  });
  child.once('exit', (code, name) => {
    end.reason = name ? `ended by ${name}` : `exit ${code}`;
  });
  return end;
}

// Keeps the log of the server's life before this one. Returns where this life's lines begin.
function rotateLog(file: string): number {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size === 0) return 0;
  chmodSync(file, 0o600);
  if (size <= LOG_BYTES_MAX) return readFileSync(file, 'utf8').length;
  renameSync(file, `${file}.1`);
  return 0;
}
