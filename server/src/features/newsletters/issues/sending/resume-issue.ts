import { resumeSend } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { getIssue } from '../get-issue.ts';
import type { Issue } from '../issue.ts';

/**
 * Lets an issue go on that was paused, for too many bounces or complaints or because its domain could not send: what
 * waits of it leaves as before, and what bounced or complained so far is not held against it again. Also one that is
 * `sent` already, of which some still waited in the queue. Its log hears of it from the send. Throws conflict when it
 * is not paused.
 */
export async function resumeIssue(ctx: Ctx, newsletter: Newsletter, issueId: string): Promise<Issue> {
  // Not held: the send is locked before its issue wherever both are.
  const issue = await getIssue(ctx, newsletter, issueId);
  const { sendId } = issue;
  const isResumed = sendId !== null && issue.status !== 'cancelled' && (await resumeSend(ctx, sendId));
  if (!isResumed) throw conflict(whyNot(issue));
  return getIssue(ctx, newsletter, issueId);
}

function whyNot({ status }: Issue): string {
  if (status === 'cancelled') return 'The issue was cancelled. Duplicate it to send it after all.';
  return 'The issue is not paused.';
}
