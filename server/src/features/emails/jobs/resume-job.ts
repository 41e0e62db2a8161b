import { resumeSend } from '#features/outbox';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireSend } from './follow-send.ts';

/** Lets a send that was paused go on. */
export async function resumeJob(ctx: Ctx, jobId: string) {
  const job = await requireSend(ctx, jobId);
  if (job.cancelledAt !== null) throw conflict('This send was cancelled.');
  if (!(await resumeSend(ctx, job.id))) throw conflict('This send is not paused.');
  return { success: true as const, status: 'resumed' as const };
}
