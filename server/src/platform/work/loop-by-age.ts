import type { Db } from '../db/database.ts';
import { DatabaseClock } from '../db/database-clock.ts';
import { type LoopOptions, loop } from './loop.ts';
import type { Service } from '../lifecycle.ts';

/** So long a clock that went forward is watched before anything is deleted by it: somebody can notice. */
const HOLD_MS = 86_400_000;
/** Some rounds count ages by the clock of this machine. */
const APART_MAX_MS = 3_600_000;

type AgesOptions = Pick<LoopOptions, 'clock' | 'log' | 'name'> & { db: Db };

/**
 * True: the clocks by which data is old can be trusted. False after a step forward of the database's clock, until it
 * has agreed with the clock of this machine for a day, and while the two are more than an hour apart. The first answer
 * of a process trusts the clock of the database as it is.
 */
export function trustInAges({ db, clock, log, name }: AgesOptions): () => Promise<boolean> {
  const databaseClock = new DatabaseClock({ db, clock, log, holds: name, holdMs: HOLD_MS });
  return async () => {
    const { until, isHeld } = await databaseClock.look();
    if (isHeld) return false;
    const apartMs = until.getTime() - clock.now().getTime();
    if (Math.abs(apartMs) <= APART_MAX_MS) return true;
    const apartSeconds = Math.round(apartMs / 1_000);
    log.error(
      { holds: name, apartSeconds },
      'the clocks of the database and of this machine differ; nothing is deleted',
    );
    return false;
  };
}

/** A loop whose rounds delete data by its age. A round is left out while the clocks cannot be trusted. */
export function loopByAge({ db, ...options }: LoopOptions<void> & { db: Db }): Service {
  const isTrusted = trustInAges({ ...options, db });
  const service = loop<void>({
    ...options,
    async round(goOn, stopping) {
      if (await isTrusted()) await options.round(goOn, stopping);
    },
  });
  return {
    ...service,
    async start() {
      // The time before the first round counts, too.
      await isTrusted().catch(() => false);
      await service.start();
    },
  };
}
