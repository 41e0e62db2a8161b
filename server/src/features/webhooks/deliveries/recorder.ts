import type { Db } from '#platform/db/database.ts';
import { inOneStatement } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { type HealthNews, noteHealth } from './queries/endpoint-health.ts';
import type { Lease } from './queries/leases.ts';
import { type AttemptRecord, recordAttempts } from './queries/record-attempts.ts';

const BATCH_DELAY_MS = 50;
const BATCH_MAX = 20;
const RETRY_MAX_MS = 1_000;
/** A success that follows a success is told once in so long: the endpoint's row is not written for every batch. */
const HEALTH_EVERY_MS = 1_000;

export interface RecorderOptions {
  db: Db;
  log: Log;
  lease: Lease;
  /** Whether the endpoint was failing when it was taken. */
  wasFailing: boolean;
  nowMs: () => number;
  /** These are on record: they are not in hand any more. */
  onWritten(records: readonly AttemptRecord[]): void;
}

/**
 * Writes the attempts of one endpoint in batches, at most 50 ms after they ended. While the database is away it keeps
 * them and tries again; what comes after the lease was taken over changes nothing.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  #waiting: AttemptRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> | undefined;
  #failures = 0;
  #news: HealthNews = { succeeded: false, failed: 0 };
  #failing: boolean;
  #healthAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#failing = options.wasFailing;
  }

  /** Whether the endpoint's latest attempts failed. */
  get failing(): boolean {
    return this.#news.failed > 0 || (this.#failing && !this.#news.succeeded);
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  add(record: AttemptRecord): void {
    this.#waiting.push(record);
    this.#schedule();
  }

  /** Writes everything; throws when the database does not take it in time: those attempts are made again. */
  async flush(patienceMs: number): Promise<void> {
    const untilMs = this.#options.nowMs() + patienceMs;
    for (;;) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
      if (this.#writing !== undefined) await this.#writing;
      else if (this.#waiting.length === 0) break;
      else if (!(await this.#writeNow()) && this.#options.nowMs() >= untilMs) throw new Error('no answer in time');
    }
    await this.#tellHealth();
  }

  /** One batch, again after a pause when it fails; false: it failed. */
  async #writeNow(): Promise<boolean> {
    this.#start();
    await this.#writing;
    if (this.#failures === 0) return true;
    await new Promise((resolve) => setTimeout(resolve, BATCH_DELAY_MS * 2));
    return false;
  }

  #schedule(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    const full = this.#waiting.length >= BATCH_MAX && this.#failures === 0;
    if (this.#timer !== undefined && !full) return;
    clearTimeout(this.#timer);
    const delayMs =
      this.#failures > 0 ? Math.min(RETRY_MAX_MS, BATCH_DELAY_MS * 2 ** this.#failures) : full ? 0 : BATCH_DELAY_MS;
    this.#timer = setTimeout(() => this.#start(), delayMs);
  }

  #start(): void {
    this.#timer = undefined;
    this.#writing = this.#writeOrWait().finally(() => {
      this.#writing = undefined;
      this.#schedule();
    });
  }

  async #writeOrWait(): Promise<void> {
    try {
      await this.#writeBatch();
      const due = this.#options.nowMs() - this.#healthAtMs >= HEALTH_EVERY_MS;
      if (due || this.#turned()) await this.#tellHealth();
      this.#failures = 0;
    } catch (error) {
      this.#failures = Math.min(this.#failures + 1, 10);
      if (this.#failures === 1) {
        this.#options.log.warn({ err: error }, 'webhook attempts could not be recorded; trying again');
      }
    }
  }

  async #writeBatch(): Promise<void> {
    const { db, lease, log, onWritten } = this.#options;
    const batch = this.#waiting.slice(0, BATCH_MAX);
    await reach('webhooks.record.before');
    const written = await inOneStatement(db, (one) => recordAttempts(one, lease, batch));
    await reach('webhooks.record.after');
    this.#waiting = this.#waiting.slice(batch.length);
    if (written < batch.length) {
      log.warn({ webhook: lease.webhookId, lost: batch.length - written }, 'attempts came after their lease was over');
    }
    if (written > 0) this.#hear(batch);
    onWritten(batch);
  }

  #hear(batch: readonly AttemptRecord[]): void {
    for (const record of batch) {
      if (record.attempt === 0) continue; // discarded: nobody was asked
      if (record.status === 'succeeded') this.#news = { succeeded: true, failed: 0 };
      else this.#news = { ...this.#news, failed: this.#news.failed + 1 };
    }
  }

  /** From working to failing or back: others decide by that whose turn it is. */
  #turned(): boolean {
    if (this.#news.failed > 0) return !this.#failing;
    return this.#news.succeeded && this.#failing;
  }

  async #tellHealth(): Promise<void> {
    const news = this.#news;
    if (!news.succeeded && news.failed === 0) return;
    const { db, lease } = this.#options;
    await noteHealth(db, lease, news);
    this.#news = { succeeded: false, failed: 0 };
    this.#failing = news.failed > 0;
    this.#healthAtMs = this.#options.nowMs();
  }
}
