import type { Db } from '#platform/db/database.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { type Outcome, settleEmails } from './queries/settle-emails.ts';

const BATCH_DELAY_MS = 50;
const BATCH_MAX = 200;
const RETRY_MAX_MS = 1_000;

/**
 * Collects outcomes and writes them in batches, at most 50 ms after they came, dated to when they came. While the database is away it keeps them
 * and tries again: an outcome that comes after its lease was swept changes nothing, because its token is gone.
 */
export interface Settler {
  readonly waiting: number;
  readonly settled: Moment<number>;
  add(outcome: Outcome): void;
  /** Writes what is there; gives up when the database does not answer in time. */
  close(timeoutMs: number): Promise<void>;
}

export function createSettler(options: { db: Db; log: Log }): Settler {
  const { db, log } = options;
  const settled = new Moment<number>();
  let waiting: { outcome: Outcome; cameAt: number }[] = [];
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> | undefined;
  let failures = 0;

  const write = async (): Promise<void> => {
    const batch = waiting.slice(0, BATCH_MAX);
    waiting = waiting.slice(BATCH_MAX);
    underWay = batch.length;
    try {
      await reach('outbox.settle.before');
      const now = performance.now();
      const changed = await settleEmails(
        db,
        batch.map(({ outcome, cameAt }) => ({ ...outcome, agoSeconds: (now - cameAt) / 1_000 })),
      );
      failures = 0;
      if (changed < batch.length)
        log.warn({ lost: batch.length - changed }, 'outcomes came after their lease was taken over');
      await reach('outbox.settle.after');
      settled.announce(changed);
    } catch (error) {
      failures += 1;
      waiting = [...batch, ...waiting];
      if (failures === 1)
        log.warn({ err: error, waiting: waiting.length }, 'outcomes could not be written; trying again');
    }
    underWay = 0;
  };

  const schedule = (): void => {
    if (writing !== undefined || waiting.length === 0) return;
    const full = waiting.length >= BATCH_MAX && failures === 0;
    if (timer !== undefined && !full) return;
    clearTimeout(timer);
    const delay = full
      ? 0
      : failures === 0
        ? BATCH_DELAY_MS
        : Math.min(RETRY_MAX_MS, BATCH_DELAY_MS * 2 ** Math.min(failures, 6));
    timer = setTimeout(start, delay);
  };
  const start = (): void => {
    timer = undefined;
    writing = write().finally(() => {
      writing = undefined;
      schedule();
    });
  };

  return {
    settled,
    get waiting() {
      return waiting.length + underWay;
    },
    add(outcome) {
      waiting.push({ outcome, cameAt: performance.now() });
      schedule();
    },
    async close(timeoutMs) {
      const until = performance.now() + timeoutMs;
      while ((waiting.length > 0 || writing !== undefined) && performance.now() < until) {
        clearTimeout(timer);
        timer = undefined;
        if (writing === undefined) start();
        await writing;
        if (failures > 0) await new Promise((resolve) => setTimeout(resolve, 100));
      }
      clearTimeout(timer);
      timer = undefined;
      if (waiting.length > 0)
        log.error({ waiting: waiting.length }, 'outcomes were not written before the process ended');
    },
  };
}
