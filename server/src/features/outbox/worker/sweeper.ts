import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { DatabaseClock } from '#platform/db/database-clock.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { hastenRetries, shortenLeases, shortenUnconfirmed } from './queries/correct-future-times.ts';
import { failExpired, markUnconfirmed, requeueDeferred, requeueUnbegun, resendUnconfirmed } from './queries/sweep.ts';
import { selectLiveWorkers } from './queries/workers.ts';
import { queueSignal } from './queue-signal.ts';

export interface SweeperOptions {
  db: Db;
  log: Log;
  clock: Clock;
  unconfirmedSeconds: number;
  leaseSeconds: number;
}

const EVERY_MS = 1_000;
const RETRY_MS = { first: 200, most: 2_000 };
const PAGE = 500;
const AFTER_FAILURE_MS = 3_000;
const HOLD_MIN_MS = 60_000;

/**
 * Moves what only time moves: leases, retries, waits for events, expiry. Any number may run on one database. After a
 * step forward of the database's clock, it waits until each lease that a living worker holds would be over: the workers
 * settle their emails meanwhile.
 */
export class Sweeper implements Service {
  readonly name = 'outbox sweeper';
  readonly swept = new Moment<number>();
  readonly #options: SweeperOptions;
  readonly #loop: Loop;
  readonly #databaseClock: DatabaseClock;
  #hasFailed = false;
  #wasSetBack = false;

  constructor(options: SweeperOptions) {
    this.#options = options;
    this.#databaseClock = new DatabaseClock({
      ...options,
      holds: 'leases, retries and expiry of emails',
      holdMs: Math.max(HOLD_MIN_MS, options.leaseSeconds * 1_000),
    });
    this.#loop = loop({
      name: this.name,
      clock: options.clock,
      log: options.log,
      failure: 'the sweep failed; trying again',
      everyMs: EVERY_MS,
      beginsAtOnce: true,
      retryMs: RETRY_MS,
      round: (goOn, stopping) => this.#round(goOn, stopping),
    });
  }

  start(): Promise<void> {
    return this.#loop.start();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  /** One sweep to the end; returns how many emails were moved. */
  async runOnce(goOn: () => boolean = () => true): Promise<number> {
    const { db, unconfirmedSeconds, leaseSeconds } = this.#options;
    const time = await this.#databaseClock.look();
    this.#wasSetBack ||= time.wasSetBack;
    if (this.#wasSetBack) {
      await shortenLeases(db, leaseSeconds);
      await allPages(goOn, () => hastenRetries(db, PAGE));
      await allPages(goOn, () => shortenUnconfirmed(db, PAGE));
    }
    this.#wasSetBack = false;
    const page = { limit: PAGE, until: time.until };
    const expired = await allPages(goOn, () => failExpired(db, page));
    const unconfirmed = await allPages(goOn, () => markUnconfirmed(db, page));
    const back =
      (await allPages(goOn, () => requeueUnbegun(db, page))) +
      (await allPages(goOn, () => requeueDeferred(db, page))) +
      (await allPages(goOn, () => resendUnconfirmed(db, unconfirmedSeconds, page)));
    if (back > 0) queueSignal.tell();
    return expired + unconfirmed + back;
  }

  async #round(goOn: () => boolean, stopping: AbortSignal): Promise<void> {
    const mustWait = this.#hasFailed;
    this.#hasFailed = true;
    if (mustWait) await this.#letOutcomesGoFirst(stopping);
    this.swept.occur(await this.runOnce(goOn));
    this.#hasFailed = false;
  }

  /**
   * The database was away: workers hold outcomes and claims that they could not write. They try every second, so after
   * three they have, and what is swept then is really lost.
   */
  async #letOutcomesGoFirst(stopping: AbortSignal): Promise<void> {
    await selectLiveWorkers(this.#options.db); // throws until it answers
    await this.#options.clock.sleep(AFTER_FAILURE_MS, stopping);
  }
}

async function allPages(goOn: () => boolean, page: () => Promise<number>): Promise<number> {
  let total = 0;
  for (let moved = PAGE; moved === PAGE && goOn(); total += moved) moved = await page();
  return total;
}
