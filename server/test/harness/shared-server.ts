/**
 * The PostgreSQL that tests use when nobody started one for the run: one per user and machine, kept running between
 * runs of single files, ended and deleted when nobody has used it for ten minutes.
 */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#platform/postgres/embedded-postgres.ts';
import { takeOwnerLock } from '#platform/postgres/owner-lock.ts';
import { DataDirInUse } from '#platform/postgres/start-error.ts';

/** Only for tests: a crash of the machine may lose what they wrote, and they run about three times as fast. */
export const TEST_SETTINGS = { fsync: 'off', full_page_writes: 'off', max_connections: '300', shared_buffers: '256MB' };

export const SHARED_DIR = join(tmpdir(), `posthorn-tests-${process.getuid?.() ?? 'user'}`);
const LOCK_POLL_MS = 25;

/** Starts or adopts the shared server and returns a URL of its superuser. */
export async function sharedServerUrl(): Promise<string> {
  const server = await startOrAdopt();
  const { url } = server;
  server.leaveRunning();
  watchForIdleness();
  return url;
}

/** Holds the server's data directory, waiting for other test processes that are just starting or adopting it. */
export async function startOrAdopt(): Promise<EmbeddedPostgres> {
  for (;;) {
    try {
      return await startEmbeddedPostgres({
        dataDir: SHARED_DIR,
        log: { info: () => undefined },
        settings: TEST_SETTINGS,
      });
    } catch (error) {
      if (!(error instanceof DataDirInUse)) throw error;
      await pause(LOCK_POLL_MS);
    }
  }
}

function watchForIdleness(): void {
  const watcher = takeOwnerLock(IDLE_LOCK);
  if (!watcher.held) return;
  watcher.release();
  const script = join(import.meta.dirname, 'stop-when-idle.ts');
  spawn(process.execPath, [script], { detached: true, stdio: 'ignore', cwd: '/' }).unref();
}

export const IDLE_LOCK = join(SHARED_DIR, 'idle-watcher.lock');
