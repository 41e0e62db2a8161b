import type { Clock } from '../clock.ts';
import type { Db } from '../db/database.ts';
import type { Service } from '../lifecycle.ts';
import type { Log } from '../log.ts';
import { loopByAge } from './loop-by-age.ts';
import { claimRound } from './queries.ts';

/** Each process asks so often whether an hour has passed. */
const EVERY_MS = 60_000;

export interface Hourly {
  /** Of its row in `rounds`. */
  name: string;
  db: Db;
  clock: Clock;
}

export interface Round {
  /** Up to which moment the rounds before are done (`noteThrough`). */
  through: Date;
  /** False: the service stops, and the round must end. */
  goOn(): boolean;
  /** Page after page, while `work` says that there is more. It rests as long as each page took. */
  everyPage(work: () => Promise<boolean>): Promise<void>;
}

/**
 * Does something in one process of many once an hour, page by page, with rests that leave at least half of the database
 * to sending. Undefined: it is not our turn.
 */
export async function inThisHour<Result>(
  { name, db, clock }: Hourly,
  work: (round: Round) => Promise<Result>,
  goOn: () => boolean = () => true,
  stopping?: AbortSignal,
): Promise<Result | undefined> {
  const claimed = await claimRound(db, name);
  if (claimed === undefined) return undefined;
  return work({
    through: claimed.through,
    goOn,
    async everyPage(page) {
      for (let isMore = true; isMore && goOn(); ) {
        const begunMs = clock.monotonicMs();
        isMore = await page();
        if (isMore) await clock.sleep(clock.monotonicMs() - begunMs, stopping);
      }
    },
  });
}

/** The service of rounds that begin with `inThisHour`, and delete by age. */
export const hourlyService = (
  { name, db, clock, log }: Hourly & { log: Log },
  failure: string,
  round: (goOn: () => boolean, stopping: AbortSignal) => Promise<unknown>,
): Service =>
  loopByAge({
    name,
    db,
    beginsAtOnce: true,
    everyMs: EVERY_MS,
    clock,
    log,
    failure,
    async round(goOn, stopping) {
      await round(goOn, stopping);
    },
  });
