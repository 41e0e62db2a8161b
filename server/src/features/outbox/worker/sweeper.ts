import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { WakeableSleep } from '#platform/wakeable-sleep.ts';
import { failExpired, markUnconfirmed, requeueDeferred, resendUnconfirmed } from './queries/sweep.ts';
import { selectLiveWorkers } from './queries/workers.ts';
import { announceQueued } from './queue-signal.ts';

export interface SweeperOptions {
  db: Db;
  log: Log;
  unconfirmedSeconds: number;
}

const EVERY_MS = 1_000;
const FAILURE_MAX_MS = 2_000;
const PAGE = 500;
const AFTER_FAILURE_MS = 3_000;

/** Moves what only time moves: leases, retries, waits for events, expiry. Any number may run on one database. */
export class Sweeper implements Service {
  readonly name = 'outbox sweeper';
  readonly swept = new Moment<number>();
  readonly #options: SweeperOptions;
  readonly #sleep = new WakeableSleep();
  #stopping = false;
  #loop: Promise<void> | undefined;

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    this.#stopping = false;
    this.#loop ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    this.#sleep.wake();
    await this.#loop;
    this.#loop = undefined;
  }

  /** One sweep to the end; returns how many emails were moved. */
  async runOnce(): Promise<number> {
    const { db, unconfirmedSeconds } = this.#options;
    const expired = await this.#pages(() => failExpired(db, PAGE));
    const unconfirmed = await this.#pages(() => markUnconfirmed(db, PAGE));
    const back =
      (await this.#pages(() => requeueDeferred(db, PAGE))) +
      (await this.#pages(() => resendUnconfirmed(db, unconfirmedSeconds, PAGE)));
    if (back > 0) announceQueued();
    return expired + unconfirmed + back;
  }

  /**
   * The database was away: workers hold outcomes and claims that they could not write. They try every second, so after
   * three they have, and what is swept then is really lost.
   */
  async #letOutcomesGoFirst(): Promise<void> {
    await selectLiveWorkers(this.#options.db); // throws until it answers
    await this.#sleep.sleep(AFTER_FAILURE_MS);
  }

  async #pages(page: () => Promise<number>): Promise<number> {
    let total = 0;
    for (let moved = PAGE; moved === PAGE && !this.#stopping; total += moved) moved = await page();
    return total;
  }

  async #run(): Promise<void> {
    let failures = 0;
    while (!this.#stopping) {
      try {
        if (failures > 0) await this.#letOutcomesGoFirst();
        this.swept.announce(await this.runOnce());
        failures = 0;
      } catch (error) {
        failures += 1;
        if (failures === 1) this.#options.log.warn({ err: error }, 'the sweep failed; trying again');
      }
      const waitMs = failures === 0 ? EVERY_MS : Math.min(FAILURE_MAX_MS, 100 * 2 ** Math.min(failures, 10));
      if (!this.#stopping) await this.#sleep.sleep(waitMs);
    }
  }
}
