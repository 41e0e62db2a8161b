import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { loop } from '../work/loop.ts';
import { foldPage } from './tally-queries.ts';
import type { Tally } from './tally.ts';

const PAGE = 5_000;

/** Folds all changes there are; returns how many. Any number of processes may: each passes over what others hold. */
export async function foldTally(
  db: Db,
  tally: Tally,
  goOn: () => boolean = () => true,
  page: number = PAGE,
): Promise<number> {
  let folded = 0;
  for (let found = page; found === page && goOn(); folded += found) found = await foldPage(db, tally, page);
  return folded;
}

interface Folding {
  db: Db;
  log: Log;
  clock: Clock;
  name: string;
  everyMs: number;
  failure: string;
}

export const tallyService = (tally: Tally, { db, ...options }: Folding): Service =>
  loop({ ...options, round: (goOn) => foldTally(db, tally, goOn) });
