import { deletePageOfAuditEntries } from '#features/audit';
import { deletePageOfRequests } from '#features/request-log';
import { deletePageOfSoftBounces, deletePageOfSuppressions } from '#features/suppressions';
import { purgeDeliveries } from '#features/webhooks';
import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { deletePageOfAnswers } from '#platform/http/idempotency/queries.ts';
import type { Service } from '#platform/lifecycle.ts';
import type { Log } from '#platform/log.ts';
import { loop } from '#platform/work/loop.ts';
import {
  cancelBulkSends,
  cancelPageOfWaiting,
  cancelParked,
  deleteBatches,
  deletePageOf,
  deletePageOfEighths,
  deletePageOfEmails,
  deletePageOfLinks,
  deletePageOfReplaced,
  deletePageOfRedirects,
  deletePageOfStops,
  deletePageOfTags,
  deletePurge,
  findPurge,
  insertPurge,
} from './queries/purge-workspace.ts';

const PAGE = 1_000;
const CANCEL_PAGE = 5_000;
const EVERY_MS = 30_000;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Removes a page of the rows of a deleted workspace; returns how many it found. Less than a page: nothing is left. */
export type PurgePage = (db: Db, workspaceId: string, page: number) => Promise<number>;

/**
 * Stops all mail of a workspace in the transaction that deletes it, and has its rows removed later. Each statement
 * stops a page, so that a long queue takes none of them too long.
 */
export async function purgeWorkspace(tx: Db, workspaceId: string, page = CANCEL_PAGE): Promise<void> {
  await cancelBulkSends(tx, workspaceId);
  // In this order: what waits for another attempt comes into the queue, and not the other way round.
  for (const status of ['deferred', 'queued'] as const) {
    let last: string | null = FIRST_ID;
    while (last !== null) last = await cancelPageOfWaiting(tx, workspaceId, { status, after: last, page });
  }
  await cancelParked(tx, workspaceId);
  await insertPurge(tx, workspaceId);
}

const PAGES: readonly PurgePage[] = [
  deletePageOfAnswers,
  deletePageOfEmails,
  deletePageOf('send_requests'),
  deletePageOf('send_counts'),
  deletePageOf('email_counts'),
  // After the counts themselves, which are taken off them.
  deletePageOfEighths,
  deletePageOf('send_courses'),
  deletePageOf('link_counts'),
  deletePageOfLinks,
  deletePageOfReplaced,
  deletePageOfRedirects,
  deletePageOfTags,
  deletePageOfStops,
  deletePageOf('contents'),
  purgeDeliveries,
  deletePageOfRequests,
  deletePageOfAuditEntries,
  deletePageOfSuppressions,
  deletePageOfSoftBounces,
];

interface RemoveOptions {
  db: Db;
  /** Of features above this one. */
  alsoPurge?: readonly PurgePage[] | undefined;
}

/**
 * Removes the mail of deleted workspaces, with its events, webhook deliveries and kept answers, the logged requests
 * and actions, and the addresses that got no mail, page by page. It may run in any number of processes and may be
 * killed.
 */
export async function removePurged(
  { db, alsoPurge = [] }: RemoveOptions,
  goOn: () => boolean = () => true,
): Promise<number> {
  let removed = 0;
  for (;;) {
    const workspaceId = await findPurge(db);
    if (workspaceId === undefined) return removed;
    for (const deletePage of [...PAGES, ...alsoPurge]) {
      for (let page = PAGE; page === PAGE; removed += page) {
        if (!goOn()) return removed;
        page = await deletePage(db, workspaceId, PAGE);
      }
    }
    await deleteBatches(db, workspaceId);
    await deletePurge(db, workspaceId);
  }
}

export function createPurger(options: RemoveOptions & { log: Log; clock: Clock }): Service {
  return loop({
    name: 'purger',
    everyMs: EVERY_MS,
    clock: options.clock,
    log: options.log,
    failure: 'mail of deleted workspaces could not be removed; trying again',
    round: (goOn) => removePurged(options, goOn),
  });
}
