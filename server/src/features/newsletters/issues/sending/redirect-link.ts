import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';

/** Lets a tracked link of an issue lead elsewhere from now on, also in mail that has left. */
export async function redirectLink(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
  asked: { from: string; to: string },
): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const issue = await getIssue({ ...ctx, db: tx }, newsletter, issueId);
    const { workspaceId, sendId } = issue;
    if (sendId === null) throw conflict('The issue was not sent yet. Change its links in its text.');
    const changed = await bulkSends.redirectLink(tx, { workspaceId, sendId }, asked, ctx.settings);
    const details = { ...asked, was: changed?.before };
    return { issue, auditEntries: changed === undefined ? [] : [{ action: 'link_redirected', details }] };
  });
}
