import { bulkSends } from '#features/outbox';
import { recordSecurityEvent } from '#features/workspaces';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getLockedIssue } from '../get-issue.ts';
import type { Issue } from '../issue.ts';
import { deleteIssue } from '../queries.ts';

/**
 * Deletes an issue, with its page in the archive; the emails that were sent of it stay in the record of emails. Refused
 * while it could still send: a scheduled one and one that is being sent must be cancelled first, and what was released
 * must have left.
 */
export async function removeIssue(ctx: Ctx, newsletter: Newsletter, issueId: string): Promise<void> {
  await inTransaction(ctx.db, async (tx) => {
    const issue = await getLockedIssue(tx, newsletter, issueId);
    if (issue.status === 'scheduled' || issue.status === 'sending') {
      throw conflict(`The issue is ${issue.status}. Cancel it before deleting it.`);
    }
    if (await isOnItsWay(tx, issue)) {
      throw conflict('The last emails of the issue are still on their way. Delete it when they have left.');
    }
    await deleteIssue(tx, newsletter.workspaceId, issue.id);
    await recordSecurityEvent(tx, ctx, {
      action: 'issue.deleted',
      targetType: 'issue',
      targetId: issue.id,
      details: { newsletter_id: newsletter.id, subject: issue.subject, status: issue.status },
    });
  });
}

/** An email of unknown outcome (`unconfirmed`) delays no deletion. */
async function isOnItsWay(tx: Ctx['db'], issue: Issue): Promise<boolean> {
  const stats = (await bulkSends.statsOf(tx, issue.workspaceId, [issue])).get(issue.id);
  return stats !== undefined && stats.waiting + stats.queued + stats.sending > 0;
}
