import { type SenderDomain, takesOfDomain } from '#features/domains';
import type { AcceptedSend } from '#features/outbox';
import { isOfList } from '#mail/email-sources.ts';
import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { mailboxOf } from '#mail/addresses/stored-mailbox.ts';
import { conflict, invalid } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { acceptAndName } from '../sending/accept-and-name.ts';
import { LIMITS } from '../sending/schemas.ts';
import { sendAnswer } from '../sending/send-answer.ts';
import { requireSenderDomain } from '../sending/sender-permission.ts';
import { requireEmail } from './get-email.ts';
import { loadAttachments, loadRawMessage, type OneEmailRow } from './queries/one-email.ts';

const ON_ITS_WAY = new Set(['pending', 'queued', 'deferred', 'sending']);

/**
 * Sends the content of an email to the same recipient once more, or as a copy `to` another, as a new email with a job
 * of its own. Everything that is asked of a new send is asked again: the domain, the key, the cap, the suppression
 * list.
 */
export async function resendEmail(ctx: Ctx, id: string, to?: string) {
  const email = await requireEmail(ctx, id);
  requireResendable(email);
  const reader = to === undefined ? undefined : readerOf(to);
  const domain = await requireSenderDomain(ctx, email.fromDomain);
  const stored = await contentOf(ctx, email, domain);
  const content = reader === undefined ? stored : asCopy(stored);
  const addresses = reader === undefined ? recipientsOf(email) : { recipients: [reader] };
  const count =
    addresses.recipients.length +
    (addresses.grouped === undefined ? 0 : Object.values(addresses.grouped).flat().length);
  const receipt = await acceptAndName(ctx, {
    source: 'resend',
    requestId: ctx.requestId,
    lane: 'transactional',
    content,
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

function requireResendable(email: OneEmailRow): void {
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
}

function readerOf(to: string): Mailbox {
  try {
    return parseMailbox(to);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw invalid('to', `to must be an email address. ${error.reason}`);
  }
}

/** A copy says so: its reader is not the person whom the content speaks to. */
function asCopy(content: AcceptedSend['content']): AcceptedSend['content'] {
  if (content.kind === 'raw') {
    throw conflict(
      'This message was given whole, and its bytes are not changed: send it to the same recipient, or anew.',
    );
  }
  return { ...content, subject: `Copy: ${content.subject}`.slice(0, LIMITS.subjectChars) };
}

async function contentOf(ctx: Ctx, email: OneEmailRow, domain: SenderDomain): Promise<AcceptedSend['content']> {
  const record = {
    from: mailboxOf({ address: email.fromAddress, name: email.fromName }),
    domain,
    replyTo: email.replyTo.map(mailboxOf),
    subject: email.subject,
    tags: email.tags,
    metadata: email.metadata,
  };
  const tracked = { trackOpens: email.trackOpens, trackClicks: email.trackClicks };
  if (email.givenMessageId !== null) {
    const mime = await loadRawMessage(ctx.db, ctx.workspaceId, email.contentId);
    if (mime === undefined) throw conflict('The content of this email was erased.');
    return { kind: 'raw', ...record, ...tracked, mime, messageId: email.givenMessageId };
  }
  const attachments = await loadAttachments(ctx.db, ctx.workspaceId, email.contentId);
  return {
    kind: 'composed',
    ...record,
    html: email.html,
    text: email.text,
    headers: email.headers,
    inReplyTo: email.inReplyTo,
    ...tracked,
    attachments: attachments.map(({ contentId, ...file }) => ({ ...file, cid: contentId })),
  };
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
