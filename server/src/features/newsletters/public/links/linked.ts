import { type Evidence, evidenceOf, hashOfAddress } from '#features/consents';
import { findWorkspaceWords } from '#features/workspaces';
import { AppError } from '#platform/errors/app-error.ts';
import type { Secrets } from '#platform/crypto/secrets.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Visitor } from '#platform/http/visitor.ts';
import type { Newsletter } from '../../newsletter.ts';
import { selectNewsletter } from '../../queries.ts';
import { findSubscriber } from '../../subscribers/queries.ts';
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

/** Reads a link of a mail. Throws DeadLink, and 429 for who tries too many that are none of ours. */
export async function openLink(ctx: Ctx, purpose: LinkPurpose, token: string): Promise<Linked> {
  const link = await readLink(ctx.secrets, purpose, token, ctx.clock.now());
  if (link === undefined) {
    await countBadLink(ctx);
    throw new DeadLink('bad', null);
  }
  const newsletter = await selectNewsletter(ctx.db, link.workspaceId, link.newsletterId);
  if (newsletter === undefined) throw new DeadLink('gone', null);
  if (link.isOver) throw new DeadLink('bad', newsletter);
  const subscriber = await findSubscriber(ctx.db, link.workspaceId, link.newsletterId, link.subscriberId);
  if (subscriber === undefined) throw new DeadLink('gone', newsletter);
  if (link.addressHash !== undefined && link.addressHash !== addressHashOf(ctx.secrets, subscriber.email)) {
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

export const workspaceNameOf = ({ ctx, newsletter }: Linked): Promise<string> => senderName(ctx, newsletter);

/** The evidence that a person followed this link or pressed a button behind it. */
export const proofOf = ({ link }: Linked, visitor: Visitor): Evidence => ({
  ...evidenceOf(visitor),
  tokenId: link.tokenId,
});
