import { queue } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import type { Start } from '../audience/plan-starts.ts';
import type { Broadcast } from '../broadcast.ts';
import type { BulkStats } from '../broadcast-stats.ts';
import type { Timing } from './broadcast-view.ts';

const IN_TIME: Timing = { isLate: false, estimatedCompletionAt: null };

/**
 * Whether a broadcast with `finish_by` will be done by then, at the pace of now. Others are never late. A paused one is
 * late when it would be, were it resumed now; when it will be done nobody knows.
 */
export async function timingOf(
  ctx: Ctx,
  broadcast: Broadcast,
  { stats, isPaused, starts }: { stats: BulkStats | undefined; isPaused: boolean; starts: readonly Start[] | null },
): Promise<Timing> {
  const { finishBy, finishedAt, status } = broadcast;
  if (finishBy === null) return IN_TIME;
  if (finishedAt !== null) return { isLate: finishedAt > finishBy, estimatedCompletionAt: null };
  if (status !== 'sending' && status !== 'sent') return IN_TIME;
  // The estimate counts the queue itself. Until every email is written, the audience says how many are to come.
  const { totalRecipients } = broadcast;
  const written = stats?.total ?? 0;
  const waiting = (stats?.waiting ?? 0) + Math.max(0, (totalRecipients ?? 0) - written);
  const estimatedCompletionAt = await queue.estimateRest(ctx, { waiting, parts: starts });
  const isLate = estimatedCompletionAt === null || estimatedCompletionAt > finishBy;
  return { isLate, estimatedCompletionAt: isPaused ? null : estimatedCompletionAt };
}
