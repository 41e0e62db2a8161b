import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Broadcast } from '../broadcast.ts';
import type { AuditEntry, BroadcastsCtx, Done } from '../broadcasts-ctx.ts';
import { getBroadcast } from '../get-broadcast.ts';
import { markCancelled } from './move-queries.ts';

/** Several may move one broadcast at the same time; whoever sees it in motion this often has a reason to give up. */
const TRIES = 5;

/**
 * Stops a broadcast for good. `alreadyQueued` emails, exactly, will still be handed over: those that were released to
 * the queue before. Of a scheduled one there are none. The loop that stops notes `cancelled` in its log.
 */
export async function cancelBroadcast(ctx: BroadcastsCtx, id: string): Promise<Done & { alreadyQueued: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const inside = { ...ctx, db: tx };
    for (let tried = 1; ; tried += 1) {
      // Not held: the send is locked before its broadcast wherever both are.
      const broadcast = await getBroadcast(inside, id);
      const { status, workspaceId, sendId } = broadcast;
      if (status !== 'scheduled' && status !== 'sending') throw conflict(whyNotCancelled(broadcast));
      const { alreadyQueued } =
        status === 'sending' && sendId !== null
          ? await bulkSends.cancel(tx, { workspaceId, sendId })
          : { alreadyQueued: 0 };
      const cancelled = await markCancelled(tx, broadcast, status);
      if (cancelled !== undefined)
        return { broadcast: cancelled, auditEntries: logOf(status, alreadyQueued), alreadyQueued };
      // A send that was stopped for a broadcast that has ended meanwhile must not stay so: all of this is undone.
      if (status === 'sending') throw conflict(whyNotCancelled(await getBroadcast(inside, id)));
      if (tried === TRIES) throw conflict('The broadcast is being changed at the same time. Try again.');
    }
  });
}

const logOf = (status: 'scheduled' | 'sending', alreadyQueued: number): AuditEntry[] => [
  { action: 'cancel_requested', details: { already_queued: alreadyQueued } },
  ...(status === 'scheduled' ? [{ action: 'cancelled', details: { pages_completed: 0 } }] : []),
];

function whyNotCancelled({ status }: Broadcast): string {
  if (status === 'draft') return 'The broadcast is a draft: there is nothing to cancel.';
  if (status === 'cancelled') return 'The broadcast was cancelled already.';
  if (status === 'failed') return 'Sending the broadcast has failed: there is nothing left to cancel.';
  return 'The broadcast was sent: all of it has left for the queue.';
}
