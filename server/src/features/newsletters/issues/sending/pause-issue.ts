import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Issue } from '../issue.ts';
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
  return inTransaction(ctx.db, async (tx) => {
    const within = { ...ctx, db: tx };
    // Not held: the send is locked before its issue wherever both are.
    const { sendId, status, workspaceId } = await getIssue(within, newsletter, issueId);
    const isSending = status === 'sending' && sendId !== null;
    const paused = isSending ? await bulkSends.pause(tx, { workspaceId, sendId }, ctx) : undefined;
    // Its last page may have left since: then it is `sent`, and the pause is taken back.
    const issue = await getIssue(within, newsletter, issueId);
    if (paused === undefined || issue.status !== 'sending') throw conflict(whyNot(issue));
    const { alreadyQueued } = paused;
    return { issue, alreadyQueued, auditEntries: [{ action: 'paused', details: { already_queued: alreadyQueued } }] };
  });
}

const whyNot = ({ status }: Issue): string =>
  status === 'sending' ? 'The issue is paused already.' : `The issue is ${status}: nothing of it is being sent.`;
