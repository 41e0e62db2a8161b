import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { RememberedStart } from '#platform/work/remembered-start.ts';
import { type LaneStarts, LOWEST, readLaneEnds } from './queries/lane-starts.ts';

/**
 * Where in each lane this process looks for what is queued. Before it lie the emails that have left: while a snapshot
 * is held, all of an hour stay in the index, and a look from the lowest entry on visits each of them.
 *
 * The place is the head that the lane had ten seconds ago, or the lowest email that waited there. A new email never
 * stands before the head of its lane. An email can come back at an old turn, of a process that ended or whose lease ran
 * out, or of an accept that took longer than ten seconds: it is found within ten seconds.
 */
export class QueueStart {
  readonly #db: Db;
  readonly #lanes: readonly [RememberedStart<number>, RememberedStart<number>, RememberedStart<number>];
  #heads: LaneStarts = LOWEST;

  constructor({ db, clock }: { db: Db; clock: Pick<Clock, 'monotonicMs'> }) {
    this.#db = db;
    this.#lanes = [new RememberedStart(clock), new RememberedStart(clock), new RememberedStart(clock)];
  }

  /** The first turn to look at, of each lane. Every ten seconds it looks for the lowest email anew. */
  async turns(): Promise<LaneStarts> {
    if (this.#lanes.some(({ from }) => from === null)) await this.#renew();
    const [first, second, third] = this.#lanes;
    return [first.from ?? LOWEST[0], second.from ?? LOWEST[1], third.from ?? LOWEST[2]];
  }

  /** This process gives an email back. */
  lowerTo({ lane, turn }: { lane: number; turn: number }): void {
    this.#lanes[lane]?.lowerTo(turn);
  }

  async #renew(): Promise<void> {
    const { lowest, heads } = await readLaneEnds(this.#db);
    for (const [lane, start] of this.#lanes.entries()) {
      start.seenUpTo(Math.min(lowest[lane] ?? Number.MAX_SAFE_INTEGER, this.#heads[lane] ?? 0), null);
    }
    this.#heads = heads;
  }
}
