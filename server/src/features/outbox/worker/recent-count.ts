import type { Clock } from '#platform/clock.ts';

const WINDOW_MS = 33;

/** Counts what happened in the last 33 to 66 milliseconds: in the last whole window, or in this one if it has more. */
export class RecentCount {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #window = 0;
  #before = 0;
  #now = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  note(): void {
    this.#turn();
    this.#now += 1;
  }

  count(): number {
    this.#turn();
    return Math.max(this.#before, this.#now);
  }

  #turn(): void {
    const window = Math.floor(this.#clock.monotonicMs() / WINDOW_MS);
    if (window === this.#window) return;
    this.#before = window === this.#window + 1 ? this.#now : 0;
    this.#now = 0;
    this.#window = window;
  }
}
