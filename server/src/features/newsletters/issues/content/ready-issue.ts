import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { requireKeyForDomain } from '#features/workspaces';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { type NewsletterSender, requireSenderOf } from '../../settings/sender-of-newsletter.ts';
import { composeIssue } from './compose-issue.ts';
import type { IssueContent } from './issue-composition.ts';
import type { IssuesCtx } from '../issues-ctx.ts';

/**
 * Refuses an issue that could not be sent now: 422 for what it or its newsletter lacks, 403 when the key is not
 * allowed on the sender's domain. Asked when an issue is scheduled and again when its time has come, so that a fault
 * is heard of as early as it can be.
 */
export async function requireReady(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issue: IssueContent,
): ReturnType<typeof composeIssue> {
  await requireSender(ctx, newsletter, issue);
  return composeIssue(ctx, newsletter, issue);
}

/** The same for an issue that was not scheduled before, which is new mail: 403 while the workspace is paused. */
export async function requireReadyAnew(ctx: IssuesCtx, newsletter: Newsletter, issue: IssueContent): Promise<void> {
  requireNotStopped((await requireSender(ctx, newsletter, issue)).sendingStop);
  await composeIssue(ctx, newsletter, issue);
}

/** The same but for its content, which whoever starts the issue composes anyway. */
export async function requireSender(
  ctx: IssuesCtx,
  newsletter: Newsletter,
  issue: Pick<IssueContent, 'htmlBody'>,
): Promise<NewsletterSender> {
  if (issue.htmlBody.trim() === '') {
    throw unacceptable('html_body', 'The issue has no body. Give it an html_body before sending it.');
  }
  const sender = await requireSenderOf(ctx, newsletter);
  requireKeyForDomain(ctx.actor, sender.domain, 'from_email');
  return sender;
}
