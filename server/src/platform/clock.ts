/** A call that is to come. Cancelling one that has come, or was cancelled, does nothing. */
export interface Timer {
  cancel(): void;
}

/**
 * Time, and waiting for it. Injected, so that tests can hold it and move it: nothing else reads a clock or sets a
 * timer.
 */
export interface Clock {
  now(): Date;
  /** Milliseconds that never jump: for deadlines and durations. */
  monotonicMs(): number;
  /**
   * Resolves after so long, or when `signal` is aborted. Never rejects. Keeps the process alive: somebody waits for
   * it.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Calls `act` once, after so long. Does not keep the process alive. */
  timer(ms: number, act: () => void): Timer;
  /** Calls `act` every so often, first after `ms`. Does not keep the process alive. */
  interval(ms: number, act: () => void): Timer;
}

/** Made in `main` and passed down from there. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
  sleep: (ms, signal) => abortable((end) => setTimeout(end, ms), clearTimeout, signal),
  timer(ms, act) {
    const timer = setTimeout(act, ms).unref();
    return { cancel: () => clearTimeout(timer) };
  },
  interval(ms, act) {
    const timer = setInterval(act, ms).unref();
    return { cancel: () => clearInterval(timer) };
  },
};

/** Resolves when what `begin` has started calls `end`, or, after `clear`, when the signal is aborted. */
export function abortable<T>(
  begin: (end: () => void) => T,
  clear: (begun: T) => void,
  signal?: AbortSignal,
): Promise<void> {
  if (signal === undefined) return new Promise((resolve) => void begin(resolve));
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clear(begun);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const begun = begin(end);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Waits until `work` has ended, well or not, but no longer than `ms`. True: it has ended. */
export async function endsWithin(clock: Clock, ms: number, work: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  let ended = false;
  const end = (): void => {
    ended = true;
    over.abort();
  };
  work.then(end, end);
  await clock.sleep(ms, over.signal);
  return ended;
}
