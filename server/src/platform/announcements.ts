import { type Db, poolOf } from './db/database.ts';

/**
 * News of a feature that features above it react to, which it cannot import. A reaction runs in the transaction of the
 * news, so that both are committed or neither. A reaction that needs the network, or more than a page of rows, stores
 * a job.
 */
export interface Announcement<News> {
  readonly name: string;
  /** Runs the reactions one after another; the first failure is the announcer's failure. */
  announce(tx: Db, news: News): Promise<void>;
}

/** One announcement with one function that answers it. */
export interface Reaction {
  /** The announcement. */
  readonly to: object;
  run(tx: Db, news: unknown): Promise<void>;
}

/** Reactions belong to a pool: two applications in one process each have their own pool, and their own reactions. */
const reactionsOf = new WeakMap<Db, Reaction[]>();

export function announcement<News>(name: string): Announcement<News> {
  const self: Announcement<News> = {
    name,
    async announce(tx, news) {
      for (const reaction of reactionsOf.get(poolOf(tx)) ?? []) if (reaction.to === self) await reaction.run(tx, news);
    },
  };
  return self;
}

/** Pairs an announcement with the function that answers it, for `addReactions`. */
export const reactionTo = <News>(
  to: Announcement<News>,
  run: (tx: Db, news: News) => Promise<void>,
  // Only `announce` of the same announcement calls it, with news of its own type.
): Reaction => ({ to, run: run as Reaction['run'] });

/** From now on these run, in this order, with every announcement made over `db` or a transaction of it. */
export function addReactions(db: Db, reactions: readonly Reaction[]): void {
  const pool = poolOf(db);
  reactionsOf.set(pool, [...(reactionsOf.get(pool) ?? []), ...reactions]);
}
