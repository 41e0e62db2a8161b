import { type Contact, findContactByEmail, findContactById, hasOptedOut } from '#features/contacts';
import { bulkSends } from '#features/outbox';
import { localeOf, type ReaderContext, strangerContext } from '#features/reader-pages';
import { countOrRefuse } from '#platform/attempts/attempt-limits.ts';
import { limitsOfCaller } from '#platform/attempts/caller-limits.ts';
import { AppError } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { headerOf, type Visitor } from '#platform/http/visitor.ts';
import type { Broadcast } from '../broadcast.ts';
import { senderName } from '../content/broadcast-composition.ts';
import { type ContactClaims, contactLinkUrl, readContactLink } from '../content/contact-link.ts';
import { findBroadcast } from '../queries.ts';

type Person = Pick<LinkedContact, 'contact' | 'email'>;

/** The person that a link is about. */
export interface LinkedContact {
  /** The caller's, in the workspace of the contact. */
  ctx: Ctx;
  claims: ContactClaims;
  /** The contact of the id or, after a deletion, of the address. Undefined: the address has none. */
  contact: Contact | undefined;
  /** The identity of the address that the link was mailed to; null: nobody knows it any more. */
  email: string | null;
  /** The one whose email had the link; undefined: it was deleted. */
  broadcast: Broadcast | undefined;
  page: ReaderContext;
  /** Where the link leads, and its buttons post to. */
  action: string;
}

/**
 * Throws 400 (`token`) for a link that is none of ours, and 429 for who tries too many of them. A link of ours works
 * for ever: the contact may be deleted, and uploaded again with another id.
 */
export async function openContactLink(ctx: Ctx, token: string, visitor: Visitor): Promise<LinkedContact> {
  const claims = await readContactLink(ctx.secrets, token, ctx.clock.now());
  if (claims === undefined) {
    await countOrRefuse(ctx, limitsOfCaller('contact bad link', ctx.ip, ctx.settings), ctx.clock.now());
    throw new AppError('validation_error', 'This link does not work.', { param: 'token' });
  }
  const { workspaceId, broadcastId } = claims;
  const { contact, email } = await findPerson({ ...ctx, workspaceId }, claims);
  const broadcast = await findBroadcast(ctx.db, workspaceId, broadcastId);
  const name = await senderName({ ...ctx, workspaceId }, { sender: broadcast?.sender ?? null });
  const language = contact?.language ?? null;
  const base = new URL(ctx.settings.dashboardUrl).pathname.replace(/\/+$/, '');
  const page: ReaderContext = {
    brand: { name, description: null, accentColor: null, logoUrl: null },
    locale:
      language === null
        ? strangerContext(headerOf(visitor, 'accept-language')).locale
        : localeOf(language.split('-', 1)[0] ?? ''),
    embedded: null,
    formAt: null,
    subscribeAt: null,
  };
  const action = contactLinkUrl(base, encodeURIComponent(token));
  return { ctx: { ...ctx, workspaceId }, claims, contact, email, broadcast, page, action };
}

export async function findPerson({ db, workspaceId }: Ctx, claims: ContactClaims): Promise<Person> {
  const byId = await findContactById(db, workspaceId, claims.contactId);
  // Links of older mail, and those of very long addresses, do not carry the address.
  const email = claims.email ?? (await bulkSends.addressOf(db, workspaceId, claims.contactId)) ?? byId?.email ?? null;
  const contact = byId ?? (email === null ? undefined : await findContactByEmail(db, workspaceId, email));
  return { contact, email };
}

/** Whether mail to many has stopped for the person. */
export async function hasLeft({ ctx, contact, email }: LinkedContact): Promise<boolean> {
  if (contact !== undefined) return contact.unsubscribedAt !== null;
  return email === null || hasOptedOut(ctx, email);
}
