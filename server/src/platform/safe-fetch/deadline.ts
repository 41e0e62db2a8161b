import type { Clock } from '../clock.ts';
import { Aborted, TimeIsUp } from './failure-reasons.ts';

export interface Deadline {
  /** The result of `work`, unless time is up (TimeIsUp) or the signal was given (Aborted) before. */
  race<T>(work: Promise<T>): Promise<T>;
  stop(): void;
}

/** One deadline over several steps, in `timeoutMs` from now. Stop it, or its timer runs on. */
export function startDeadline(
  clock: Clock,
  { timeoutMs, signal }: { timeoutMs: number; signal?: AbortSignal },
): Deadline {
  const { promise: over, reject } = Promise.withResolvers<never>();
  // Between two steps nobody listens.
  over.catch(() => undefined);
  const timer = clock.timer(timeoutMs, () => reject(new TimeIsUp()));
  const abort = (): void => reject(new Aborted());
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return {
    race: (work) => {
      work.catch(() => undefined);
      return Promise.race([over, work]);
    },
    stop() {
      timer.cancel();
      signal?.removeEventListener('abort', abort);
    },
  };
}
