import type { Ctx } from '#platform/http/context.ts';
import { hashOfLinkToken } from '../accounts/user-token.ts';
import { noSuchInvite } from './no-such-invite.ts';
import { findOpenInvite, type ShownInvite } from './queries.ts';

/**
 * The content of an invitation, for the holder of the link: they read the mailbox, so its address is no news to them.
 */
export async function getOpenInvite(ctx: Ctx, token: string): Promise<ShownInvite> {
  const hash = hashOfLinkToken(token);
  const invite = hash === undefined ? undefined : await findOpenInvite(ctx.db, hash, ctx.clock.now());
  if (invite === undefined) throw noSuchInvite();
  return invite;
}
