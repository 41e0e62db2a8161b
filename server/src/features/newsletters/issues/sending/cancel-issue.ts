import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Issue } from '../issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';
import { markIssueCancelled } from './move-queries.ts';

/** Several may move one issue at the same time; whoever sees it in motion this often has a reason to give up. */
const TRIES = 5;

/**
 * Stops an issue for good. `alreadyQueued` emails, exactly, will still be handed over: those that were released to
 * the queue before. Of a scheduled issue there are none. An issue that is neither scheduled nor being sent is
 * refused, also one that was cancelled already.
 */
export async function cancelIssue(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
): Promise<Done & { alreadyQueued: number }> {
  return inTransaction(ctx.db, async (tx) => {
    for (let tried = 1; ; tried += 1) {
      // Not held: the send is locked before its issue wherever both are, and whoever releases the last page does so
      // too.
      const issue = await getIssue({ db: tx }, newsletter, issueId);
      if (issue.status !== 'scheduled' && issue.status !== 'sending') throw conflict(whyNotCancelled(issue));
      const alreadyQueued = await stopSend(tx, issue);
      const cancelled = await markIssueCancelled(tx, issue, issue.status);
      if (cancelled !== undefined) {
        const auditEntry = { action: 'cancelled', details: { already_queued: alreadyQueued } };
        return { issue: cancelled, auditEntries: [auditEntry], alreadyQueued };
      }
      // A send that was stopped for an issue that has ended meanwhile must not stay so: all of this is undone.
      if (issue.status === 'sending') throw conflict(whyNotCancelled(await getIssue({ db: tx }, newsletter, issueId)));
      if (tried === TRIES) throw conflict('The issue is being changed at the same time. Try again.');
    }
  });
}

async function stopSend(tx: IssuesCtx['db'], { workspaceId, status, sendId }: Issue): Promise<number> {
  if (status !== 'sending' || sendId === null) return 0;
  return (await bulkSends.cancel(tx, { workspaceId, sendId })).alreadyQueued;
}

function whyNotCancelled({ status }: Issue): string {
  if (status === 'draft') return 'The issue is a draft: there is nothing to cancel.';
  if (status === 'cancelled') return 'The issue was cancelled already.';
  if (status === 'failed') return 'Sending the issue has failed: there is nothing left to cancel.';
  return 'The issue was sent: all of it has left for the queue.';
}
