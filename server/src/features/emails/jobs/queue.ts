import { queue } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';
import { WORKSPACE_PAUSED } from './follow-send.ts';

/** How long the queue is, as a workspace may see it. */
export async function describeQueue(ctx: Ctx) {
  const status = await queue.status(ctx);
  const gate = await queue.pausedGate(ctx);
  return {
    depth: status.depth,
    depth_is_estimate: status.depthIsEstimate,
    by_lane: status.byLane,
    ratePerSecond: status.ratePerSecond,
    ahead_of_you: status.aheadOfYou,
    estimatedDrainAt: status.depth === 0 || gate !== undefined ? null : status.estimatedDrainAt,
    estimate_reason: status.heldSince !== null ? queue.hold.sentence : gate === undefined ? null : WORKSPACE_PAUSED,
    paused_until: status.pausedUntil,
    pause_reason: status.pauseReason,
    held_since: status.heldSince,
  };
}
