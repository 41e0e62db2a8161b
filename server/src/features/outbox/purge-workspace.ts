import { purgeDeliveries } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { deletePageOfAnswers } from '#platform/http/idempotency/queries.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import {
  cancelAllWaiting,
  deleteBatches,
  deletePageOfContents,
  deletePageOfCounts,
  deletePageOfEighths,
  deletePageOfEmailCounts,
  deletePageOfEmails,
  deletePageOfCourses,
  deletePageOfLinkCounts,
  deletePageOfLinks,
  deletePageOfReplaced,
  deletePageOfRedirects,
  deletePageOfSends,
  deletePageOfStops,
  deletePageOfTags,
  deletePurge,
  findPurge,
  insertPurge,
} from './queries/purge-workspace.ts';

const PAGE = 1_000;
const EVERY_MS = 30_000;

/** Stops all mail of a workspace in the transaction that deletes it, and has its rows removed later. */
export async function purgeWorkspace(tx: Db, workspaceId: string): Promise<void> {
  await cancelAllWaiting(tx, workspaceId);
  await insertPurge(tx, workspaceId);
}

/**
 * Removes the mail of deleted workspaces, with its events, webhook deliveries and kept answers, page by page. It may
 * run in any number of processes and may be killed.
 */
export async function removePurged(db: Db, goOn: () => boolean = () => true): Promise<number> {
  let removed = 0;
  for (;;) {
    const workspaceId = await findPurge(db);
    if (workspaceId === undefined) return removed;
    for (const deletePage of [
      deletePageOfAnswers,
      deletePageOfEmails,
      deletePageOfSends,
      deletePageOfCounts,
      deletePageOfEmailCounts,
      deletePageOfEighths,
      deletePageOfCourses,
      deletePageOfLinkCounts,
      deletePageOfLinks,
      deletePageOfReplaced,
      deletePageOfRedirects,
      deletePageOfTags,
      deletePageOfStops,
      deletePageOfContents,
      purgeDeliveries,
    ]) {
      for (let page = PAGE; page === PAGE; removed += page) {
        if (!goOn()) return removed;
        page = await deletePage(db, workspaceId, PAGE);
      }
    }
    await deleteBatches(db, workspaceId);
    await deletePurge(db, workspaceId);
  }
}

export function createPurger({ db, log, clock }: { db: Db; log: Log; clock: Clock }): Service {
  return loop({
    name: 'purger',
    everyMs: EVERY_MS,
    clock,
    log,
    failure: 'mail of deleted workspaces could not be removed; trying again',
    round: (goOn) => removePurged(db, goOn),
  });
}
