import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { followed, progressFrom, statusFrom } from './follow-send.ts';
import { countByStatus, findBatch, firstRecipients, listRequestsOfBatch } from './queries.ts';

/** Where a batch is: the sum over its sends, and each of them. */
export async function followBatch(ctx: Ctx, batchId: string) {
  const batch = isUuid(batchId) ? await findBatch(ctx.db, ctx.workspaceId, batchId) : undefined;
  if (batch === undefined) throw notFound('batch', batchId);
  const jobs = await listRequestsOfBatch(ctx.db, ctx.workspaceId, batchId);
  const ids = jobs.map((job) => job.id);
  const counts = await countByStatus(ctx.db, ctx.workspaceId, ids);
  const recipients = await firstRecipients(ctx.db, ctx.workspaceId, ids);
  const shown = await followed(ctx, jobs, counts);
  const isHeld = shown.pauseCode === 'workspace_paused';
  return {
    batchId,
    id: batchId,
    ...shown,
    createdAt: batch.createdAt,
    jobs: jobs.map((job) => {
      const own = counts.filter((row) => row.sendId === job.id);
      const progress = progressFrom(own);
      const started = own.some((row) => row.firstAttemptAt !== null);
      return {
        index: job.batchIndex ?? 0,
        jobId: job.id,
        to: recipients.get(job.id) ?? null,
        subject: job.subject,
        status: statusFrom([job], progress, started, isHeld),
        progress,
      };
    }),
  };
}
