import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Service } from '#platform/lifecycle.ts';
import { notifyQueued } from './queries/notify-queued.ts';

/**
 * "There is something to send." Within the process at once; to other processes by NOTIFY, at most one every 20 ms and
 * never inside an accepting transaction: NOTIFY takes a lock at commit that lets only one committer through at a time.
 * Only a hint: whoever listens also polls.
 */
const CHANNEL = 'posthorn_queued';
const NOTIFY_DELAY_MS = 20;

const heard = new Set<() => void>();

/** Wakes whoever sends. Call it after the commit. */
export function announceQueued(): void {
  for (const wake of heard) wake();
}

/** Calls `wake` whenever something was queued by this process; returns how to stop that. */
export function onQueued(wake: () => void): () => void {
  heard.add(wake);
  return () => heard.delete(wake);
}

/** Tells the other processes on this database what this one queued, and this one what they did. */
export function createQueueSignal(options: { db: Db; listener: Listener | undefined }): Service {
  let timer: NodeJS.Timeout | undefined;
  let off: (() => void) | undefined;
  // What arrives by NOTIFY must not be sent out again.
  let relaying = false;
  const notify = (): void => {
    timer = undefined;
    void notifyQueued(options.db, CHANNEL).catch(() => undefined); // the others poll
  };
  options.listener?.on(CHANNEL, () => {
    relaying = true;
    announceQueued();
    relaying = false;
  });
  return {
    name: 'queue signal',
    async start() {
      off ??= onQueued(() => {
        if (!relaying) timer ??= setTimeout(notify, NOTIFY_DELAY_MS);
      });
    },
    async stop() {
      off?.();
      off = undefined;
      clearTimeout(timer);
      timer = undefined;
    },
  };
}
