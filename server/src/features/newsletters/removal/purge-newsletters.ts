import { deletePageOfConsents } from '#features/consents';
import { bulkSends } from '#features/outbox';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import type { Log } from '#platform/log.ts';
import { type Loop, loop } from '#platform/work/loop.ts';
import { deletePage, deletePurge, listPurges, type NewsletterPurge } from './purge-queries.ts';

const PAGE = 2_000;
const PURGES_AT_ONCE = 100;
const EVERY_MS = 15_000;
/**
 * A request or an import that read the newsletter before it was deleted may write a row after that: the name of what is
 * gone is kept for as long as any of them could last, and looked at again.
 */
const REMEMBERED_MS = 15 * 60_000;

/**
 * Removes what deleted newsletters have left: their people, their issues and counts, and consents that nobody keeps,
 * page by page, each page its own commit. Any number of processes may do it at once, and be killed. Returns how many
 * rows went.
 */
export async function purgeNewsletters(
  ports: { db: Db; clock: Clock },
  goOn: () => boolean = () => true,
): Promise<number> {
  const { db, clock } = ports;
  let removed = 0;
  for (const purge of await listPurges(db, PURGES_AT_ONCE)) {
    const now = clock.now();
    await bulkSends.cancelMailOfNewsletter(db, { ...purge, now }, goOn);
    let left = 0;
    for (const deleteOne of pagesOf(purge)) {
      for (let page = PAGE; page === PAGE; removed += page, left += page) {
        if (!goOn()) return removed;
        page = await deleteOne(db);
      }
    }
    if (left === 0 && now.getTime() - purge.createdAt.getTime() > REMEMBERED_MS) await deletePurge(db, purge);
  }
  return removed;
}

/**
 * Each deletes a page and returns its rows. The database keeps the consents of a newsletter that was deleted alone. The
 * counts are last: to delete subscribers writes counts, too.
 */
const pagesOf = (purge: NewsletterPurge): ((db: Db) => Promise<number>)[] => [
  (db) => deletePage(db, 'subscribers', purge, PAGE),
  (db) => deletePageOfConsents(db, { workspaceId: purge.workspaceId, listId: purge.newsletterId }, PAGE),
  (db) => deletePage(db, 'issues', purge, PAGE),
  (db) => deletePage(db, 'subscriber_counts', purge, PAGE),
  (db) => deletePage(db, 'subscriber_growth', purge, PAGE),
];

/** The same every 15 seconds. */
export const purgeService = ({ db, clock, log }: { db: Db; clock: Clock; log: Log }): Loop =>
  loop({
    name: 'purge of deleted newsletters',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'what deleted newsletters have left could not be removed; trying again',
    round: (goOn) => purgeNewsletters({ db, clock }, goOn),
  });
