import { bulkSends } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Done } from '../issues-ctx.ts';

/**
 * Pauses an issue that is being sent, until somebody resumes it. `alreadyQueued` emails, exactly, still leave.
 * Throws conflict when it is not being sent or is paused already.
 */
export async function pauseIssue(
  ctx: Ctx,
  newsletter: Newsletter,
  issueId: string,
): Promise<Done & { alreadyQueued: number }> {
  // Not held: the send is locked before its issue wherever both are.
  const issue = await getIssue(ctx, newsletter, issueId);
  const { workspaceId, status, sendId } = issue;
  const paused =
    status !== 'sending' || sendId === null ? undefined : await bulkSends.pause(ctx.db, { workspaceId, sendId }, ctx);
  if (paused === undefined) {
    throw conflict(
      status === 'sending' ? 'The issue is paused already.' : `The issue is ${status}: nothing of it is being sent.`,
    );
  }
  const { alreadyQueued } = paused;
  return { issue, alreadyQueued, auditEntries: [{ action: 'paused', details: { already_queued: alreadyQueued } }] };
}
