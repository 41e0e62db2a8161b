import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';

/** An entry that appears below the start waits for so long at most, besides the round that is under way. */
const RENEW_MS = 10_000;

/**
 * The place in an index of what waits, ordered by time or id, at which the looks of a process begin. Entries of rows
 * that are done stay in the index while any snapshot is held (a backup, a standby), and a look from the lowest entry on
 * visits all of them.
 *
 * It is a guess, and rows can appear below it: of a transaction that took long, of a clock that was set back, or given
 * back by another process. So the looks begin at the lowest entry again every ten seconds, and nothing is lost. Rows
 * that this process has stored keep it low for ten seconds at least, because they may be held back that long.
 */
export class RememberedStart<Place extends Date | string | number = Date> {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #from: Place | null = null;
  #renewAtMs = Number.NEGATIVE_INFINITY;
  /** The earliest rows that were stored: since the last look from the lowest entry, and in the time before it. */
  #stored: Place | null = null;
  #storedBefore: Place | null = null;

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Where a look begins; null: at the lowest entry. */
  get from(): Place | null {
    if (this.#clock.monotonicMs() >= this.#renewAtMs) this.#from = null;
    return this.#from;
  }

  /** A look that began at `from` has seen all that waited before this moment. */
  seenUpTo(at: Place, from: Place | null): void {
    if (from === null) {
      this.#renewAtMs = this.#clock.monotonicMs() + RENEW_MS;
      [this.#stored, this.#storedBefore] = [null, this.#stored];
    }
    this.#from = earliest(at, earliest(this.#stored, this.#storedBefore));
  }

  /** Rows of this time were stored. */
  lowerTo(at: Place): void {
    this.#stored = earliest(at, this.#stored);
    if (this.#from !== null) this.#from = earliest(at, this.#from);
  }

  /** The next look begins at the lowest entry. */
  forget(): void {
    this.#from = null;
  }
}

/** One for each key, such as an endpoint or a send: for those that were asked for last. */
export class RememberedStarts<Place extends Date | string | number = Date> {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #starts: LRUCache<string, RememberedStart<Place>>;

  constructor(clock: Pick<Clock, 'monotonicMs'>, max: number) {
    this.#clock = clock;
    this.#starts = new LRUCache({ max });
  }

  of(key: string): RememberedStart<Place> {
    const known = this.#starts.get(key);
    if (known !== undefined) return known;
    const start = new RememberedStart<Place>(this.#clock);
    this.#starts.set(key, start);
    return start;
  }
}

const earliest = <Place extends Date | string | number, T extends Place | null>(
  one: T,
  other: Place | null,
): T | Place => (other === null || (one !== null && one <= other) ? one : other);
