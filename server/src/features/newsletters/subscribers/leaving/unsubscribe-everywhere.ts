import type { Evidence } from '#features/consents';
import { inTransaction } from '#platform/db/database.ts';
import { selectNewsletter } from '../../queries.ts';
import { findNewsletterOfIssue } from './count-unsubscribe-queries.ts';
import { keepUnsubscribed, lockLeavingRowsOfAddress } from '../queries.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';
import { takeOff } from './unsubscribe-subscriber.ts';

export interface UnsubscribingEverywhere {
  /** The identity of the address. */
  email: string;
  /** The issue whose link led here: it counts for its own newsletter only. */
  issueId: string | null;
  evidence: Evidence;
}

/**
 * Takes an address off every list of the workspace, and returns from how many. Other mail of the workspace goes on:
 * that is what a suppression is for.
 */
export async function unsubscribeEverywhere(ctx: SubscribersCtx, asked: UnsubscribingEverywhere): Promise<number> {
  return inTransaction(ctx.db, async (tx) => {
    const ofIssue =
      asked.issueId === null ? undefined : await findNewsletterOfIssue(tx, ctx.workspaceId, asked.issueId);
    let count = 0;
    const rows = await lockLeavingRowsOfAddress(tx, ctx.workspaceId, asked.email);
    const left = rows.filter(({ status }) => status === 'unsubscribed');
    await keepUnsubscribed(
      tx,
      ctx.workspaceId,
      left.map(({ id }) => id),
    );
    for (const row of rows) {
      if (row.status === 'unsubscribed') continue;
      const newsletter = await selectNewsletter(tx, ctx.workspaceId, row.newsletterId);
      if (newsletter === undefined) continue; // deleted; its rows go page by page
      const issueId = row.newsletterId === ofIssue ? asked.issueId : null;
      await takeOff({ ...ctx, db: tx }, newsletter, row, { reason: 'user', issueId, evidence: asked.evidence });
      count += 1;
    }
    return count;
  });
}
