import type { Db } from './db/database.ts';

/**
 * News of a feature that others above it react to, which it cannot import. A reaction runs in the transaction of the
 * news, so that both are committed or neither; one that needs the network, or more than a page of rows, stores a job.
 */
export interface Announcement<News> {
  readonly name: string;
  /** Adding the same function twice is once: several applications in one process (tests) share the module. */
  react(reaction: (tx: Db, news: News) => Promise<void>): void;
  /** Runs the reactions one after another; the first failure is the announcer's failure. */
  announce(tx: Db, news: News): Promise<void>;
}

export function announcement<News>(name: string): Announcement<News> {
  const reactions = new Set<(tx: Db, news: News) => Promise<void>>();
  return {
    name,
    react(reaction) {
      reactions.add(reaction);
    },
    async announce(tx, news) {
      for (const reaction of reactions) await reaction(tx, news);
    },
  };
}
