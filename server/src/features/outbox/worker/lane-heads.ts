import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { moveLaneHeads } from './queries/lane-heads.ts';

/** A head that is behind costs an accept what was claimed in that time. */
const EVERY_MS = 250;

/**
 * Tells the database how far this process has come in each lane, so that accepting does not look for its turn among all
 * that has left. It is a hint: nothing waits for it, and nothing is missed without it.
 */
export class LaneHeads {
  readonly #ports: { db: Db; log: Log; clock: Clock };
  readonly #turns = new Map<number, number>();
  #movedAtMs = Number.NEGATIVE_INFINITY;

  constructor(ports: { db: Db; log: Log; clock: Clock }) {
    this.#ports = ports;
  }

  /** These were claimed, in the order of the queue. */
  async claimed(emails: readonly { lane: number; turn: number }[]): Promise<void> {
    for (const { lane, turn } of emails) this.#turns.set(lane, Math.max(turn, this.#turns.get(lane) ?? 0));
    const { db, log, clock } = this.#ports;
    if (this.#turns.size === 0 || clock.monotonicMs() - this.#movedAtMs < EVERY_MS) return;
    this.#movedAtMs = clock.monotonicMs();
    const heads = [...this.#turns].map(([lane, turn]) => ({ lane, turn }));
    this.#turns.clear();
    try {
      await moveLaneHeads(db, heads);
    } catch (error) {
      log.warn({ err: error }, 'the heads of the lanes could not be moved');
    }
  }
}
