import type { Clock } from '#platform/clock.ts';
import type { Db } from '#platform/db/database.ts';
import { notify } from '#platform/work/queries.ts';
import { signal } from '#platform/work/signal.ts';
import { leaseLeftMs } from '../queries/leases.ts';

/** Told of endpoints whose deliveries are to stop at once. */
export const STOP_CHANNEL = 'posthorn_webhook_stop';

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 100;

/** Every endpoint that this process disables or deletes, by its id. */
export const endpointStopped = signal<string>();

/**
 * Resolves when no process starts another attempt for this endpoint. Call it after the deletion, or the change that
 * disables it, has committed: from then on nobody can take its lease, and whoever has it is told to give it back. A
 * few milliseconds as a rule; about a second when notifications do not come through; at most the rest of a lease (15
 * s) when the process that held it has died.
 */
export async function stopDeliveries(
  ctx: { db: Db; clock: Clock; workspaceId: string },
  webhookId: string,
): Promise<void> {
  endpointStopped.tell(webhookId);
  let pauseMs = POLL_FIRST_MS;
  let told = false;
  for (;;) {
    const leftMs = await leaseLeftMs(ctx.db, ctx.workspaceId, webhookId);
    if (leftMs <= 0) return;
    if (!told) await notify(ctx.db, STOP_CHANNEL, webhookId).catch(() => undefined); // the holder looks every second
    told = true;
    const waitMs = Math.min(pauseMs, leftMs);
    await ctx.clock.sleep(waitMs);
    pauseMs = Math.min(POLL_MAX_MS, pauseMs * 1.2);
  }
}
