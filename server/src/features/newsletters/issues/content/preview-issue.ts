import type { RenderedMail } from '#mail/list-mail/content-checks.ts';
import { notFound } from '#platform/errors/app-error.ts';
import { isUuid } from '#platform/ids.ts';
import type { Newsletter } from '../../newsletter.ts';
import { findReader } from './audience-queries.ts';
import { type Composing, composeTexts, type IssueContent, renderFor } from './compose-issue.ts';
import { sampleSubscriber } from './sample-subscriber.ts';

/** A preview names no sender: an issue can be looked at before its newsletter has one. */
const NO_DOMAIN = 'preview.invalid';

/**
 * What a subscriber would get, or somebody made up. Its links to leave lead nowhere: whoever looks at a preview must
 * not unsubscribe anybody. Throws what is wrong with the issue, and 404 for a subscriber of another newsletter.
 */
export async function previewIssue(
  ctx: Composing,
  newsletter: Newsletter,
  issue: IssueContent,
  subscriberId: string | null,
): Promise<RenderedMail> {
  const composed = await composeTexts(ctx, newsletter, issue, NO_DOMAIN);
  if (subscriberId === null) return renderFor(ctx.settings, newsletter, issue, composed, sampleSubscriber);
  const reader = isUuid(subscriberId)
    ? await findReader(ctx.db, newsletter.workspaceId, newsletter.id, subscriberId)
    : undefined;
  if (reader === undefined) throw notFound('subscriber', subscriberId);
  return renderFor(ctx.settings, newsletter, issue, composed, reader);
}
