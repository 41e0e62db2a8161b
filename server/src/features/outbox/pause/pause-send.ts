import { recordSecurityEvent } from '#features/workspaces';
import { type Db, inTransaction, onCommit } from '#platform/db/database.ts';
import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { systemActor } from '#platform/http/context.ts';
import { sendPaused, sendResumed } from '../announcements.ts';
import { bulkWork } from '../bulk-signal.ts';
import { AT_LIMIT, type Pause } from './pause.ts';
import {
  markSendPaused,
  markSendResumed,
  parkQueuedOfBulk,
  parkWaitingEmails,
  queueParkedEmails,
} from './queries/pause-send.ts';
import { queueSignal } from '../worker/queue-signal.ts';

const PAGE = 1_000;
/** How many emails leave the queue at once. The claim takes out the rest when their turn comes. */
const PARKED_AT_ONCE = 5 * PAGE;

/** Posthorn itself, for the security log. */
export const bySystem = (workspaceId: string) => ({
  workspaceId,
  actor: systemActor,
  ip: null,
});

/** The caller of the request that pauses: a ctx is one. */
export type PausedBy = Pick<Ctx, 'actor'> & { ip: string | null };

/**
 * Stops a send. From the commit on no email of it is claimed, and its emails in the queue are `pending`. An email
 * that is being handed over at this moment is still sent. A pause at a limit leaves the queue alone: only what is not
 * queued yet waits. `reason` is a sentence for people. A pause that a person ends takes the place of one that ends by
 * itself. `by` is that person; left out, it is Posthorn itself. False: there is no such send, it was cancelled, or it
 * is paused already.
 */
export async function pauseSend(
  tx: Db,
  workspaceId: string,
  sendId: string,
  reason: string,
  { code = null, resumesAt = null, by }: Partial<Pick<Pause, 'code' | 'resumesAt'>> & { by?: PausedBy } = {},
): Promise<boolean> {
  return inTransaction(tx, async (own) => {
    const pause = { code, reason, resumesAt };
    const send = await markSendPaused(own, workspaceId, sendId, pause);
    if (send === undefined) return false;
    if (!AT_LIMIT.some((one) => one === code)) await takeOutOfQueue(own, workspaceId, sendId, send.isBulk);
    await recordSecurityEvent(own, by === undefined ? bySystem(workspaceId) : { ...by, workspaceId }, {
      action: 'send.paused',
      targetType: 'send',
      targetId: sendId,
      details: { reason },
    });
    await sendPaused.announce(own, { workspaceId, sendId, ...pause });
    return true;
  });
}

/** Parks what a send has in the queue, but for more than 5,000 emails, which the claim takes out. */
export async function takeOutOfQueue(tx: Db, workspaceId: string, sendId: string, isBulk: boolean): Promise<void> {
  const park = isBulk ? parkQueuedOfBulk : parkWaitingEmails;
  for (let parked = 0, page = PAGE; page >= PAGE && parked < PARKED_AT_ONCE; parked += page) {
    page = await park(tx, workspaceId, sendId, PAGE);
  }
}

/**
 * Resumes a paused send. Its `pending` emails go back to the end of their lane, one email a round like all mail of
 * the workspace. `byItself`: the cause of the pause has ended, and no person asked for it. False: it was not paused.
 */
export async function resumeSend(
  ctx: Pick<Ctx, 'db' | 'workspaceId' | 'actor'> & { ip: string | null; clock?: Ctx['clock'] },
  sendId: string,
  { byItself = false } = {},
): Promise<boolean> {
  const { workspaceId } = ctx;
  const resumed = await inTransaction(ctx.db, async (tx) => {
    const was = await markSendResumed(tx, workspaceId, sendId);
    if (was === undefined) throw notFound('send', sendId);
    if (!was.paused) return false;
    // A bulk send is released again as before, with a few seconds of mail at a time.
    for (let page = was.isBulk ? 0 : PAGE; page === PAGE; ) {
      page = await queueParkedEmails(tx, workspaceId, sendId, PAGE);
    }
    await recordSecurityEvent(tx, ctx, {
      action: 'send.resumed',
      targetType: 'send',
      targetId: sendId,
    });
    const by = { workspaceId, actor: ctx.actor, ip: ctx.ip };
    await sendResumed.announce(tx, { workspaceId, sendId, byItself, by });
    return true;
  });
  if (resumed) {
    onCommit(ctx.db, queueSignal.tell);
    onCommit(ctx.db, bulkWork.tell);
  }
  return resumed;
}
