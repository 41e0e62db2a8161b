import { bulkSends, resumeSend } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import type { Broadcast } from '../broadcast.ts';
import type { Done } from '../broadcasts-ctx.ts';
import { getBroadcast } from '../get-broadcast.ts';

/**
 * Pauses a broadcast that is being sent, until somebody resumes it. `alreadyQueued` emails, exactly, still leave.
 * Throws conflict when it is not being sent or is paused already.
 */
export async function pauseBroadcast(ctx: Ctx, id: string): Promise<Done & { alreadyQueued: number }> {
  return inTransaction(ctx.db, async (tx) => {
    const within = { ...ctx, db: tx };
    // Not held: the send is locked before its broadcast wherever both are.
    const { sendId, status, workspaceId } = await getBroadcast(within, id);
    const isSending = status === 'sending' && sendId !== null;
    const paused = isSending ? await bulkSends.pause(tx, { workspaceId, sendId }, ctx) : undefined;
    // Its last page may have left since: then it is `sent`, and the pause is taken back.
    const broadcast = await getBroadcast(within, id);
    if (paused === undefined || broadcast.status !== 'sending') throw conflict(whyNot(broadcast));
    const { alreadyQueued } = paused;
    return {
      broadcast,
      alreadyQueued,
      auditEntries: [{ action: 'paused', details: { already_queued: alreadyQueued } }],
    };
  });
}

const whyNot = ({ status }: Broadcast): string =>
  status === 'sending'
    ? 'The broadcast is paused already.'
    : `The broadcast is ${status}: nothing of it is being sent.`;

/**
 * Lets a paused broadcast go on, whatever paused it: its emails that wait leave as before. Its log hears of it from the
 * send. Also one that is `sent` already, of which some waited in the queue. Throws conflict when it is not paused.
 */
export async function resumeBroadcast(ctx: Ctx, id: string): Promise<{ alreadyQueued: number }> {
  const broadcast = await getBroadcast(ctx, id);
  const { workspaceId, sendId, status } = broadcast;
  const isResumed = sendId !== null && status !== 'cancelled' && (await resumeSend(ctx, sendId));
  if (!isResumed) throw conflict('The broadcast is not paused.');
  const stats = (await bulkSends.statsOf(ctx.db, workspaceId, [broadcast])).get(broadcast.id);
  return { alreadyQueued: (stats?.queued ?? 0) + (stats?.sending ?? 0) };
}
