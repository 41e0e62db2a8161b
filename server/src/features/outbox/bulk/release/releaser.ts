import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { DatabaseClock } from '#platform/db/database-clock.ts';
import type { Log } from '#platform/log.ts';
import { RememberedStarts } from '#platform/work/remembered-start.ts';
import type { SendKey } from '../bulk-send.ts';
import { endPause } from './end-pause.ts';
import { selectEndingPauses } from './end-pauses-queries.ts';
import { reopenReleased, selectUnderWay } from './release-queries.ts';
import { moveBulkSend } from './release-send.ts';

export interface ReleaserOptions {
  db: Db;
  log: Log;
  clock: Clock;
  /** The setting: recipients per second of all workspaces. The account at the provider may allow less. */
  ratePerSecond: number;
  /** Where pending emails of each send begin. Its own when left out. */
  starts?: RememberedStarts<string>;
}

/** Sends whose lowest pending email is remembered: 300 bytes each. */
const STARTS_MAX = 1_000;

/** Pages of one send in a round. Then the sends that had nothing to do are looked at again. */
const PAGES_OF_A_ROUND = 10;

/** Moves the bulk sends of every workspace. Any number may run on one database. */
export class Releaser {
  readonly #options: ReleaserOptions;
  readonly #databaseClock: DatabaseClock;
  readonly #starts: RememberedStarts<string>;
  /** The ids of the sends that failed in the round before, and of those that failed in this one. */
  #failing = new Set<string>();
  #failed = new Set<string>();

  constructor(options: ReleaserOptions) {
    this.#options = options;
    this.#starts = options.starts ?? new RememberedStarts(options.clock, STARTS_MAX);
    this.#databaseClock = new DatabaseClock({
      ...options,
      holds: 'the end of sends whose domain stays unverified, and parts of sends',
    });
  }

  /**
   * One round over all bulk sends that are under way. Each send has one page in turn, the one that has waited longest
   * first: settling a cancelled million holds nobody up. A send that fails is tried again in the next round, and the
   * others go on. True: there is more to do at once.
   */
  async round(goOn: () => boolean = () => true): Promise<boolean> {
    const { db, ratePerSecond } = this.#options;
    [this.#failing, this.#failed] = [this.#failed, new Set()];
    const { until } = await this.#databaseClock.look();
    for (const key of await selectEndingPauses(db, until)) {
      if (!goOn()) return false;
      await this.#move(key, () => endPause(db, key, until));
    }
    await reopenReleased(db);
    let turns = await selectUnderWay(db);
    for (let pages = 0; pages < PAGES_OF_A_ROUND && turns.length > 0; pages += 1) {
      const unfinished: typeof turns = [];
      for (const key of turns) {
        if (!goOn()) return false;
        const start = this.#starts.of(key.sendId);
        const again = await this.#move(key, () => moveBulkSend(db, key, { ratePerSecond, start, until }));
        if (again === true) unfinished.push(key);
      }
      turns = unfinished;
    }
    return turns.length > 0;
  }

  /** undefined: it failed. The log hears of the first of rounds that fail one after the other. */
  async #move<Result>({ workspaceId, sendId }: SendKey, work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (error) {
      if (!this.#failing.has(sendId) && !this.#failed.has(sendId)) {
        this.#options.log.error(
          { err: error, workspaceId, sendId },
          'a send to many cannot be moved; it is tried again',
        );
      }
      this.#failed.add(sendId);
      return undefined;
    }
  }
}
