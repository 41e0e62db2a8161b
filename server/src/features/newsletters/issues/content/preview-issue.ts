import { preview } from '#features/compositions';
import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import type { Newsletter } from '../../newsletter.ts';
import { findReader } from './audience-queries.ts';
import { type IssueContent, issueComposition } from './issue-composition.ts';

/**
 * The message that a subscriber would get, or somebody made up. Throws what is wrong with the issue, and 404 for a
 * subscriber of another newsletter.
 */
export async function previewIssue(
  ctx: Pick<Ctx, 'db' | 'settings'>,
  newsletter: Newsletter,
  issue: IssueContent,
  subscriberId: string | null,
): Promise<RenderedMail> {
  const composition = issueComposition(ctx.settings.dashboardUrl, newsletter, issue);
  return preview(composition, subscriberId === null ? null : () => readerOf(ctx, newsletter, subscriberId));
}

/** For a preview. 404 when there is no such subscriber. */
export async function readerOf({ db }: Pick<Ctx, 'db'>, { workspaceId, id }: Newsletter, subscriberId: string) {
  const reader = isUuid(subscriberId) ? await findReader(db, workspaceId, id, subscriberId) : undefined;
  if (reader === undefined) throw notFound('subscriber', subscriberId);
  return reader;
}
