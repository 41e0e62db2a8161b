import { checkComposition } from '#features/compositions';
import type { Finding } from '#mail/list-mail/finding.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { noSender, senderOf } from '../../settings/sender-of-newsletter.ts';
import { type Audience, countAudience, findReadersWithRecords } from './audience-queries.ts';
import { type IssueContent, issueComposition } from './issue-composition.ts';

interface CheckedIssue {
  ok: boolean;
  checks: Finding[];
  audience: Audience;
}

/** Looks at everything that could be wrong with an issue before it is sent, and counts who would get it. */
export async function checkIssue(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'settings' | 'clock'>,
  newsletter: Newsletter,
  issue: IssueContent,
): Promise<CheckedIssue> {
  const audience = await countAudience(ctx.db, ctx.workspaceId, newsletter.id);
  const sender = (await senderOf(ctx, newsletter)) ?? noSender(newsletter);
  const composition = issueComposition(ctx.settings.dashboardUrl, newsletter, issue);
  const { willSend } = audience;
  const sample = await findReadersWithRecords(ctx.db, ctx.workspaceId, newsletter.id);
  const checks = [...(await checkComposition(ctx, composition, { sender, willSend, sample })), checkAudience(audience)];
  return { ok: checks.every(({ level }) => level !== 'error'), checks, audience };
}

function checkAudience({ willSend, suppressed, pending, unsubscribed }: Audience): Finding {
  const others = `Left out: ${pending} who have not confirmed, ${unsubscribed} unsubscribed, ${suppressed} suppressed.`;
  return willSend === 0
    ? { id: 'recipients', level: 'warning', message: `Nobody would get it. ${others}` }
    : { id: 'recipients', level: 'ok', message: `It goes to ${willSend}. ${others}` };
}
