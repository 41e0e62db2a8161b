import { preview } from '#features/compositions';
import { bulkSends } from '#features/outbox';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { issueComposition } from './issue-composition.ts';
import { previewIssue, readerOf } from './preview-issue.ts';
import type { Issue } from '../issue.ts';
import { findVersion } from '../queries.ts';

/**
 * The preview of a version of the content, which may have been replaced while the issue was being sent: as its readers
 * got it, with the footer of then. 404 for a version that is not there.
 */
export async function previewVersion(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  newsletter: Newsletter,
  issue: Issue,
  { subscriberId, version }: { subscriberId: string | null; version: number },
): Promise<RenderedMail> {
  const { workspaceId, sendId } = issue;
  const key = { workspaceId, sendId: sendId ?? '' };
  if (sendId !== null && version === (await bulkSends.contentVersion(ctx.db, key))) {
    return previewIssue(ctx, newsletter, issue, subscriberId);
  }
  const replaced = sendId === null ? undefined : await bulkSends.replacedContent(ctx.db, key, version);
  const words = replaced && (await findVersion(ctx.db, issue, version));
  if (replaced === undefined || words === undefined) throw notFound('version of the content', String(version));
  const { subject, html, text, personal } = replaced;
  const composition = issueComposition(ctx.settings.dashboardUrl, newsletter, { ...issue, ...words });
  const stored = { texts: { subject, html: html ?? '', text }, personal };
  return preview(composition, subscriberId === null ? null : () => readerOf(ctx, newsletter, subscriberId), stored);
}
