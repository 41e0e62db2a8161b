import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/**
 * Runs `work`: where all connections of a pool are in use, the statements in it wait in the turn of this party, such as
 * a workspace.
 */
export const inTurnOf = <T>(party: string, work: () => T): T => current.run(party, work);

/**
 * The queue for a connection, in place of the array of `pg-pool`, with the methods that it calls. The parties take
 * turns: however many requests of one workspace wait, a request of another has its turn in the next round.
 */
export class FairQueue<T> {
  /** The items of each party, the oldest first. The party whose turn is next stands first, and no line is empty. */
  readonly #waiting = new Map<string, T[]>();
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(item: T): void {
    const party = current.getStore() ?? '';
    const line = this.#waiting.get(party);
    if (line === undefined) this.#waiting.set(party, [item]);
    else line.push(item);
    this.#length += 1;
  }

  shift(): T | undefined {
    const [next] = this.#waiting;
    if (next === undefined) return undefined;
    const [party, line] = next;
    const item = line.shift();
    this.#length -= 1;
    this.#waiting.delete(party);
    if (line.length > 0) this.#waiting.set(party, line); // behind all others
    return item;
  }

  /** Counted over all parties, for `splice`. */
  findIndex(isWanted: (item: T) => boolean): number {
    return [...this.#waiting.values()].flat().findIndex(isWanted);
  }

  /** Takes this one out: it has waited too long. */
  splice(index: number): T[] {
    let before = 0;
    for (const [party, line] of this.#waiting) {
      if (index < before + line.length) {
        const gone = line.splice(index - before, 1);
        if (line.length === 0) this.#waiting.delete(party);
        this.#length -= 1;
        return gone;
      }
      before += line.length;
    }
    return [];
  }
}
