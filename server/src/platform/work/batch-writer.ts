import { type Clock, endsWithin, type Timer } from '../clock.ts';
import type { Log } from '../log.ts';

/** `again`: the batch waits for another try. `apart`: one by one, and only those at fault are lost. */
export type Verdict = 'again' | 'apart' | 'lost';

export interface BatchWriterOptions<Item, Written> {
  clock: Clock;
  log: Log;
  /** An item waits no longer than this for others; a full batch is written at once. */
  delayMs: number;
  batchMax: number;
  /** After failures the wait is doubled, up to this. */
  retryMaxMs: number;
  /** The log line when writing begins to fail. One line for each row of failures. */
  failure: string;
  /** Writes one batch, oldest first. A batch whose answer was lost is written again. */
  write(batch: readonly Item[]): Promise<Written>;
  /** The work to do once a batch is written. Its failure is logged and waited for like one of writing. */
  after?(batch: readonly Item[], written: Written): Promise<void> | void;
  /** The treatment of a batch that failed, `failures` times in a row by now. Always `again` when left out. */
  judge?(error: unknown, failures: number): Verdict;
  lost?(items: readonly Item[], error: unknown): void;
}

/** While a process ends there is no time for growing waits. */
const DRAIN_RETRY_MS = 100;

/**
 * Collects items and writes them in batches, one batch at a time and in order. While the database is away it keeps
 * them and tries again. The caller decides about items that wait when the process dies: they are lost.
 */
export class BatchWriter<Item, Written = void> {
  readonly #options: BatchWriterOptions<Item, Written>;
  #waiting: Item[] = [];
  #underWay: readonly Item[] = [];
  #timer: Timer | undefined;
  #writing: Promise<boolean> | undefined;
  #failures = 0;
  /** Of a batch that failed as a whole: so many are written one by one. */
  #apart = 0;

  constructor(options: BatchWriterOptions<Item, Written>) {
    this.#options = options;
  }

  /** How many are not written. */
  get waiting(): number {
    return this.#underWay.length + this.#waiting.length;
  }

  add(item: Item): void {
    this.#waiting.push(item);
    this.#schedule();
  }

  /** Writes what waits, batch after batch, until nothing is left or one fails. */
  async flush(): Promise<void> {
    while (!this.#isDone() && (await this.#writeNow()));
  }

  /** The same, again and again for so long. True: everything is written. */
  async drain(patienceMs: number): Promise<boolean> {
    const { clock } = this.#options;
    const untilMs = clock.monotonicMs() + patienceMs;
    while (!this.#isDone()) {
      const written = this.#writeNow();
      const leftMs = Math.max(0, untilMs - clock.monotonicMs());
      if (!(await endsWithin(clock, leftMs, written))) return false;
      if (await written) continue;
      if (clock.monotonicMs() >= untilMs) return false;
      await clock.sleep(Math.min(DRAIN_RETRY_MS, untilMs - clock.monotonicMs()));
    }
    return true;
  }

  /** Stops trying until something is added or asked for. Waiting items stay here. */
  rest(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Gives up what waits, and returns it. */
  clear(): readonly Item[] {
    this.rest();
    const left = [...this.#underWay, ...this.#waiting];
    this.#waiting = [];
    return left;
  }

  /** Nothing waits, and nothing is to be done after a batch either. */
  #isDone(): boolean {
    return this.waiting === 0 && this.#writing === undefined;
  }

  #schedule(): void {
    if (this.#writing !== undefined || this.#waiting.length === 0) return;
    const { clock, delayMs, batchMax, retryMaxMs } = this.#options;
    if (this.#failures === 0 && this.#waiting.length >= batchMax) return void this.#writeNow();
    const waitMs = Math.min(Math.max(delayMs, retryMaxMs), delayMs * 2 ** Math.min(this.#failures, 10));
    this.#timer ??= clock.timer(waitMs, () => void this.#writeNow());
  }

  /** Joins the batch that is under way. True: it was written. */
  #writeNow(): Promise<boolean> {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#writing ??= this.#writeBatch().finally(() => {
      this.#writing = undefined;
      this.#schedule();
    });
    return this.#writing;
  }

  async #writeBatch(): Promise<boolean> {
    let goesOn = await this.#writeNext();
    while (goesOn && this.#apart > 0) goesOn = await this.#writeNext();
    return goesOn;
  }

  /** One batch, or one item of a batch that failed. False: it has to wait. */
  async #writeNext(): Promise<boolean> {
    const { batchMax, write, after } = this.#options;
    const batch = this.#waiting.splice(0, this.#apart > 0 ? 1 : batchMax);
    this.#underWay = batch;
    try {
      const written = await write(batch);
      this.#underWay = [];
      await after?.(batch, written);
      this.#settled();
      return true;
    } catch (error) {
      // Nothing when the batch was written and what comes after it has failed.
      const left = this.#underWay;
      this.#underWay = [];
      return this.#failed(left, error);
    }
  }

  #failed(batch: readonly Item[], error: unknown): boolean {
    const { log, failure, judge, lost } = this.#options;
    this.#failures += 1;
    const verdict = judge?.(error, this.#failures) ?? 'again';
    if (verdict === 'apart' && batch.length > 1) {
      this.#waiting.unshift(...batch);
      this.#apart = batch.length;
      return true;
    }
    if (verdict === 'again') {
      this.#waiting.unshift(...batch);
      if (this.#failures === 1) log.warn({ err: error, waiting: this.waiting }, failure);
      return false;
    }
    if (batch.length > 0) lost?.(batch, error);
    this.#settled();
    return true;
  }

  #settled(): void {
    this.#apart = Math.max(0, this.#apart - 1);
    if (this.#apart === 0) this.#failures = 0;
  }
}
