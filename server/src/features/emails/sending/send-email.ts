import { headersOfTakes, takesOfKey } from '#features/api-keys';
import type { Ctx } from '#platform/http/context.ts';
import { acceptedEmail, addressCount } from './accepted-email.ts';
import { acceptAndName } from './accept-and-name.ts';
import { estimateCompletion } from './estimate-completion.ts';
import { fillSend } from './fill-send.ts';
import { requireNewsletter, type SendingPorts } from './newsletter-permission.ts';
import type { ReadSend } from './read-send.ts';
import { sendAnswer } from './send-answer.ts';
import { requireSenderDomain } from './sender-permission.ts';

/**
 * Accepts one send: private copies, or one message to a group. Besides look-ups that are cached for a second it is one
 * statement and one commit, which takes the places in the limits of the key and the caps of the domain: all or nothing.
 * A group costs one statement more, which says who of it is suppressed.
 */
export async function sendEmail(ctx: Ctx, given: ReadSend, ports: SendingPorts) {
  const now = ctx.clock.now();
  const read = await fillSend(ctx, given);
  const domain = await requireSenderDomain(ctx, read.from.domain);
  await requireNewsletter(ctx, read.newsletterId, ports);
  // Before the emails are stored: whatever fails here must not make an accepted send look refused.
  const estimate = await estimateCompletion(ctx, read.grouped === null ? read.to.length : addressCount(read));
  const send = acceptedEmail(ctx, read, domain, { source: 'api', takes: takesOfKey(ctx.actor, now) });
  const receipt = await acceptAndName(ctx, send);
  const { jobId, status, emails } = sendAnswer(receipt);
  const accepted = receipt.total - receipt.suppressed;
  const suppressed = send.grouped === undefined ? receipt.suppressed : (receipt.emails[0]?.leftOut ?? []).length;
  return {
    accepted: {
      success: true as const,
      jobId,
      status,
      accepted,
      suppressed,
      emails,
      estimatedCompletionAt: accepted === 0 ? null : estimate,
      message: accepted === 0 ? 'Every address is on the suppression list; nothing will be sent.' : 'Queued',
    },
    /** The rest of the key's limits, as headers: the statement above has said it, so nobody has to look. */
    limits: headersOfTakes(ctx, send.takes, receipt.used),
  };
}
