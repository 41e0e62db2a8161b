import { countsOfDomain } from '#features/domains';
import { acceptSend, plainContent } from '#features/outbox';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import type { NewsletterSender } from '../../settings/sender-of-newsletter.ts';
import type { Subscriber } from '../subscriber.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';

export interface SystemMail {
  subscriber: Pick<Subscriber, 'newsletterId' | 'id'>;
  to: Mailbox;
  sender: NewsletterSender;
  body: { subject: string; html: string; text: string };
  headers?: Record<string, string>;
  /** As long as what it offers. */
  expiresAt: Date;
}

/**
 * Queues an email of a newsletter to one person that does not wait for issues, in the caller's transaction; returns its
 * id. Not tracked, and without the name that somebody may have typed for them.
 */
export async function queueSystemMail(ctx: SubscribersCtx, mail: SystemMail): Promise<string> {
  const { sender, body } = mail;
  const receipt = await acceptSend(ctx, {
    source: 'confirmation',
    lane: 'transactional',
    origin: { newsletterId: mail.subscriber.newsletterId, subscriberId: mail.subscriber.id },
    content: plainContent({
      from: sender.from,
      domain: sender.domain,
      replyTo: [...sender.replyTo],
      subject: body.subject,
      html: body.html,
      text: body.text,
      // RFC 3834 §5.
      headers: { 'Auto-Submitted': 'auto-generated', ...mail.headers },
      attachments: [],
    }),
    recipients: [{ ...mail.to, name: null }],
    expiresAt: mail.expiresAt,
    sandbox: ctx.actor.mode === 'test',
    apiKey: null,
    takes: countsOfDomain(ctx.workspaceId, sender.domain, 1, ctx.clock.now()),
  });
  const [email] = receipt.emails;
  if (email === undefined) throw new Error('an email of a newsletter was accepted without an email');
  return email.id;
}
