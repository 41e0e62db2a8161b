import { cancelSend } from '#features/outbox';
import { recordSecurityEvent } from '#features/workspaces';
import { conflict } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { requireSend } from './follow-send.ts';
import { requireBegun, type ScheduledJobPorts } from './scheduled-job.ts';

/**
 * Cancels what still waits. An email that is being handed over, or was sent, cannot be cancelled. An issue knows by
 * itself how far it is, and takes another right to stop: conflict.
 */
export async function cancelJob(ctx: Ctx, id: string, ports: ScheduledJobPorts) {
  const job = await requireSend(ctx, await requireBegun(ctx, id, ports));
  if (job.issueId !== null) {
    const at = `/v1/newsletters/${job.newsletterId}/issues/${job.issueId}/cancel`;
    throw conflict(`This send is an issue. Cancel it with POST ${at}.`);
  }
  const { cancelled, alreadySent } = await cancelSend(ctx, job.id);
  if (cancelled > 0) {
    const of = { targetType: 'send', targetId: job.id };
    await recordSecurityEvent(ctx.db, ctx, { action: 'send.cancelled', ...of, details: { cancelled, alreadySent } });
  }
  return { success: true as const, status: 'cancelled' as const, cancelled, alreadySent };
}
