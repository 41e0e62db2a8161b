import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Done, IssuesCtx } from '../issues-ctx.ts';
import { duplicateIssue } from './duplicate-issue.ts';
import { insertCorrection } from '../corrections/correction-queries.ts';

/**
 * Makes a draft for exactly those who were sent an issue, or one version of its content (null: any), with its newest
 * texts to write the correction from. The people who are still active are read when the correction is sent.
 */
export async function correctIssue(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issueId: string,
  contentVersion: number | null,
): Promise<Done> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    const wrong = await getIssue(inside, newsletter, issueId);
    const { sendId } = await bulkSends.requireSent(tx, wrong, contentVersion);
    const { issue } = await duplicateIssue(inside, newsletter, issueId, { isCorrection: true });
    await insertCorrection(tx, issue, { correctsId: wrong.id, sendId, contentVersion });
    const details = { corrects: { id: wrong.id, content_version: contentVersion } };
    return { issue, auditEntries: [{ action: 'created', details }] };
  });
}
