import type { Log } from '#platform/log.ts';

/** How to stop each part that a start has begun. */
export interface UndoList {
  /** Add a part before it begins to run, so that it is stopped whatever happens next. */
  add(name: string, stop: () => Promise<void>): void;
  /** Stops all parts, the last one first, and waits for them. May be called twice. */
  stopAll(): Promise<void>;
}

export function createUndoList(log: Log): UndoList {
  const parts: { name: string; stop(): Promise<void> }[] = [];
  return {
    add: (name, stop) => void parts.push({ name, stop }),
    async stopAll() {
      for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
        const { name } = part;
        await part.stop().catch((error: unknown) => log.error({ err: error, service: name }, 'did not stop cleanly'));
      }
    },
  };
}

/** The result of `work`, or a rejection as soon as the start is given up; nobody waits for `work` then. */
export async function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
  if (signal === undefined) return work;
  work.catch(() => undefined); // after an abort nobody else takes its failure
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const giveUp = (): void => reject(signal.reason);
  signal.addEventListener('abort', giveUp, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', giveUp);
  }
}
