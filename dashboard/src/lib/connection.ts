const ASK_AGAIN_MS = 4_000;
const ANSWER_MS = 10_000;

interface ConnectionOptions {
  /** Resolves with any answer of the server, and rejects without one. */
  ask: () => Promise<unknown>;
  /** Calls back after a while. */
  later: (then: () => void) => void;
  now: () => number;
}

/**
 * Whether the server can be reached. A request without an answer is a doubt only: an extension of the browser may have
 * refused it, or the page is being left. The connection is lost when the server does not answer a second question
 * either. It is then asked until it does.
 */
export function createConnection({ ask, later, now }: ConnectionOptions) {
  const listeners = new Set<() => void>();
  let answeredAt = now();
  let lostSince: number | undefined;
  let asked: Promise<boolean> | undefined;
  let isWaiting = false;

  const become = (next: number | undefined): void => {
    if (next === lostSince) return;
    lostSince = next;
    for (const listener of listeners) listener();
  };
  const answered = (): void => {
    answeredAt = now();
    become(undefined);
  };
  const lost = (): void => {
    become(lostSince ?? answeredAt);
    if (isWaiting) return;
    isWaiting = true;
    later(() => {
      isWaiting = false;
      if (lostSince !== undefined) void doubted();
    });
  };
  const doubted = (): Promise<boolean> => {
    asked ??= ask()
      .then(
        () => true,
        () => false,
      )
      .then((isThere) => {
        if (isThere) answered();
        else lost();
        return isThere;
      })
      .finally(() => {
        asked = undefined;
      });
    return asked;
  };
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  const back = (): Promise<void> =>
    new Promise((resolve) => {
      const unsubscribe = subscribe(() => {
        if (lostSince !== undefined) return;
        unsubscribe();
        resolve();
      });
    });

  return {
    answered,
    /** Asks the server; false: it gave no answer. */
    doubted,
    subscribe,
    /** The time of the last answer; undefined while the server can be reached. */
    lostSince: () => lostSince,
    /** Loads a part of the dashboard, without a connection as soon as there is one again. */
    async load<T>(part: () => Promise<T>): Promise<T> {
      for (;;) {
        try {
          return await part();
        } catch (error) {
          if (await doubted()) throw error;
          if (lostSince !== undefined) await back();
        }
      }
    },
  };
}

/** One for the page: every request of the client tells it how it went. */
export const connection = createConnection({
  ask: () => fetch('/health', { cache: 'no-store', signal: AbortSignal.timeout(ANSWER_MS) }),
  later: (then) => setTimeout(then, ASK_AGAIN_MS),
  now: Date.now,
});
