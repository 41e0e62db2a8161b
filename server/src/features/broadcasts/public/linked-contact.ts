import { type Contact, findContactById } from '#features/contacts';
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

/** The contact that a link is about. */
export interface LinkedContact {
  /** The caller's, in the workspace of the contact. */
  ctx: Ctx;
  claims: ContactClaims;
  contact: Contact;
  /** The one whose email had the link; undefined: it was deleted. */
  broadcast: Broadcast | undefined;
  page: ReaderContext;
  /** Where the link leads, and its buttons post to. */
  action: string;
}

/** Throws 400 or 404 (`token`) for a link that leads nowhere, and 429 for who tries too many that are none of ours. */
export async function openContactLink(ctx: Ctx, token: string, visitor: Visitor): Promise<LinkedContact> {
  const claims = await readContactLink(ctx.secrets, token, ctx.clock.now());
  if (claims === undefined) {
    await countOrRefuse(ctx, limitsOfCaller('contact bad link', ctx.ip, ctx.settings), ctx.clock.now());
    throw new AppError('validation_error', 'This link does not work.', { param: 'token' });
  }
  const { workspaceId, contactId, broadcastId } = claims;
  const contact = await findContactById(ctx.db, workspaceId, contactId);
  if (contact === undefined) {
    throw new AppError('not_found_error', 'This link belongs to a contact that was removed.', { param: 'token' });
  }
  const broadcast = await findBroadcast(ctx.db, workspaceId, broadcastId);
  const name = await senderName({ ...ctx, workspaceId }, { sender: broadcast?.sender ?? null });
  const { language } = contact;
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
  return { ctx: { ...ctx, workspaceId }, claims, contact, broadcast, page, action };
}
