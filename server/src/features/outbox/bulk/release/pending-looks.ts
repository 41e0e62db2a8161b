import type { Db } from '#platform/db/database.ts';
import type { RememberedStart } from '#platform/work/remembered-start.ts';
import type { SendKey } from '../bulk-send.ts';
import { lowestPending } from './release-queries.ts';

/** Where the looks of this process for pending emails of a send begin. Left out: at the lowest. */
export type PendingFrom = RememberedStart<string>;

/**
 * The looks of one page for pending emails. The page itself leaves dead entries where it was, and so did all pages
 * before it: each look begins where the last one has found the lowest. That there are none is believed only of a look
 * at all.
 */
export class PendingLooks {
  readonly key: SendKey;
  readonly #start: PendingFrom | undefined;
  #from: string | null;
  #found: { lowest: string; from: string | null } | undefined;

  constructor(key: SendKey, start: PendingFrom | undefined) {
    this.key = key;
    this.#start = start;
    this.#from = start?.from ?? null;
  }

  /** The lowest pending email that is known. undefined: none is pending. */
  async lowest(tx: Db): Promise<string | undefined> {
    let from = this.#from;
    let lowest = await lowestPending(tx, this.key, from);
    if (lowest === undefined && from !== null) {
      from = null;
      lowest = await lowestPending(tx, this.key, from);
    }
    if (lowest !== undefined) {
      this.#found = { lowest, from: this.#found?.from === null ? null : from };
      this.#from = lowest;
    }
    return lowest;
  }

  /** A transaction that is rolled back leaves its emails pending. */
  committed(): void {
    if (this.#found !== undefined) this.#start?.seenUpTo(this.#found.lowest, this.#found.from);
  }
}
