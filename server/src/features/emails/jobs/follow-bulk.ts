import { bulkSends, type EmailStatus, queue } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import { EXACT_TOTAL_MAX } from '#platform/http/paging.ts';
import { jobStatusOf, NO_PROGRESS, type Progress, progressOfBulk } from '../progress.ts';
import type { SendRequestRow } from './queries.ts';

/**
 * Where an issue or another bulk send is: from its folded counts, and by index steps that do not depend on the number
 * of its recipients.
 */
export async function followBulk(ctx: Ctx, job: SendRequestRow) {
  const key = { workspaceId: ctx.workspaceId, sendId: job.id };
  const counts = (await bulkSends.countsOf(ctx.db, ctx.workspaceId, [job.id])).get(job.id);
  const progress = counts === undefined ? NO_PROGRESS : progressOfBulk(counts);
  const state = await bulkSends.progressOf(ctx.db, key);
  const isOpen = state?.state !== 'done' && state?.state !== 'cancelled';
  const isDone = progress.queued === 0 && !isOpen;
  const isPaused = state?.state === 'paused';
  const position = isDone ? undefined : await queue.positionOfBulk(ctx, job.id);
  return {
    status: statusOf(job, progress, { isOpen, isPaused }),
    progress,
    queue: {
      position: position === undefined ? 0 : position.ahead + 1,
      ahead: position?.ahead ?? 0,
      ratePerSecond: await queue.currentRate(ctx),
    },
    ...(await estimateOf(ctx, key, { progress, waiting: counts?.waiting ?? 0, state: isDone ? null : state })),
    createdAt: job.createdAt,
    startedAt: job.startedAt,
    completedAt: isDone ? (job.settledAt ?? counts?.lastEventAt ?? job.createdAt) : null,
    pausedAt: isPaused ? state.since : null,
    pauseReason: isPaused ? state.reason : null,
    pauseCode: isPaused ? state.code : null,
    resumesAt: isPaused ? state.resumesAt : null,
  };
}

function statusOf(
  job: SendRequestRow,
  progress: Progress,
  { isOpen, isPaused }: { isOpen: boolean; isPaused: boolean },
) {
  // Nobody is frozen yet.
  if (progress.total === 0 && isOpen) return isPaused ? ('paused' as const) : ('queued' as const);
  const cancelled = job.cancelledAt !== null || job.bulkState === 'cancelling' || job.bulkState === 'cancelled';
  return jobStatusOf(progress, { cancelled, paused: isPaused, started: job.startedAt !== null });
}

type Shown = Awaited<ReturnType<typeof bulkSends.progressOf>>;

/** As if everything that waits now left before it, which is the latest. Of a send that stands still nobody knows. */
async function estimateOf(
  ctx: Ctx,
  key: Parameters<typeof bulkSends.partsOf>[1],
  { progress, waiting, state }: { progress: Progress; waiting: number; state: Shown },
) {
  if (state === null || progress.queued === 0) return { estimatedCompletionAt: null, estimateReason: null };
  const { depth, pace, pausedUntil } = await queue.status(ctx);
  const awaitsPart = state.state === 'waiting' && state.resumesAt !== null;
  const standsStill = state.state === 'paused' || (state.state === 'waiting' && pausedUntil === null && !awaitsPart);
  if (standsStill) return { estimatedCompletionAt: null, estimateReason: state.reason };
  const parts = await bulkSends.partsOf(ctx.db, key);
  const estimatedCompletionAt = queue.timeOfRest(pace, ctx.clock.now(), { ahead: depth, waiting, parts });
  return { estimatedCompletionAt, estimateReason: estimatedCompletionAt === null ? queue.hold.sentence : null };
}

/** A page of the emails of a bulk send, newest first, and how many there are in that state: exact up to 10,000. */
export async function pageOfBulkEmails(
  ctx: Ctx,
  sendId: string,
  asked: { status: EmailStatus | undefined; total: number; limit: number; offset: number },
) {
  const key = { workspaceId: ctx.workspaceId, sendId };
  const { status: filter, limit, offset } = asked;
  const rows = await bulkSends.pageOfRecipients(ctx.db, key, { filter, limit: limit + 1, offset });
  const total =
    filter === undefined ? asked.total : await bulkSends.countRecipients(ctx.db, key, { filter }, EXACT_TOTAL_MAX + 1);
  return {
    rows: rows.slice(0, limit).map(({ emailId: id, email: to, ...row }) => ({ ...row, id, to })),
    total,
    totalIsEstimate: filter !== undefined && total > EXACT_TOTAL_MAX,
    hasMore: rows.length > limit,
  };
}
