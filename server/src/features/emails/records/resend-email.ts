import { takesOfDomain } from '#features/domains';
import { acceptSend } from '#features/outbox';
import { isOfList } from '#mail/email-sources.ts';
import type { Mailbox } from '#mail/addresses.ts';
import { mailboxOf } from '#mail/stored-mailbox.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { sendAnswer } from '../sending/send-answer.ts';
import { requireSenderDomain } from '../sending/sender-permission.ts';
import { requireEmail } from './get-email.ts';
import { loadAttachments, type OneEmailRow } from './queries/one-email.ts';

const ON_ITS_WAY = new Set(['pending', 'queued', 'deferred', 'sending']);

/**
 * Sends the content of an email to the same recipient once more, as a new email with a job of its own. Everything that
 * is asked of a new send is asked again: the domain, the key, the cap, the suppression list.
 */
export async function resendEmail(ctx: Ctx, id: string) {
  const email = await requireEmail(ctx, id);
  // The copy would be a customer's email, which everybody who reads logs sees, with a link that signs people in.
  if (email.source === 'system') throw conflict('Mail of the system is not sent again: ask for a new one.');
  // The stored content is not personal yet: it has neither its reader's words nor the way out that newsletters must
  // have.
  if (isOfList(email.source)) {
    throw conflict(
      'Mail of a newsletter is not sent again by itself. Use resend-confirmation of the subscriber, or retry-failed of the issue.',
    );
  }
  if (ON_ITS_WAY.has(email.status)) {
    throw conflict('This email is still on its way: there is nothing to send again yet.');
  }
  if (email.status === 'unconfirmed') {
    throw conflict(
      'This email may have arrived. Use POST /v1/emails/:id/send-again or POST /v1/emails/:id/treat-as-sent.',
    );
  }
  const domain = await requireSenderDomain(ctx, email.fromDomain);
  const addresses = recipientsOf(email);
  const count =
    addresses.recipients.length +
    (addresses.grouped === undefined ? 0 : Object.values(addresses.grouped).flat().length);
  const receipt = await acceptSend(ctx, {
    source: 'resend',
    lane: 'transactional',
    content: {
      from: mailboxOf({ address: email.fromAddress, name: email.fromName }),
      domain,
      replyTo: email.replyTo.map(mailboxOf),
      subject: email.subject,
      html: email.html,
      text: email.text,
      headers: email.headers,
      inReplyTo: email.inReplyTo,
      tags: email.tags,
      metadata: email.metadata,
      trackOpens: email.trackOpens,
      trackClicks: email.trackClicks,
      attachments: (await loadAttachments(ctx.db, ctx.workspaceId, email.contentId)).map(({ contentId, ...file }) => ({
        ...file,
        cid: contentId,
      })),
    },
    ...addresses,
    // The old deadline was about the old email; whoever sends it again wants it sent.
    expiresAt: null,
    sandbox: email.sandbox || ctx.actor.mode === 'test',
    apiKey: ctx.actor.apiKey,
    ...(email.newsletterId === null ? {} : { origin: { newsletterId: email.newsletterId } }),
    takes: takesOfDomain(ctx.workspaceId, domain, count, ctx.clock.now()),
  });
  return { success: true as const, ...sendAnswer(receipt) };
}

function recipientsOf(email: OneEmailRow): {
  recipients: Mailbox[];
  grouped?: { to: Mailbox[]; cc: Mailbox[]; bcc: Mailbox[] };
} {
  const { grouped } = email;
  if (grouped === null) {
    return { recipients: [mailboxOf({ address: email.recipientTyped ?? email.recipient, name: email.recipientName })] };
  }
  return {
    recipients: [],
    grouped: { to: grouped.to.map(mailboxOf), cc: grouped.cc.map(mailboxOf), bcc: grouped.bcc.map(mailboxOf) },
  };
}
