import { sendTest } from '#features/compositions';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { requireSenderOf } from '../../settings/sender-of-newsletter.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { type IssueContent, issueComposition } from './issue-composition.ts';

/** Sends an issue to one address to look at. */
export async function sendTestOfIssue(
  ctx: Ctx,
  newsletter: Newsletter,
  issue: IssueContent,
  to: string,
): Promise<{ to: string; emailId: string }> {
  return sendTest(ctx, issueComposition(ctx.settings.dashboardUrl, newsletter, issue), {
    to: readAddress(to, 'to'),
    sender: await requireSenderOf(ctx, newsletter),
    origin: { newsletterId: newsletter.id },
    subject: `newsletter ${newsletter.workspaceId} ${newsletter.id}`,
  });
}
