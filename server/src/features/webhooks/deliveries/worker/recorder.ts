import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { inOneStatement } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { type HealthNews, noteHealth } from '../queries/endpoint-health.ts';
import type { Lease } from '../queries/leases.ts';
import { type AttemptRecord, recordAttempts } from '../queries/record-attempts.ts';

const BATCH_DELAY_MS = 50;
const BATCH_MAX = 20;
const RETRY_MAX_MS = 1_000;
/** A success that follows a success is told once in so long: the endpoint's row is not written for every batch. */
const HEALTH_EVERY_MS = 1_000;

export interface RecorderOptions {
  db: Db;
  log: Log;
  clock: Clock;
  lease: Lease;
  /** Whether the endpoint was failing when it was taken. */
  wasFailing: boolean;
  /** These are on record: they are not in hand any more. */
  onWritten(records: readonly AttemptRecord[]): void;
}

/**
 * Writes the attempts of one endpoint in batches, at most 50 ms after they ended. While the database is away it keeps
 * them and tries again; what comes after the lease was taken over changes nothing.
 */
export class Recorder {
  readonly #options: RecorderOptions;
  readonly #writer: BatchWriter<AttemptRecord, number>;
  #news: HealthNews = { succeeded: false, failed: 0 };
  #failing: boolean;
  #healthAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: RecorderOptions) {
    this.#options = options;
    this.#failing = options.wasFailing;
    this.#writer = new BatchWriter({
      clock: options.clock,
      log: options.log,
      delayMs: BATCH_DELAY_MS,
      batchMax: BATCH_MAX,
      retryMaxMs: RETRY_MAX_MS,
      failure: 'webhook attempts could not be recorded; trying again',
      write: (batch) => this.#write(batch),
      after: (batch, written) => this.#heard(batch, written),
    });
  }

  /** Whether the endpoint's latest attempts failed. */
  get failing(): boolean {
    return this.#news.failed > 0 || (this.#failing && !this.#news.succeeded);
  }

  get waiting(): number {
    return this.#writer.waiting;
  }

  add(record: AttemptRecord): void {
    this.#writer.add(record);
  }

  /** Writes everything; throws when the database does not take it in time: those attempts are made again. */
  async flush(patienceMs: number): Promise<void> {
    if (!(await this.#writer.drain(patienceMs))) throw new Error('no answer in time');
    await this.#tellHealth();
  }

  async #write(batch: readonly AttemptRecord[]): Promise<number> {
    const { db, lease } = this.#options;
    await reach('webhooks.record.before');
    const written = await inOneStatement(db, (one) => recordAttempts(one, lease, batch));
    await reach('webhooks.record.after');
    return written;
  }

  async #heard(batch: readonly AttemptRecord[], written: number): Promise<void> {
    const { clock, lease, log, onWritten } = this.#options;
    if (written < batch.length) {
      log.warn({ webhook: lease.webhookId, lost: batch.length - written }, 'attempts came after their lease was over');
    }
    if (written > 0) this.#hear(batch);
    onWritten(batch);
    if (clock.monotonicMs() - this.#healthAtMs >= HEALTH_EVERY_MS || this.#turned()) await this.#tellHealth();
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
    this.#healthAtMs = this.#options.clock.monotonicMs();
  }
}
