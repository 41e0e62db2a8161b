import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestContext } from 'node:test';
import { undoAfter } from './undo.ts';

export type Outcome =
  | { started: true; pid: number; url: string; adopted: boolean; cluster: string }
  | { started: false; pid: number; message: string };

export interface OwnerProcess {
  outcome: Outcome;
  child: ChildProcess;
  /** Sends a signal and waits for the end. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

/** Starts an embedded PostgreSQL in a process of its own and returns when that start has succeeded or failed. */
export async function startInOwnProcess(
  t: TestContext,
  dataDir: string,
  how: { node?: string; server?: string; spawn?: SpawnOptions } = {},
): Promise<OwnerProcess> {
  const script = join(how.server ?? join(import.meta.dirname, '../..'), 'test/harness/postgres-owner-process.ts');
  const child = spawn(how.node ?? process.execPath, [script, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...how.spawn,
  });
  const ended = once(child, 'exit');
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    child.kill(signal);
    await ended;
  };
  undoAfter(t, () => end('SIGTERM'));
  if (!child.stdout) throw new Error('the process was started without a pipe');
  for await (const line of createInterface({ input: child.stdout })) return { outcome: JSON.parse(line), child, end };
  throw new Error('the process ended without a word');
}
