import type { Newsletter } from '../../newsletter.ts';
import { newIssue, storeIssue } from './create-issue.ts';
import { findCorrection, insertCorrection } from '../corrections/correction-queries.ts';
import { getIssue } from '../get-issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';

/**
 * A draft with the same words as an issue in any state; nothing of its schedule or its past. The copy of a correction
 * is one for the same people, unless it is to be another correction itself.
 */
export async function duplicateIssue(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
  { isCorrection }: { isCorrection: boolean } = { isCorrection: false },
): Promise<Done> {
  const found = await getIssue(ctx, newsletter, issueId);
  const { id, subject, preheader, htmlBody, textBody, editor } = found;
  const corrected = isCorrection ? undefined : await findCorrection(ctx.db, found);
  const draft = newIssue(ctx, newsletter, { subject, preheader, htmlBody, textBody, editor });
  const issue = await storeIssue(ctx, newsletter, draft);
  if (corrected !== undefined) await insertCorrection(ctx.db, issue, corrected);
  return { issue, auditEntries: [{ action: 'created', details: { duplicate_of: id } }] };
}
