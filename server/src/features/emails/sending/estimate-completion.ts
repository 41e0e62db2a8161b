import { type Pace, queue } from '#features/outbox';
import type { Ctx } from '#platform/http/context.ts';

const FRESH_MS = 1_000;
// Until then an older count serves while a new one is taken: counting a long queue takes tens of milliseconds.
const USABLE_MS = 5_000;

type Asking = Pick<Ctx, 'workspaceId' | 'db' | 'clock' | 'settings'>;

interface Waiting {
  readAt: number;
  count: number;
  pace: Pace;
  reading?: Promise<void> | undefined;
}

/** By app (tests run several in one process): what waits before a transactional email at most. */
const waitingOf = new WeakMap<object, Waiting>();

/**
 * When a send of so many emails will have left at the latest, as far as the queue is known; null: sending is held. The
 * count is taken once a second, by one request at a time, and shared by all: it must not cost each send a round trip.
 */
export async function estimateCompletion(ctx: Asking, emails: number): Promise<Date | null> {
  const known = waitingOf.get(ctx.settings) ?? { readAt: Number.NEGATIVE_INFINITY, count: 0, pace: fullPace(ctx) };
  waitingOf.set(ctx.settings, known);
  const age = ctx.clock.monotonicMs() - known.readAt;
  const mustWait = age > USABLE_MS;
  // Not in the background of a transaction: it may end first, and a failure there would end the send.
  if (mustWait || (age > FRESH_MS && !ctx.db.isTransaction)) known.reading ??= count(ctx, known);
  if (mustWait) await known.reading;
  else known.reading?.catch(() => undefined); // the older count will do, and the next request tries again
  known.count += emails;
  return queue.timeToLeave(known.pace, ctx.clock.now(), known.count);
}

const fullPace = ({ settings }: Asking): Pace => ({
  fullRate: settings.sendRate,
  stretch: 1,
  pausedUntil: null,
  heldSince: null,
});

async function count(ctx: Asking, known: Waiting): Promise<void> {
  try {
    const { byLane, pace } = await queue.status(ctx);
    known.readAt = ctx.clock.monotonicMs();
    known.count = byLane.system + byLane.transactional;
    known.pace = pace;
  } finally {
    known.reading = undefined;
  }
}
