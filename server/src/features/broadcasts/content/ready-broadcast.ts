import { type Composed, compose, countedLinks, type Sender } from '#features/compositions';
import { requireKeyForNewsletter } from '#features/workspaces';
import { unacceptable } from '#platform/errors/app-error.ts';
import { namesContacts } from '../audience/audience.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx } from '../broadcasts-ctx.ts';
import { broadcastComposition } from './broadcast-composition.ts';
import { requireSender } from './sender-of-broadcast.ts';
import { type FilledBroadcast, fillBroadcast } from './texts-of-broadcast.ts';

/** A broadcast that can be sent now. */
export interface ReadyBroadcast {
  filled: FilledBroadcast;
  sender: Sender;
  composed: Composed;
  /** The links whose clicks are counted; null: clicks are not tracked. */
  links: string[] | null;
}

/**
 * Composes a broadcast, or throws (422) what it lacks. Asked when it is scheduled and again when its time has come, so
 * that a fault is heard of as early as it can be.
 */
export async function requireReady(ctx: BroadcastsCtx, broadcast: Broadcast): Promise<ReadyBroadcast> {
  const filled = await fillBroadcast(ctx, broadcast);
  const sender = await requireSender(ctx, filled);
  const { newsletterId = null } = broadcast.audience;
  if (newsletterId !== null) requireKeyForNewsletter(ctx.actor, newsletterId, 'audience.newsletter_id');
  const composition = await broadcastComposition(ctx, filled, sender.domain.tracking);
  const composed = await compose(composition, sender);
  if (!namesContacts(broadcast.audience) && newsletterId === null) {
    throw unacceptable('audience', 'The broadcast has no audience. Name lists, a segment, contacts or a newsletter.');
  }
  return { filled, sender, composed, links: countedLinks(composition, ctx.settings) };
}
