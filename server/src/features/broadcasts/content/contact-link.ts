/** The links in mail to contacts: out, and to the choices. */
import { type PersonLinks, readPersonLink, type ReadPersonLink, signPersonLink } from '#mail/list-mail/person-links.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';

/** Good for ever: people may leave by any mail they ever got. */
const LINKS: PersonLinks<'contact_unsub'> = {
  keyPurpose: 'contact-link',
  purposes: { contact_unsub: { path: '/api/c/unsubscribe' } },
};

export interface ContactClaims {
  workspaceId: string;
  contactId: string;
  broadcastId: string;
  /** The identity of the address that it was mailed to: the contact may be deleted by the time it is used. */
  email?: string;
}

export const signContactLink = (secrets: Secrets, claims: ContactClaims, now: Date): Promise<string> => {
  const { workspaceId, contactId: personId, broadcastId: listId, email } = claims;
  // The broadcast is the list: everybody it goes to is on it.
  const address = email === undefined ? {} : { address: email };
  return signPersonLink(LINKS, secrets, 'contact_unsub', { workspaceId, personId, listId, ...address }, now);
};

/** Undefined for anything but a link of ours, unchanged. */
export async function readContactLink(secrets: Secrets, token: string, now: Date): Promise<ContactClaims | undefined> {
  const link: ReadPersonLink | undefined = await readPersonLink(LINKS, secrets, 'contact_unsub', token, now);
  if (link === undefined) return undefined;
  const { workspaceId, personId: contactId, listId: broadcastId, address } = link;
  return { workspaceId, contactId, broadcastId, ...(address === undefined ? {} : { email: address }) };
}

/** Below `base`: the address that people reach us at, or its path on a page of ours. */
export const contactLinkUrl = (base: string, token: string): string =>
  `${base}${LINKS.purposes.contact_unsub.path}?token=${token}`;

/** The link by which a contact leaves all mail to many; `mailingId` is what sent it, if no broadcast. */
export const contactLeavingUrl = async (
  { workspaceId, secrets, settings, clock }: Pick<Ctx, 'workspaceId' | 'secrets' | 'settings' | 'clock'>,
  { contactId, mailingId, email }: { contactId: string; mailingId: string; email: string },
): Promise<string> =>
  contactLinkUrl(
    settings.dashboardUrl,
    await signContactLink(secrets, { workspaceId, contactId, broadcastId: mailingId, email }, clock.now()),
  );
