import { type Evidence, evidenceOf, hashOfAddress, newestConsent } from '#features/consents';
import { bulkSends } from '#features/outbox';
import { findWorkspaceWords } from '#features/workspaces';
import { AppError } from '#platform/errors/app-error.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Visitor } from '#platform/http/visitor.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import { findSubscriber, findSubscriberByEmail } from '../../subscribers/queries.ts';
import type { Subscriber } from '../../subscribers/subscriber.ts';
import { type LinkPurpose, type ReadLink, readLink } from '../../link-token.ts';
import { countBadLink } from '../limits/public-limits.ts';

/** The records that a link is about: a newsletter and a person on it, both there. */
export interface Linked {
  /** The caller's, in the workspace of the newsletter. */
  ctx: Ctx;
  token: string;
  link: ReadLink;
  newsletter: Newsletter;
  subscriber: Subscriber;
}

/** A link that leads nowhere: 400 when it is damaged or over, 404 when what it was for is gone. */
export class DeadLink extends AppError {
  /** Whose page says so; null when nobody knows. */
  readonly newsletter: Newsletter | null;

  constructor(kind: 'bad' | 'gone', newsletter: Newsletter | null) {
    super(
      kind === 'bad' ? 'validation_error' : 'not_found_error',
      kind === 'bad'
        ? 'This link does not work.'
        : 'This link belongs to a newsletter or a subscription that was removed.',
      { param: 'token' },
    );
    this.newsletter = newsletter;
  }
}

/** A link to leave whose subscriber was removed, and is not on the list again. */
export interface LinkedFormer extends Omit<Linked, 'subscriber'> {
  subscriber: undefined;
  /** The identity of the address that it was mailed to. null: nobody knows it any more. */
  email: string | null;
}

/** Reads a link of a mail. Throws DeadLink, and 429 for who tries too many that are none of ours. */
export async function openLink(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<Linked> {
  const { subscriber, ...opened } = await read(ctx, purpose, token);
  if (subscriber === undefined) throw new DeadLink('gone', opened.newsletter);
  return { ...opened, subscriber };
}

/**
 * The same of a link to leave, which works for ever: the subscriber may be removed, and come again with another id.
 * Links of older mail, and those of very long addresses, do not carry the address: the newest email or the record of
 * consents may have it.
 */
export async function openLeavingLink(ctx: Ctx, token: string): Promise<Linked | LinkedFormer> {
  const { subscriber: byId, ...opened } = await read(ctx, 'nl_unsub', token);
  if (byId !== undefined) return { ...opened, subscriber: byId };
  const { workspaceId, newsletterId, subscriberId, address } = opened.link;
  const email =
    address ??
    (await bulkSends.addressOf(ctx.db, workspaceId, subscriberId)) ??
    (await newestConsent(ctx, { workspaceId, listId: newsletterId, email: null, id: subscriberId }))?.email
      // As it was typed; lists and hashes have it in lower case.
      ?.toLowerCase() ??
    null;
  if (email === null) return { ...opened, subscriber: undefined, email };
  const subscriber = await findSubscriberByEmail(ctx.db, workspaceId, newsletterId, email);
  return subscriber === undefined ? { ...opened, subscriber, email } : { ...opened, subscriber };
}

type Read = Omit<Linked, 'subscriber'> & { subscriber: Subscriber | undefined };

async function read(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<Read> {
  const link = await readLink(ctx.secrets, purpose, token, ctx.clock.now());
  if (link === undefined) {
    await countBadLink(ctx);
    throw new DeadLink('bad', null);
  }
  const newsletter = await selectNewsletter(ctx.db, link.workspaceId, link.newsletterId);
  if (newsletter === undefined) throw new DeadLink('gone', null);
  if (link.isOver) throw new DeadLink('bad', newsletter);
  const subscriber = await findSubscriber(ctx.db, link.workspaceId, link.newsletterId, link.subscriberId);
  const email = subscriber?.email;
  if (link.addressHash !== undefined && email !== undefined && link.addressHash !== addressHashOf(ctx.secrets, email)) {
    throw new DeadLink('bad', newsletter); // the address was changed since
  }
  return { ctx: { ...ctx, workspaceId: link.workspaceId }, token, link, newsletter, subscriber };
}

/** Of an address in a link that was sent to it. */
export const addressHashOf = (secrets: Secrets, email: string): string =>
  hashOfAddress(secrets, email).toString('base64url').slice(0, 16);

/** The sender as its readers know it: a workspace that nobody has named yet is called like the newsletter. */
export async function senderName({ db }: Pick<Ctx, 'db'>, newsletter: Newsletter): Promise<string> {
  return (await findWorkspaceWords(db, newsletter.workspaceId))?.name ?? newsletter.name;
}

export const workspaceNameOf = ({ ctx, newsletter }: Pick<Linked, 'ctx' | 'newsletter'>): Promise<string> =>
  senderName(ctx, newsletter);

/** The evidence that a person followed this link or pressed a button behind it. */
export const proofOf = ({ link }: Pick<Linked, 'link'>, visitor: Visitor): Evidence => ({
  ...evidenceOf(visitor),
  tokenId: link.tokenId,
});
