import type { Sender } from '#features/compositions';
import { findSenderDomain, howToVerify } from '#features/domains';
import { requireKeyForDomain } from '#features/workspaces';
import { parseMailbox } from '#mail/addresses/addresses.ts';
import { unacceptable } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';

/**
 * The sender of a broadcast, or throws why it cannot send: 422 (`from`) when it has none or its domain may not send,
 * 403 when the key is not allowed on the domain.
 */
export async function requireSender(
  ctx: BroadcastsCtx,
  { sender, replyTo }: Pick<Broadcast, 'sender' | 'replyTo'>,
): Promise<Sender> {
  if (sender === null) throw unacceptable('from', 'The broadcast has no sender. Give it a from at a verified domain.');
  const from = parseMailbox(sender);
  const domain = await findSenderDomain(ctx, from.domain);
  if (domain === undefined) {
    const how = await howToVerify(ctx, from.domain);
    throw unacceptable('from', `The domain ${from.domain} is not verified for sending in this workspace. ${how}`);
  }
  requireKeyForDomain(ctx.actor, domain, 'from');
  return { from, domain, replyTo: replyTo.map((text) => parseMailbox(text)), sendingStop: domain.sendingStop };
}
