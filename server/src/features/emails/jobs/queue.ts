import { queue } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';

/** How long the queue is, as a workspace may see it. */
export async function describeQueue(ctx: Ctx) {
  const status = await queue.status(ctx);
  return {
    depth: status.depth,
    depth_is_estimate: status.depthIsEstimate,
    by_lane: status.byLane,
    ratePerSecond: status.ratePerSecond,
    ahead_of_you: status.aheadOfYou,
    estimatedDrainAt: status.depth === 0 ? null : status.estimatedDrainAt,
    paused_until: status.pausedUntil,
    pause_reason: status.pauseReason,
  };
}
