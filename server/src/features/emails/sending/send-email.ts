import { reserveSends } from '#features/api-keys';
import type { Ctx } from '#platform/http/context.ts';
import { acceptEmail, addressCount } from './accept-email.ts';
import { estimateCompletion } from './estimate-completion.ts';
import { requireNewsletter, type SendingPorts } from './newsletter-permission.ts';
import { readSend, type SendInput } from './read-send.ts';
import { sendAnswer } from './send-answer.ts';
import { requireSenderDomain } from './sender-permission.ts';

/**
 * Accepts one send: private copies, or one message to a group. Besides look-ups that are cached for a second it is one
 * statement and one commit, with the limits of the key and the caps of the domain reserved in it: all or nothing.
 */
export async function sendEmail(ctx: Ctx, input: SendInput, ports: SendingPorts) {
  const now = ctx.clock.now();
  const read = readSend(input, now);
  const domain = await requireSenderDomain(ctx, read.from.domain);
  await requireNewsletter(ctx, read.newsletterId, ports);
  const limits = reserveSends(ctx.actor, 1, now);
  // Before the emails are stored: whatever fails here must not make an accepted send look refused.
  const estimate = await estimateCompletion(ctx, read.grouped === null ? read.to.length : addressCount(read));
  const receipt = await acceptEmail(ctx, read, domain, {
    source: 'api',
    reservations: limits === null ? [] : [limits],
  });
  const { jobId, status, emails } = sendAnswer(receipt);
  const accepted = receipt.total - receipt.suppressed;
  return {
    success: true as const,
    jobId,
    status,
    accepted,
    suppressed: receipt.suppressed,
    emails,
    estimatedCompletionAt: accepted === 0 ? null : estimate,
    message: accepted === 0 ? 'Every address is on the suppression list; nothing will be sent.' : 'Queued',
  };
}
