import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Listener } from '#platform/db/listener.ts';
import type { Service } from '#platform/lifecycle.ts';
import { relay, signal } from '#platform/work/signal.ts';

const CHANNEL = 'posthorn_queued';

/** "There is something to send." Whoever sends also looks every half second. */
export const queueSignal = signal();

/** Tells the other processes on this database what this one queued, and this one what they did. */
export const createQueueSignal = (options: { db: Db; clock: Clock; listener: Listener | undefined }): Service =>
  relay({ ...options, name: 'queue signal', channel: CHANNEL, signal: queueSignal });
