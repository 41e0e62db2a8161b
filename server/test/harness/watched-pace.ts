import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { Db } from '#platform/db/database.ts';
import { onFaultPoint } from '#platform/fault-points.ts';
import { undoAfter } from './undo.ts';

/** A worker gives up a slot that it missed by more. */
const MISSED_AFTER_MS = 50;
/** Slots are granted half a second ahead; this long after a grant its last slot is over, however slow the rate. */
const GRANT_USED_MS = 700;

/** The pace as a server sees it, judged with the delays that were measured beside it. */
export interface WatchedPace {
  /** The same database; the answers that grant slots are timed. */
  db(db: Db): Db;
  /**
   * Fails when a second holds more transactions than a second may: 13 at 12 a second, and more only as far as the
   * delay of its first transaction explains it. `begunMs` are the moments at which the server saw them begin.
   */
  assertKept(begunMs: readonly number[]): void;
}

/**
 * Slots are evenly spaced. A transaction begins at the server later than its slot by as long as the grant of the slot
 * was on its way, by 50 ms at most until the engine lets it begin, and by the time from there to the server. A second
 * holds more slots than its length allows only by as much as its first transaction is late.
 */
export function watchPace(t: TestContext, ratePerSecond: number): WatchedPace {
  const asked = new WeakMap<object, number>();
  const grants: { atMs: number; tookMs: number }[] = [];
  const letMs: number[] = [];
  onFaultPoint((name) => {
    if (name === 'outbox.hand-off.before-provider') letMs.push(performance.now());
  });
  undoAfter(t, () => onFaultPoint(undefined));

  const slowestGrantBefore = (ms: number): number =>
    Math.max(0, ...grants.filter(({ atMs }) => atMs <= ms && atMs > ms - GRANT_USED_MS).map(({ tookMs }) => tookMs));
  const allowedAfter = (lateMs: number): number => Math.ceil(((1_000 + lateMs) * ratePerSecond) / 1_000);
  return {
    db: (db) =>
      db.withPlugin({
        transformQuery: ({ node, queryId }) => {
          asked.set(queryId, performance.now());
          return node;
        },
        transformResult: async ({ result, queryId }) => {
          const atMs = performance.now();
          const isGrant = Number(result.rows[0]?.['granted'] ?? 0) > 0;
          if (isGrant) grants.push({ atMs, tookMs: atMs - (asked.get(queryId) ?? 0) });
          return result;
        },
      }),
    assertKept(begunMs) {
      assert.equal(begunMs.length, letMs.length, 'transactions that the engine let begin');
      const begun = begunMs.toSorted((a, b) => a - b);
      const seconds = begun.map((fromMs, index) => {
        const { [index]: leftMs = fromMs } = letMs;
        const lateMs = MISSED_AFTER_MS + slowestGrantBefore(leftMs) + (fromMs - leftMs);
        const holds = begun.filter((at) => at >= fromMs && at < fromMs + 1_000).length;
        return { holds, lateMs, allowed: allowedAfter(lateMs) };
      });
      const [latest] = seconds.toSorted((a, b) => b.lateMs - a.lateMs);
      const most = Math.max(...seconds.map(({ holds }) => holds));
      t.diagnostic(
        `at most ${most} in a second; a transaction may have been ${latest?.lateMs.toFixed(0)} ms late, which allows ${latest?.allowed}`,
      );
      assert.deepEqual(
        seconds.filter(({ holds, allowed }) => holds > allowed),
        [],
      );
    },
  };
}
