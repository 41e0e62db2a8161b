import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { isQuotaUsedUp, readingOf } from './account.ts';
import { findKnownRate, saveAccount, saveAccountFailure } from './queries.ts';
import type { SesInspector } from './ses-inspector.ts';

export interface AccountReaderOptions {
  db: Db;
  clock: Clock;
  log: Log;
  inspector: Pick<SesInspector, 'account' | 'close'>;
  /** The engine's reaction to the account. */
  noteProviderRate(db: Db, ratePerSecond: number | null): Promise<void>;
  pauseForQuota(db: Db, seconds: number, words: string): Promise<void>;
}

const HOURLY_MS = 3_600_000;
// The quota is a window of 24 hours that moves: it opens little by little.
const QUOTA_USED_UP_MS = 600_000;
// Without an answer the last known rate is kept, so there is no hurry.
const FAILED_MS = 300_000;
const ERROR_CHARS_MAX = 500;

/**
 * Reads what the account may do, at start and every hour: its rate bounds ours, and a quota that is used up pauses
 * hand-offs with a word on when it is looked at again. A reading that fails changes nothing but the record of it.
 */
export class AccountReader implements Service {
  readonly name = 'Amazon SES account';
  /** Occurs after every reading, with the milliseconds until the next one. */
  readonly read = new Moment<number>();
  readonly #options: AccountReaderOptions;
  readonly #loop: Loop;
  #stopping = true;
  #failing = false;

  constructor(options: AccountReaderOptions) {
    this.#options = options;
    this.#loop = loop({
      name: this.name,
      clock: options.clock,
      log: options.log,
      failure: 'the Amazon SES account is not read',
      everyMs: HOURLY_MS,
      beginsAtOnce: true,
      round: async () => {
        const nextMs = await this.runOnce();
        this.read.occur(nextMs);
        return nextMs;
      },
      waitMs: (ms) => ms,
    });
  }

  /** The known rate counts from the first hand-off on; the reading itself is not waited for. */
  async start(): Promise<void> {
    if (!this.#stopping) return;
    this.#stopping = false;
    const { db, noteProviderRate } = this.#options;
    await noteProviderRate(db, await findKnownRate(db));
    await this.#loop.start();
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    const stopped = this.#loop.stop();
    this.#options.inspector.close();
    await stopped;
  }

  /** Returns how long the reading is good for, in milliseconds. It never rejects. */
  async runOnce(): Promise<number> {
    const { db, log, inspector, noteProviderRate, pauseForQuota } = this.#options;
    try {
      const reading = readingOf(await inspector.account());
      await saveAccount(db, reading);
      await noteProviderRate(db, reading.maxSendRate);
      if (this.#failing) log.info('the Amazon SES account can be read again');
      this.#failing = false;
      if (!isQuotaUsedUp(reading)) return HOURLY_MS;
      const words = `${reading.sentLast24Hours} of ${reading.max24HourSend} emails of 24 hours are sent; looked at again every 10 minutes`;
      log.warn({ reading }, 'the daily quota of Amazon SES is used up');
      await pauseForQuota(db, QUOTA_USED_UP_MS / 1_000, words);
      return QUOTA_USED_UP_MS;
    } catch (error) {
      await this.#failed(error);
      return FAILED_MS;
    }
  }

  async #failed(error: unknown): Promise<void> {
    const { db, log } = this.#options;
    if (this.#stopping && this.#failing) return;
    const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    if (!this.#failing) log.warn({ reason: words }, 'the Amazon SES account cannot be read; what was known is kept');
    this.#failing = true;
    // A database that is away is why we are here, or will be said by others.
    await saveAccountFailure(db, words.slice(0, ERROR_CHARS_MAX)).catch(() => undefined);
  }
}
