import { ApiError } from '../lib/api-error.ts';

const TRIES = 6;

/**
 * Asks again each time the server is busy (503), after the time that it names, six times at most, and no more once
 * `signal` is aborted. Rejects with the last error.
 */
export async function whenFree<T>(ask: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await ask();
    } catch (error) {
      const seconds = error instanceof ApiError && error.status === 503 ? error.retryAfterSeconds : undefined;
      if (seconds === undefined || attempt === TRIES || signal?.aborted) throw error;
      await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
      if (signal?.aborted) throw error;
    }
  }
}
