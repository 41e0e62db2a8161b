/** Requests at once that every endpoint may have, however it answers. */
export const AT_ONCE_FIRST = 5;
/** And one that answers well: 250 deliveries a second to a receiver 200 ms away. */
export const AT_ONCE_MAX = 50;
/** An answer that takes longer is no reason to send more. */
const QUICK_MS = 2_000;

/**
 * How many requests one endpoint gets at once: from 5 to 50, as TCP finds the rate of a path (slow start, then
 * congestion avoidance). Each quick success adds one until the first failure; a failure halves the number, and from
 * there it grows by one for as many successes as requests go at once.
 */
export class SendWindow {
  #size = AT_ONCE_FIRST;
  #threshold = AT_ONCE_MAX;

  get size(): number {
    return Math.floor(this.#size);
  }

  heard(answer: { succeeded: boolean; tookMs: number }): void {
    if (!answer.succeeded) {
      this.#threshold = Math.max(AT_ONCE_FIRST, this.#size / 2);
      this.#size = this.#threshold;
    } else if (answer.tookMs <= QUICK_MS) {
      const step = this.#size < this.#threshold ? 1 : 1 / this.#size;
      this.#size = Math.min(AT_ONCE_MAX, this.#size + step);
    }
  }
}

/**
 * The requests of a process beyond the first five of each endpoint: at most so many, so that a hundred endpoints that
 * answer well do not fill its memory and sockets.
 */
export class SharedRoom {
  #left: number;

  constructor(places: number) {
    this.#left = places;
  }

  take(): boolean {
    if (this.#left === 0) return false;
    this.#left -= 1;
    return true;
  }

  giveBack(): void {
    this.#left += 1;
  }
}
