import type { Db } from '#platform/db/database.ts';
import { countStuckBehind, type Place } from './stuck-queries.ts';

/** A look takes about 20 ms. */
const LOOKED_AT = 10_000;

/**
 * Counts active runs without a due row: there must be none. Each call looks at the next ten thousand active runs, and
 * tells the count of the last whole round, or that of the present one when it is more already.
 */
export function createStuckLook(lookedAt = LOOKED_AT): (db: Db) => Promise<number> {
  let after: Place | null = null;
  let [counted, lastRound] = [0, 0];
  return async (db) => {
    const { stuck, last } = await countStuckBehind(db, after, lookedAt);
    counted += stuck;
    const told = last === null ? counted : Math.max(counted, lastRound);
    if (last === null) [lastRound, counted] = [counted, 0];
    after = last;
    return told;
  };
}
