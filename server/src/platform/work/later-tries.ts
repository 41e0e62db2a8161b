import type { Clock } from '../clock.ts';

const FIRST_MS = 1_000;
const MOST_MS = 60_000;

/** Work that has failed waits before the next try, each time twice as long, and holds up nothing else meanwhile. */
export class LaterTries {
  readonly #clock: Clock;
  readonly #tries = new Map<string, { count: number; notBeforeMs: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Work that waits now: a look for due work has to look so much further. */
  get waiting(): number {
    return this.#tries.size;
  }

  mayTry(id: string): boolean {
    const again = this.#tries.get(id);
    return again === undefined || this.#clock.monotonicMs() >= again.notBeforeMs;
  }

  failed(id: string): void {
    const count = (this.#tries.get(id)?.count ?? 0) + 1;
    const waitMs = Math.min(MOST_MS, FIRST_MS * 2 ** (count - 1));
    this.#tries.set(id, { count, notBeforeMs: this.#clock.monotonicMs() + waitMs });
  }

  settled(id: string): void {
    this.#tries.delete(id);
  }

  /** Nothing is due: what had failed was settled elsewhere. */
  forgetAll(): void {
    this.#tries.clear();
  }
}
