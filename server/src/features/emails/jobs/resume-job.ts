import { resumeSend } from '#features/outbox';
import { conflict, forbidden } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireSend } from './follow-send.ts';
import { requireBegun, type ScheduledJobPorts } from './scheduled-job.ts';

const WHO_SENDS_ISSUES = 'This send is an issue of a newsletter: letting it go on needs "issues:send" too.';

/** Lets a send that was paused go on. That of an issue needs what sending issues needs: 403. */
export async function resumeJob(ctx: Ctx, id: string, ports: ScheduledJobPorts) {
  const job = await requireSend(ctx, await requireBegun(ctx, id, ports));
  if (job.issueId !== null && !ctx.actor.may('issues:send')) throw forbidden(WHO_SENDS_ISSUES);
  if (job.cancelledAt !== null) throw conflict('This send was cancelled.');
  if (!(await resumeSend(ctx, job.id))) throw conflict('This send is not paused.');
  return { success: true as const, status: 'resumed' as const };
}
