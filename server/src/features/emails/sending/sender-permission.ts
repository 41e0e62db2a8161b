import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { findSenderDomain, howToVerify, type SenderDomain } from '#features/domains';
import { requireKeyForDomain } from '#features/workspaces';
import type { Ctx } from '#platform/http/context.ts';
import { unacceptable } from '#platform/errors/app-error.ts';

/**
 * The domain an email may be sent from. Unknown, unverified and somebody else's domains are refused in the same words,
 * so that the answer tells nothing about other workspaces.
 */
export async function requireSenderDomain(ctx: Ctx, domain: string): Promise<SenderDomain> {
  const found = await findSenderDomain(ctx, domain);
  if (found === undefined) {
    throw unacceptable(
      'from',
      `The domain ${domain} is not verified for sending in this workspace. Send from a verified ` +
        `domain. ${await howToVerify(ctx, domain)}`,
    );
  }
  requireNotStopped(found.sendingStop);
  requireKeyForDomain(ctx.actor, { domainId: found.domainId, domain }, 'from');
  return found;
}
