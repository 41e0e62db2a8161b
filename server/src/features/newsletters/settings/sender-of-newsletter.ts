import type { Sender } from '#features/compositions';
import { findDefaultSenderDomain, findSenderDomain, type SenderDomain } from '#features/domains';
import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import { mailboxOf } from '#mail/addresses/stored-mailbox.ts';
import type { Db } from '#platform/db/database.ts';
import { type AppError, unacceptable } from '#platform/errors/app-error.ts';
import type { Newsletter } from '../newsletter.ts';

interface Asking {
  db: Db;
  /** Of the newsletter. */
  workspaceId: string;
  settings: { readonly edition: string; readonly senderDomains: readonly string[] };
}

/** The sender of a newsletter's mail, and its reply address. */
export type NewsletterSender = Sender;

/**
 * Who its issues are from. null: it has no `from_email`, or the domain of that may not send (any more). At most a
 * second old.
 */
export async function senderOf(ctx: Asking, newsletter: Newsletter): Promise<NewsletterSender | null> {
  if (newsletter.fromEmail === null) return null;
  const from = mailboxOf({ address: newsletter.fromEmail, name: null });
  const domain = await findSenderDomain(ctx, from.domain);
  return domain === undefined ? null : senderFrom(newsletter, from, domain);
}

/** The same, or throws (unacceptable) why nothing can be sent for it. */
export async function requireSenderOf(ctx: Asking, newsletter: Newsletter): Promise<NewsletterSender> {
  const sender = await senderOf(ctx, newsletter);
  if (sender === null) throw noSender(newsletter);
  return sender;
}

/** The refusal of a newsletter that nothing can be sent for. */
export function noSender({ fromEmail }: Pick<Newsletter, 'fromEmail'>): AppError {
  if (fromEmail === null) {
    return unacceptable('from_email', 'The newsletter has no sender. Give it a from_email at a verified domain.');
  }
  const domain = fromEmail.slice(fromEmail.lastIndexOf('@') + 1);
  return unacceptable(
    'from_email',
    `The domain ${domain} of the newsletter's from_email is not verified for sending. Verify it, or change from_email.`,
  );
}

/**
 * Who its confirmation emails are from: the sender of its issues or, as long as it has no `from_email`,
 * `newsletter@` the domain that the workspace sends from, so that the first sign-up works before anything is set.
 * null: there is no such domain, or the chosen sender's may not send.
 */
export async function confirmationSenderOf(ctx: Asking, newsletter: Newsletter): Promise<NewsletterSender | null> {
  if (newsletter.fromEmail !== null) return await senderOf(ctx, newsletter);
  const domain = await findDefaultSenderDomain(ctx);
  if (domain === undefined) return null;
  return senderFrom(newsletter, mailboxOf({ address: `newsletter@${domain.domain}`, name: null }), domain);
}

function senderFrom(newsletter: Newsletter, from: Mailbox, domain: SenderDomain): NewsletterSender {
  return {
    from: { ...from, name: displayName(newsletter, from.address) },
    domain,
    replyTo: newsletter.replyTo === null ? [] : [parseMailbox(newsletter.replyTo)],
    sendingStop: domain.sendingStop,
  };
}

/** The chosen name, else that of the newsletter; one that shows another domain's address is never put beside ours. */
function displayName({ fromName, name }: Newsletter, address: string): string | null {
  for (const chosen of [fromName, name]) {
    if (chosen !== null && nameProblem(chosen, address) === null) return chosen;
  }
  return null;
}

/** Why this name may not stand beside this address, or null. */
export function nameProblem(name: string, address: string): string | null {
  try {
    parseMailbox(`"${name.replace(/["\\]/g, String.raw`\$&`)}" <${address}>`);
    return null;
  } catch (error) {
    if (error instanceof AddressError) return error.reason;
    throw error;
  }
}
