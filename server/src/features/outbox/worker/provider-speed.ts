import type { Clock } from '#platform/clock.ts';

const WINDOW_MS = 33;
// The share of the newest answer in the average.
const NEWEST = 0.1;
// About what a commit takes.
const FAST_MS = 6;

/** How fast the provider of this process answers. */
export class ProviderSpeed {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #averageMs = Number.POSITIVE_INFINITY;
  #window = 0;
  #before = 0;
  #now = 0;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  note(tookMs: number): void {
    this.#turn();
    this.#now += 1;
    const known = this.#averageMs !== Number.POSITIVE_INFINITY;
    this.#averageMs = known ? this.#averageMs + NEWEST * (tookMs - this.#averageMs) : tookMs;
  }

  /** It answers sooner than a beginning can be put on record. */
  get isFast(): boolean {
    return this.#averageMs < FAST_MS;
  }

  /** Answers of the last whole window, or of this one if it has more: the last 33 to 66 ms. 0: it stands still. */
  get answers(): number {
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
