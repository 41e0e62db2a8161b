import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { firstIdAt } from '#platform/ids.ts';
import {
  cancelPageOfNewsletter,
  cancelQueuedOfSends,
  isBeingHandedOver,
  markSendsOfIssuesCancelled,
} from './queries/withdraw-sends.ts';

/** Longer than the provider has to answer is not waited for: what is still out then ends as its lease says. */
const WAIT_MS_MAX = 10_000;
const POLL_FIRST_MS = 5;
const POLL_MS_MAX = 100;
const PAGE = 1_000;
/** An email is tried for a day; what is older than that, and a margin, has an end. */
const LIVE_MS = 2 * 86_400_000;

/**
 * Withdraws all mail of these issues, in the caller's transaction: from its commit on no worker takes another email
 * of theirs, also of those that were released to the queue. Returns the sends that had something left, for
 * `untilWithdrawn`.
 */
export const withdrawSendsOfIssues = (tx: Db, workspaceId: string, issueIds: readonly string[]): Promise<string[]> =>
  issueIds.length === 0 ? Promise.resolve([]) : markSendsOfIssuesCancelled(tx, workspaceId, issueIds);

/**
 * Resolves when nothing of these sends is in a worker's hands any more. Call it after the commit that withdrew them: a
 * claim that was made just before is being handed over, and one that had begun then and is not committed yet is waited
 * for, too. Milliseconds as a rule, ten seconds at most.
 */
export async function untilWithdrawn(
  ctx: { db: Db; clock: Clock; workspaceId: string },
  sendIds: readonly string[],
): Promise<void> {
  if (sendIds.length === 0) return;
  for (let page = PAGE; page === PAGE; ) page = await cancelQueuedOfSends(ctx.db, ctx.workspaceId, sendIds, PAGE);
  let pauseMs = POLL_FIRST_MS;
  for (let waitedMs = 0; waitedMs < WAIT_MS_MAX; waitedMs += pauseMs) {
    if (!(await isBeingHandedOver(ctx.db, ctx.workspaceId, sendIds))) return;
    await ctx.clock.sleep(pauseMs);
    pauseMs = Math.min(POLL_MS_MAX, pauseMs * 1.5);
  }
}

/** Cancels the single emails of a newsletter that still wait, page by page; safe to be done twice, and to be killed. */
export async function cancelMailOfNewsletter(
  db: Db,
  of: { workspaceId: string; newsletterId: string; now: Date },
  goOn: () => boolean,
): Promise<void> {
  let after: string | null = firstIdAt(new Date(of.now.getTime() - LIVE_MS));
  while (after !== null && goOn()) {
    after = await cancelPageOfNewsletter(db, of.workspaceId, of.newsletterId, { after, limit: PAGE });
  }
}
