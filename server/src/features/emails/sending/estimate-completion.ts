import { queueStatus } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';

const FRESH_MS = 1_000;

/** By app (tests run several in one process): what waits before a transactional email at most. */
const waiting = new WeakMap<object, { readAt: number; count: number }>();

/**
 * When a send of so many emails will have left at the latest, as far as the queue is known. The count is at most a
 * second old and shared by all requests: it must not cost each send a round trip.
 */
export async function estimateCompletion(ctx: Ctx, emails: number): Promise<Date> {
  const nowMs = ctx.clock.monotonicMs();
  let known = waiting.get(ctx.settings);
  if (known === undefined || nowMs - known.readAt > FRESH_MS) {
    const { byLane } = await queueStatus(ctx);
    known = { readAt: nowMs, count: byLane.system + byLane.transactional };
    waiting.set(ctx.settings, known);
  }
  known.count += emails;
  return new Date(ctx.clock.now().getTime() + Math.ceil((known.count / ctx.settings.sendRate) * 1_000));
}
