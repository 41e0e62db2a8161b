/** The links in mail of newsletters, each for one purpose. */
import { type PersonLinks, readPersonLink, signPersonLink } from '#mail/list-mail/person-links.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';

export type LinkPurpose = 'nl_confirm' | 'nl_unsub' | 'nl_prefs' | 'nl_data';

/** A link to confirm is good for 7 days, one to a person's data for a day, the others for ever. */
const LINKS: PersonLinks<LinkPurpose> = {
  keyPurpose: 'newsletter-link',
  purposes: {
    nl_confirm: { path: '/api/n/confirm', lifeSeconds: 7 * 86_400 },
    nl_unsub: { path: '/api/n/unsubscribe' },
    nl_prefs: { path: '/api/n/preferences' },
    nl_data: { path: '/api/n/data', lifeSeconds: 86_400 },
  },
};

/** The person that a link is about. */
export interface LinkClaims {
  workspaceId: string;
  newsletterId: string;
  subscriberId: string;
  /** The issue in whose email the link stood. */
  issueId?: string;
  /** Of the subscriber when the link was made: a link to confirm from before an unsubscribe brings nobody back. */
  generation?: number;
  /** Of the address that it was sent to, where only the owner of that address may use it. */
  addressHash?: string;
  /** The address that a link to leave was mailed to: it is known when the subscriber is gone. */
  address?: string;
  /** The email of the link was made with a test key. */
  isTest?: boolean;
}

export interface ReadLink extends LinkClaims {
  /** Names this one link: the evidence of a consent. */
  tokenId: string;
  /** It was good once: a new one may be sent to the person. */
  isOver: boolean;
}

export const signLink = (secrets: Secrets, purpose: LinkPurpose, claims: LinkClaims, now: Date): Promise<string> => {
  const { newsletterId: listId, subscriberId: personId, issueId, ...rest } = claims;
  const mailing = issueId === undefined ? {} : { mailingId: issueId };
  return signPersonLink(LINKS, secrets, purpose, { ...rest, listId, personId, ...mailing }, now);
};

/** Undefined for anything but a link of ours for this purpose, unchanged. */
export async function readLink(
  secrets: Secrets,
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<ReadLink | undefined> {
  const link = await readPersonLink(LINKS, secrets, purpose, token, now);
  if (link === undefined) return undefined;
  const { listId: newsletterId, personId: subscriberId, mailingId, ...rest } = link;
  return { ...rest, newsletterId, subscriberId, ...(mailingId === undefined ? {} : { issueId: mailingId }) };
}

/** Where the link leads and the buttons behind it post to, below `base`: our address, or on a page of ours its path. */
export const linkUrl = (base: string, purpose: LinkPurpose, token: string): string =>
  `${base}${LINKS.purposes[purpose].path}?token=${token}`;

/** The link by which somebody leaves, for mail of other features. */
export const leavingUrl = async (
  { secrets, settings, clock }: Pick<Ctx, 'secrets' | 'settings' | 'clock'>,
  claims: LinkClaims,
): Promise<string> =>
  linkUrl(settings.dashboardUrl, 'nl_unsub', await signLink(secrets, 'nl_unsub', claims, clock.now()));
