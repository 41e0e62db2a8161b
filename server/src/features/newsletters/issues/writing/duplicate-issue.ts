import type { Newsletter } from '../../newsletter.ts';
import { newIssue, storeIssue } from './create-issue.ts';
import { getIssue } from '../get-issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';

/** A draft with the same words as an issue in any state; nothing of its schedule or its past. */
export async function duplicateIssue(ctx: IssuesCtx, newsletter: Newsletter, issueId: string): Promise<Done> {
  const { id, subject, preheader, htmlBody, textBody, editor } = await getIssue(ctx, newsletter, issueId);
  const draft = newIssue(ctx, newsletter, { subject, preheader, htmlBody, textBody, editor });
  const issue = await storeIssue(ctx, newsletter, draft);
  return { issue, auditEntries: [{ action: 'created', details: { duplicate_of: id } }] };
}
