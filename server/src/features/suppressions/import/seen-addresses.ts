import { randomInt } from 'node:crypto';

/**
 * Addresses that one file has named, a million of them in 16 MB: 53 bits of a hash of each, in a table of open
 * addressing. Two that have the same hash (about 1 in 20,000 files of a million) are taken for one, which is why it
 * counts and does not decide.
 */
export class SeenAddresses {
  readonly #table: Float64Array;
  readonly #mask: number;
  /** Of this file alone, so that nobody can write one whose addresses all fall into the same place. */
  readonly #seed = randomInt(2 ** 32);

  /** No more than `max` addresses will be added. */
  constructor(max: number) {
    const places = 2 ** Math.ceil(Math.log2(Math.max(8, max * 1.5)));
    this.#table = new Float64Array(places);
    this.#mask = places - 1;
  }

  /** False: it was there. */
  add(address: string): boolean {
    const hash = hashOf(address, this.#seed);
    for (let at = hash & this.#mask; ; at = (at + 1) & this.#mask) {
      const there = this.#table[at];
      if (there === hash) return false;
      if (there === 0) {
        this.#table[at] = hash;
        return true;
      }
    }
  }
}

/**
 * cyrb53 (public domain, github.com/bryc): two multiplicative hashes side by side. Never 0, which marks a free place.
 */
function hashOf(text: string, seed: number): number {
  let one = 0xdeadbeef ^ seed;
  let two = 0x41c6ce57 ^ seed;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 2654435761);
    two = Math.imul(two ^ code, 1597334677);
  }
  one = Math.imul(one ^ (one >>> 16), 2246822507) ^ Math.imul(two ^ (two >>> 13), 3266489909);
  two = Math.imul(two ^ (two >>> 16), 2246822507) ^ Math.imul(one ^ (one >>> 13), 3266489909);
  return 4294967296 * (2097151 & two) + (one >>> 0) || 1;
}
