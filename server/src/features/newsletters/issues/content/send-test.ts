import { acceptSend } from '#features/outbox';
import { takesOfDomain } from '#features/domains';
import { suppressedAmong } from '#features/suppressions';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { forbidden, unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Newsletter } from '../../newsletter.ts';
import { readAddress } from '../../subscribers/joining/subscriber-input.ts';
import type { Issue } from '../issue.ts';
import { requireSender } from '../sending/ready-issue.ts';
import { composeIssue, renderFor } from './compose-issue.ts';
import { sampleSubscriber } from './sample-subscriber.ts';

// A test goes to any address that its sender names: enough for writing an issue, too few to mail people with.
const PER_HOUR = 30;
const PER_DAY = 100;
const HOUR_SECONDS = 3_600;

/**
 * Sends an issue to one address to look at: in its own lane, so that it comes at once, with links that lead nowhere,
 * not tracked, and counted in no statistic. 422 for an address that is suppressed, 429 beyond 30 an hour and 100 a day
 * for a newsletter and for an API key.
 */
export async function sendTest(
  ctx: Ctx,
  newsletter: Newsletter,
  issue: Issue,
  to: string,
): Promise<{ to: string; emailId: string }> {
  const recipient = readAddress(to, 'to');
  const { content, personal } = await composeIssue(ctx, newsletter, issue);
  const sender = await requireSender(ctx, newsletter, issue);
  if (sender.workspacePaused) throw forbidden('Sending is paused for this workspace.');
  const suppressed = await suppressedAmong(ctx.db, ctx.workspaceId, [recipient.identity]);
  if (suppressed.size > 0) throw unacceptable('to', 'This address is suppressed: it may not be mailed.');
  const now = ctx.clock.now();
  await countOrRefuse(ctx, limitsOf(ctx, newsletter), now);
  const texts = { subject: content.subject, html: content.html ?? '', text: content.text };
  const subscriber = { ...sampleSubscriber, email: recipient.identity };
  const rendered = await renderFor(ctx.settings, newsletter, issue, { texts, personal }, subscriber);
  const receipt = await acceptSend(ctx, {
    source: 'test',
    lane: 'system',
    // Not of the issue: nothing of a test is part of its statistics.
    origin: { newsletterId: newsletter.id },
    content: {
      ...content,
      subject: `[Test] ${rendered.subject}`.slice(0, 998).toWellFormed(),
      html: rendered.html,
      text: rendered.text,
      trackOpens: false,
      trackClicks: false,
    },
    recipients: [recipient],
    expiresAt: null,
    sandbox: ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    takes: takesOfDomain(ctx.workspaceId, sender.domain, 1, now),
  });
  const [email] = receipt.emails;
  if (email === undefined) throw new Error('a test was accepted without an email');
  return { to: recipient.identity, emailId: email.id };
}

function limitsOf(ctx: Ctx, newsletter: Newsletter) {
  const subjects = [`newsletter ${newsletter.workspaceId} ${newsletter.id}`];
  if (ctx.actor.apiKey !== null) subjects.push(`key ${ctx.actor.apiKey.id}`);
  return subjects.flatMap((subject) => [
    { subject: `send-test hourly ${subject}`, max: PER_HOUR, windowSeconds: HOUR_SECONDS },
    { subject: `send-test daily ${subject}`, max: PER_DAY, windowSeconds: 24 * HOUR_SECONDS },
  ]);
}
