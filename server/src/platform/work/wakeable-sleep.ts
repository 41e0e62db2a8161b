import type { Clock } from '../clock.ts';

/** A wait that can be cut short. A wake that comes while nobody sleeps ends the next sleep at once, so none is lost. */
export class WakeableSleep {
  readonly #clock: Clock;
  #sleeping: AbortController | undefined;
  #isWoken = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  wake(): void {
    this.#isWoken = true;
    this.#sleeping?.abort();
  }

  /** The wakes so far are served. */
  forget(): void {
    this.#isWoken = false;
  }

  async sleep(ms: number): Promise<void> {
    if (!this.#isWoken) {
      this.#sleeping = new AbortController();
      await this.#clock.sleep(ms, this.#sleeping.signal);
      this.#sleeping = undefined;
    }
    this.#isWoken = false;
  }
}
