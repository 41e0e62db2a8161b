import { notFound } from '#platform/errors/app-error.ts';
import type { Ctx } from '#platform/http/context.ts';
import { isUuid } from '#platform/ids.ts';
import { progressOf } from '../progress.ts';
import { followed, progressFrom, statusFrom } from './follow-send.ts';
import { countByStatus, findBatch, firstRecipients, listRequestsOfBatch, type StatusCountRow } from './queries.ts';
import type { ScheduledItem, ScheduledJobPorts } from './scheduled-job.ts';

/** Where a batch is: the sum over its sends, and each of them; also of those that wait for their time. */
export async function followBatch(ctx: Ctx, batchId: string, ports: ScheduledJobPorts) {
  const batch = isUuid(batchId) ? await findBatch(ctx.db, ctx.workspaceId, batchId) : undefined;
  if (batch === undefined) throw notFound('batch', batchId);
  const jobs = await listRequestsOfBatch(ctx.db, ctx.workspaceId, batchId);
  const ids = jobs.map((job) => job.id);
  const counts = await countByStatus(ctx.db, ctx.workspaceId, ids);
  const recipients = await firstRecipients(ctx.db, ctx.workspaceId, ids);
  const later = await ports.listScheduledItems(ctx, { id: batchId, createdAt: batch.createdAt });
  const shown = await followed(ctx, jobs, [...counts, ...later.map(countOf)]);
  const isHeld = shown.pauseCode === 'workspace_paused';
  const begun = jobs.map((job) => {
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
  });
  return {
    batchId,
    id: batchId,
    ...shown,
    ...untilLast(later, shown),
    createdAt: batch.createdAt,
    jobs: [...begun, ...later.map(itemView)].toSorted((a, b) => a.index - b.index),
  };
}

const countOf = ({ id, status, messages, endedAt }: ScheduledItem): StatusCountRow => ({
  sendId: id,
  status: status === 'scheduled' ? 'pending' : status,
  count: messages,
  firstAttemptAt: null,
  lastChangeAt: endedAt,
});

/** A batch is done when the last of its times has come, however soon the rest has left. */
function untilLast(later: readonly ScheduledItem[], shown: { estimatedCompletionAt: Date | null }) {
  const waiting = later.filter(({ status }) => status === 'scheduled');
  if (waiting.length === 0) return {};
  const times = [...waiting.map(({ scheduledFor }) => scheduledFor), shown.estimatedCompletionAt ?? new Date(0)];
  return { estimatedCompletionAt: new Date(Math.max(...times.map(Number))), estimateReason: null };
}

const itemView = ({ id, index, to, subject, status, messages }: ScheduledItem) => ({
  index,
  jobId: id,
  to,
  subject,
  status,
  progress: progressOf({ [status === 'scheduled' ? 'pending' : status]: messages }),
});
