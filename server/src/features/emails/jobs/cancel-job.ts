import { cancelSend } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import { requireSend } from './follow-send.ts';

/** Cancels what still waits. What is being handed over, or has left, is not called back. */
export async function cancelJob(ctx: Ctx, jobId: string) {
  const job = await requireSend(ctx, jobId);
  const { cancelled, alreadySent } = await cancelSend(ctx, job.id);
  return { success: true as const, status: 'cancelled' as const, cancelled, alreadySent };
}
