import { requireNotStopped } from '#platform/errors/sending-stopped.ts';
import { bulkSends } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BroadcastsCtx, Done } from '../broadcasts-ctx.ts';
import { requireSender } from '../content/sender-of-broadcast.ts';
import { fillBroadcast } from '../content/texts-of-broadcast.ts';
import { getBroadcast } from '../get-broadcast.ts';

/**
 * Tries those again whom the provider refused; who was suppressed, cancelled or has left stays so, and nobody who got
 * the broadcast gets it twice. Only for one that was sent.
 */
export async function retryFailed(ctx: BroadcastsCtx, id: string): Promise<Done & { queued: number }> {
  // Not held: the send is locked before its broadcast wherever both are, and one that was sent stays so.
  const broadcast = await getBroadcast(ctx, id);
  const { workspaceId, sendId, status } = broadcast;
  if (status !== 'sent') throw conflict(whyNot(broadcast));
  requireNotStopped((await requireSender(ctx, await fillBroadcast(ctx, broadcast))).sendingStop);
  const queued = sendId === null ? 0 : await bulkSends.retryRefused(ctx.db, { workspaceId, sendId });
  return { broadcast, queued, auditEntries: queued === 0 ? [] : [{ action: 'retried', details: { queued } }] };
}

/** How many emails `retryFailed` would try again; none of a broadcast that was not sent. */
export async function countRetryable(ctx: BroadcastsCtx, id: string) {
  const { workspaceId, sendId, status } = await getBroadcast(ctx, id);
  return bulkSends.retryable(ctx.db, { workspaceId, sendId: status === 'sent' ? sendId : null });
}

function whyNot({ status }: Broadcast): string {
  if (status === 'sending') return 'The broadcast is still being sent. Try those that failed again when it is done.';
  if (status === 'draft' || status === 'scheduled')
    return 'The broadcast was not sent yet: nobody has failed to get it.';
  return `The broadcast is ${status}: what has not left will not. Duplicate it to send it after all.`;
}
