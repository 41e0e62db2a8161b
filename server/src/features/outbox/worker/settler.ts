import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { sqlStateOf } from '#platform/db/database-errors.ts';
import { reach } from '#platform/fault-points.ts';
import type { Log } from '#platform/log.ts';
import { Moment } from '#platform/moments.ts';
import { BatchWriter } from '#platform/work/batch-writer.ts';
import { type Outcome, settleEmails } from './queries/settle-emails.ts';

const BATCH_DELAY_MS = 50;
const BATCH_MAX = 200;
const RETRY_MAX_MS = 1_000;

/**
 * Collects outcomes and writes them in batches, at most 50 ms after they came, dated to when they came. While the
 * database is away it keeps them and tries again: an outcome that comes after its lease was swept changes nothing,
 * because its token is gone.
 */
export interface Settler {
  readonly waiting: number;
  readonly settled: Moment<number>;
  add(outcome: Outcome): void;
  /** Writes what is there; gives up when the database does not answer in time. */
  close(timeoutMs: number): Promise<void>;
}

/** Classes 22 and 23: a value of one outcome, which no later try can store. */
const isAboutData = (error: unknown): boolean => /^2[23]/.test(sqlStateOf(error) ?? '');

export function createSettler({ db, log, clock }: { db: Db; log: Log; clock: Clock }): Settler {
  const settled = new Moment<number>();
  const writer = new BatchWriter<{ outcome: Outcome; cameAtMs: number }, number>({
    clock,
    log,
    delayMs: BATCH_DELAY_MS,
    batchMax: BATCH_MAX,
    retryMaxMs: RETRY_MAX_MS,
    failure: 'outcomes could not be written; trying again',
    judge: (error) => (isAboutData(error) ? 'apart' : 'again'),
    lost: (items, error) =>
      log.error(
        { err: error, emails: items.map(({ outcome }) => outcome.emailId) },
        'an outcome cannot be stored; its email becomes unconfirmed',
      ),
    async write(batch) {
      await reach('outbox.settle.before');
      const nowMs = clock.monotonicMs();
      const ago = (cameAtMs: number): number => (nowMs - cameAtMs) / 1_000;
      const changed = await settleEmails(
        db,
        batch.map(({ outcome, cameAtMs }) => ({ ...outcome, agoSeconds: ago(cameAtMs) })),
      );
      await reach('outbox.settle.after');
      return changed;
    },
    after(batch, changed) {
      // An email that was taken away before it began has been settled by that.
      const owed = batch.filter(({ outcome }) => outcome.status !== 'queued').length;
      if (changed < owed) log.warn({ lost: owed - changed }, 'outcomes came after their lease was taken over');
      settled.occur(changed);
    },
  });
  return {
    settled,
    get waiting() {
      return writer.waiting;
    },
    add: (outcome) => writer.add({ outcome, cameAtMs: clock.monotonicMs() }),
    async close(timeoutMs) {
      if (await writer.drain(timeoutMs)) return;
      writer.rest();
      log.error({ waiting: writer.waiting }, 'outcomes were not written before the process ended');
    },
  };
}
