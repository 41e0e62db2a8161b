import type { Clock } from '../clock.ts';

/** An entry that appears below the start waits for so long at most, besides the round that is under way. */
const RENEW_MS = 10_000;

/**
 * The place in an index of what waits, ordered by time, at which the looks of a process begin. Entries of rows that are
 * done stay in the index while any snapshot is held (a backup, a standby), and a look from the lowest entry on visits
 * all of them.
 *
 * It is a guess, and rows can appear below it: of a transaction that took long, of a clock that was set back, or given
 * back by another process. So the looks begin at the lowest entry again every ten seconds, and nothing is lost.
 */
export class RememberedStart {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #from: Date | null = null;
  #renewAtMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Where a look begins; null: at the lowest entry. */
  get from(): Date | null {
    if (this.#clock.monotonicMs() >= this.#renewAtMs) this.#from = null;
    return this.#from;
  }

  /** All that waited before this moment was seen. */
  seenUpTo(at: Date): void {
    if (this.from === null) this.#renewAtMs = this.#clock.monotonicMs() + RENEW_MS;
    this.#from = at;
  }

  /** Rows of this time were stored. */
  lowerTo(at: Date): void {
    if (this.#from !== null && at < this.#from) this.#from = at;
  }

  /** The next look begins at the lowest entry. */
  forget(): void {
    this.#from = null;
  }
}
