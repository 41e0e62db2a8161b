import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { bulkSends } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Issue } from '../issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';
import { requireSender } from '../content/ready-issue.ts';

/**
 * Tries those again whom the provider refused; who was suppressed or cancelled stays so, and nobody who got the issue
 * gets it twice. Only for an issue that was sent: while one is being sent, its recipients are tried anyway.
 */
export async function retryFailed(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
): Promise<Done & { queued: number }> {
  // Not held: the send is locked before its issue wherever both are, and an issue that was sent stays so.
  const issue = await getIssue(ctx, newsletter, issueId);
  if (issue.status !== 'sent') throw conflict(whyNot(issue));
  requireNotStopped((await requireSender(ctx, newsletter, issue)).sendingStop);
  const { workspaceId, sendId } = issue;
  const queued = sendId === null ? 0 : await bulkSends.retryRefused(ctx.db, { workspaceId, sendId });
  return { issue, queued, auditEntries: queued === 0 ? [] : [{ action: 'retried', details: { queued } }] };
}

/** How many emails `retryFailed` would try again; none of an issue that was not sent. */
export async function countRetryable(ctx: IssuesCtx, newsletter: Newsletter, issueId: string) {
  const { workspaceId, sendId, status } = await getIssue(ctx, newsletter, issueId);
  return bulkSends.retryable(ctx.db, { workspaceId, sendId: status === 'sent' ? sendId : null });
}

function whyNot({ status }: Issue): string {
  if (status === 'sending') return 'The issue is still being sent. Try those that failed again when it is done.';
  if (status === 'draft' || status === 'scheduled') return 'The issue was not sent yet: nobody has failed to get it.';
  return `The issue is ${status}: what has not left will not. Duplicate it to send it after all.`;
}
