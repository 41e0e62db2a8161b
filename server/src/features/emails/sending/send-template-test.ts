import { findDefaultSenderDomain, takesOfDomain } from '#features/domains';
import { acceptSend, plainContent } from '#features/outbox';
import { suppressedAmong } from '#features/suppressions';
import type { TemplateTest } from '#features/templates';
import { type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { readAddress } from '#mail/addresses/read-address.ts';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { insertPreheader } from './preheader.ts';
import { LIMITS } from './schemas.ts';
import { requireSenderDomain } from './sender-permission.ts';

// As the tests of newsletters: enough for writing a mail, too few to mail people with.
const PER_HOUR = 30;
const PER_DAY = 100;
const HOUR_SECONDS = 3_600;

/**
 * Sends a rendered template to one address to look at: in the lane of the system, so that it comes at once. It is not
 * tracked, and counted in no statistic. Without a sender of its own it leaves from the domain that the workspace sends
 * from.
 */
export async function sendTemplateTest(ctx: Ctx, test: TemplateTest): Promise<{ to: string; emailId: string }> {
  const to = readAddress(test.to, 'to');
  const from = await senderOf(ctx, test.from);
  const domain = await requireSenderDomain(ctx, from.domain);
  const suppressed = await suppressedAmong(ctx.db, ctx.workspaceId, [to.identity]);
  if (suppressed.size > 0) throw unacceptable('to', 'This address is suppressed: it may not be mailed.');
  const now = ctx.clock.now();
  await countOrRefuse(ctx, limitsOf(ctx, test.templateId), now);
  const { subject, preheader, html, text } = test.rendered;
  const receipt = await acceptSend(ctx, {
    source: 'test',
    lane: 'system',
    origin: { templateId: test.templateId },
    content: plainContent({
      from,
      domain,
      replyTo: test.replyTo.map((one) => parseMailbox(one)),
      subject: `[Test] ${subject ?? ''}`.trim().slice(0, LIMITS.subjectChars).toWellFormed(),
      html: html === null || preheader === null || preheader === '' ? html : insertPreheader(html, preheader),
      text,
    }),
    recipients: [to],
    expiresAt: null,
    sandbox: ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    takes: takesOfDomain(ctx.workspaceId, domain, 1, now),
  });
  const [email] = receipt.emails;
  if (email === undefined) throw new Error('a test was accepted without an email');
  return { to: to.identity, emailId: email.id };
}

async function senderOf(ctx: Ctx, from: string | null): Promise<Mailbox> {
  if (from !== null) return parseMailbox(from);
  const domain = await findDefaultSenderDomain(ctx);
  if (domain === undefined)
    throw unacceptable('from', 'The template has no from, and no domain of this workspace is verified.');
  return parseMailbox(`test@${domain.domain}`);
}

function limitsOf({ actor }: Ctx, templateId: string) {
  const subjects = [`template ${templateId}`, ...(actor.apiKey === null ? [] : [`key ${actor.apiKey.id}`])];
  return subjects.flatMap((one) => [
    { subject: `send-test hourly ${one}`, max: PER_HOUR, windowSeconds: HOUR_SECONDS },
    { subject: `send-test daily ${one}`, max: PER_DAY, windowSeconds: 24 * HOUR_SECONDS },
  ]);
}
