import type { Db } from '#platform/db/database.ts';
import { LANES } from './lane.ts';
import { findPausedGate } from './queries/gate-of-workspace-queries.ts';
import { findLastAnswers, findNewest } from './queries/latest-queries.ts';
import { type Pace, rateNow, timeOfRest, timeToLeave, timeToLeaveInParts } from './pace-estimate.ts';
import {
  COUNTED_MAX,
  DEFERRED_COUNTED_MAX,
  type LaneDepth,
  type PaceRow,
  countBefore,
  countWaiting,
  findFirstTurn,
  findFirstTurnOfBulk,
  findOldestDueSeconds,
  findPace,
  findTurnsOfSend,
} from './queries/queue-status.ts';
import { createDueSends } from './due-sends.ts';
import { sendingHold } from './worker/sending-hold.ts';

/** The one queue, as a workspace may see it: how long it is, not whose. */
export interface QueueStatus {
  depth: number;
  /** The true depth is larger than what was counted. */
  depthIsEstimate: boolean;
  byLane: { system: number; transactional: number; bulk: number };
  /** At this moment: slower than the full rate after the provider throttled. */
  ratePerSecond: number;
  /** Emails of others and our own that leave before our next one; 0 when nothing of ours waits. */
  aheadOfYou: number;
  /** null: sending is held. */
  estimatedDrainAt: Date | null;
  /** For further estimates. */
  pace: Pace;
  pausedUntil: Date | null;
  pauseReason: string | null;
  /** Since when nothing leaves until an operator confirms; null: it is not held. */
  heldSince: Date | null;
}

interface Asking {
  readonly workspaceId: string;
  readonly db: Db;
  readonly clock: { now(): Date };
  readonly settings: { readonly sendRate: number };
}

const isEstimate = (lanes: readonly LaneDepth[]): boolean =>
  lanes.some(({ waiting, deferred }) => waiting - deferred >= COUNTED_MAX) ||
  lanes.reduce((sum, { deferred }) => sum + deferred, 0) >= DEFERRED_COUNTED_MAX;

/** Never above the setting, and never above what the provider allows. */
const paceOf = (ctx: Pick<Asking, 'settings'>, { providerRate, stretch, pausedUntil, heldSince }: PaceRow): Pace => ({
  fullRate: Math.min(ctx.settings.sendRate, providerRate ?? Number.POSITIVE_INFINITY),
  stretch,
  pausedUntil,
  heldSince,
});

export async function queueStatus(ctx: Asking): Promise<QueueStatus> {
  const [lanes, first, found] = await Promise.all([
    countWaiting(ctx.db),
    findFirstTurn(ctx.db, ctx.workspaceId),
    findPace(ctx.db),
  ]);
  const of = (lane: number): number => lanes.find((row) => row.lane === lane)?.waiting ?? 0;
  const byLane = { system: of(LANES.system), transactional: of(LANES.transactional), bulk: of(LANES.bulk) };
  const depth = byLane.system + byLane.transactional + byLane.bulk;
  const pace = paceOf(ctx, found);
  return {
    depth,
    depthIsEstimate: isEstimate(lanes),
    byLane,
    ratePerSecond: rateNow(pace),
    aheadOfYou: first === undefined ? 0 : await countBefore(ctx.db, first.lane, first.turn),
    estimatedDrainAt: timeToLeave(pace, ctx.clock.now(), depth),
    pace,
    pausedUntil: found.pausedUntil,
    pauseReason: found.pauseReason,
    heldSince: found.heldSince,
  };
}

/** Where a send stands. `ahead` leaves before its next email; `untilDone` emails leave up to and with its last. */
export interface SendPosition {
  ahead: number;
  untilDone: number;
  /** null: sending is held. */
  estimatedCompletionAt: Date | null;
}

/** undefined when nothing of the send waits in the queue. */
export async function sendPosition(ctx: Asking, jobId: string): Promise<SendPosition | undefined> {
  const turns = await findTurnsOfSend(ctx.db, ctx.workspaceId, jobId);
  if (turns === undefined) return undefined;
  const [ahead, untilDone, found] = await Promise.all([
    countBefore(ctx.db, turns.lane, turns.first),
    countBefore(ctx.db, turns.lane, turns.last + 1),
    findPace(ctx.db),
  ]);
  const pace = paceOf(ctx, found);
  return { ahead, untilDone, estimatedCompletionAt: timeToLeave(pace, ctx.clock.now(), untilDone) };
}

/** The rate of this moment. */
async function currentRate(ctx: Pick<Asking, 'db' | 'settings'>): Promise<number> {
  return rateNow(paceOf(ctx, await findPace(ctx.db)));
}

/** The pace of this moment, and what slows it down. */
async function currentPace(ctx: Pick<Asking, 'db' | 'settings'>): Promise<Pace & { rate: number }> {
  const pace = paceOf(ctx, await findPace(ctx.db));
  return { ...pace, rate: rateNow(pace) };
}

/** Of a bulk send, which has a few seconds of drain in the queue: by the queue of its workspace, not by its emails. */
async function bulkPosition(ctx: Asking, sendId: string): Promise<{ ahead: number } | undefined> {
  const turn = await findFirstTurnOfBulk(ctx.db, ctx.workspaceId, sendId);
  return turn === undefined ? undefined : { ahead: await countBefore(ctx.db, LANES.bulk, turn) };
}

/** For /health. */
export async function queueHealth(db: Db): Promise<{ depth: number; oldestDueSeconds: number }> {
  const [lanes, oldestDueSeconds] = await Promise.all([countWaiting(db), findOldestDueSeconds(db)]);
  return { depth: lanes.reduce((sum, row) => sum + row.waiting, 0), oldestDueSeconds: Math.round(oldestDueSeconds) };
}

/**
 * When so many more emails will have left, as if everything that waits now left before them, which is the latest; null:
 * sending is held.
 */
async function estimateCompletion(ctx: Asking, emails: number): Promise<Date | null> {
  const { depth, pace } = await queueStatus(ctx);
  return timeToLeave(pace, ctx.clock.now(), depth + emails);
}

/** The same for parts that begin at times of their own, in their order. */
async function estimateParts(ctx: Asking, parts: readonly { at: Date; emails: number }[]): Promise<Date | null> {
  const { depth, pace } = await queueStatus(ctx);
  const now = ctx.clock.now();
  return timeToLeaveInParts(pace, now, [{ at: now, emails: depth }, ...parts]);
}

/** When the rest of a bulk send will have left, which may have parts. */
async function estimateRest(
  ctx: Asking,
  rest: { waiting: number; parts: readonly { at: Date; recipients: number }[] | null },
): Promise<Date | null> {
  const { depth, pace } = await queueStatus(ctx);
  return timeOfRest(pace, ctx.clock.now(), { ...rest, ahead: depth });
}

/** The one queue, for those who follow it. */
export const queue = {
  status: queueStatus,
  estimateCompletion,
  estimateParts,
  estimateRest,
  timeOfRest,
  health: queueHealth,
  positionOf: sendPosition,
  positionOfBulk: bulkPosition,
  /** Since when the operator has paused the workspace; undefined: it may send. */
  pausedGate: ({ db, workspaceId }: Pick<Asking, 'db' | 'workspaceId'>) => findPausedGate(db, workspaceId),
  currentRate,
  currentPace,
  timeToLeave,
  /** The hold of the whole instance after a restore. */
  hold: sendingHold,
  dueService: createDueSends,
  lastAnswers: findLastAnswers,
  newest: findNewest,
};
