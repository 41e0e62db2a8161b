/**
 * A named point of a service that a test can wait for, instead of sleeping. Costs nothing when nobody waits.
 */
export class Moment<T = void> {
  #waiting: ((value: T) => void)[] = [];

  occur(value: T): void {
    if (this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve(value);
  }

  /** Resolves when it occurs next; rejects when none comes in time, so that a test says what it waited for. */
  next(timeoutMs = 10_000): Promise<T> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`moment did not come within ${timeoutMs} ms`)), timeoutMs);
      this.#waiting.push((value) => {
        clearTimeout(timer);
        resolve(value);
      });
    });
  }
}
