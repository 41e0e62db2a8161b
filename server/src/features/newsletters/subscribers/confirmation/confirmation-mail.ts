import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import type { Mailbox } from '#mail/addresses/addresses.ts';
import { byName, leavingHeaders, personalHeaders } from '#mail/list-mail/list-headers.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../../newsletter.ts';
import { linkUrl, signLink } from '../../link-token.ts';
import { confirmationSenderOf, type NewsletterSender } from '../../settings/sender-of-newsletter.ts';
import { confirmationBody } from './confirmation-body.ts';
import { noteConfirmationSent } from '../queries.ts';
import type { Subscriber } from '../subscriber.ts';
import type { SubscribersCtx } from '../subscribers-ctx.ts';
import { queueSystemMail } from './system-mail.ts';

/** As long as the link in it. */
const CONFIRMATION_DAYS = 7;

/**
 * The newsletter that asks for confirmation. Throws 422 (param `from_email`) when nobody can, 403 while the workspace
 * is paused.
 */
export async function requireConfirmationSender(
  ctx: SubscribersCtx,
  newsletter: Newsletter,
): Promise<NewsletterSender> {
  const sender = await confirmationSenderOf(ctx, newsletter);
  if (sender === null) {
    throw unacceptable(
      'from_email',
      'This newsletter has no sender whose domain is verified, so nobody can be asked to confirm.',
    );
  }
  requireNotStopped(sender.sendingStop);
  return sender;
}

export interface Confirmation {
  newsletter: Newsletter;
  subscriber: Subscriber;
  /** The address as it was typed, when that is known; the stored one otherwise. */
  to: Mailbox;
  sender: NewsletterSender;
  at: Date;
}

/**
 * Queues the email that asks for confirmation, in the caller's transaction, and notes that on the subscriber. There
 * is no word in it that a stranger typed: who signs somebody else up must not get a message to them. Not tracked.
 * Null: the subscriber is not pending any more.
 */
export async function sendConfirmation(
  ctx: SubscribersCtx,
  { newsletter, subscriber: row, to, sender, at }: Confirmation,
): Promise<{ subscriber: Subscriber; emailId: string } | null> {
  const subscriber = await noteConfirmationSent(ctx.db, row, at);
  if (subscriber === undefined) return null;
  const claims = { workspaceId: row.workspaceId, newsletterId: row.newsletterId, subscriberId: row.id };
  const isTest = ctx.actor.mode === 'test';
  const [confirm, unsubscribe] = await Promise.all([
    signLink(ctx.secrets, 'nl_confirm', { ...claims, generation: subscriber.generation, isTest }, at),
    signLink(ctx.secrets, 'nl_unsub', { ...claims, address: row.email }, at),
  ]);
  const base = ctx.settings.dashboardUrl;
  const unsubscribeUrl = linkUrl(base, 'nl_unsub', unsubscribe);
  const body = confirmationBody(newsletter, { confirmUrl: linkUrl(base, 'nl_confirm', confirm), unsubscribeUrl });
  const emailId = await queueSystemMail(ctx, {
    subscriber: row,
    to,
    sender,
    body,
    headers: byName([
      ...leavingHeaders(unsubscribeUrl),
      ...personalHeaders(newsletter, sender.domain.domain, 'confirmation'),
    ]),
    expiresAt: new Date(at.getTime() + CONFIRMATION_DAYS * 86_400_000),
  });
  return { subscriber, emailId };
}
