import type { Db } from '#platform/db/database.ts';
import { leaseLeftMs, notifyStop } from './queries/leases.ts';

/** Told of endpoints whose deliveries are to stop at once. */
export const STOP_CHANNEL = 'posthorn_webhook_stop';

const POLL_FIRST_MS = 10;
const POLL_MAX_MS = 100;

const heard = new Set<(webhookId: string) => void>();

/** Calls `stop` for every endpoint that this process disables or deletes; returns how to end that. */
export function onStop(stop: (webhookId: string) => void): () => void {
  heard.add(stop);
  return () => heard.delete(stop);
}

/**
 * Resolves when no process starts another attempt for this endpoint. Call it after the deletion, or the change that
 * disables it, has committed: from then on nobody can take its lease, and whoever has it is told to give it back. A few
 * milliseconds as a rule; about a second when notifications do not come through; at most the rest of a lease (15 s) when
 * the process that held it has died.
 */
export async function stopDeliveries(ctx: { db: Db; workspaceId: string }, webhookId: string): Promise<void> {
  for (const stop of heard) stop(webhookId);
  let pauseMs = POLL_FIRST_MS;
  let told = false;
  for (;;) {
    const leftMs = await leaseLeftMs(ctx.db, ctx.workspaceId, webhookId);
    if (leftMs <= 0) return;
    if (!told) await notifyStop(ctx.db, STOP_CHANNEL, webhookId).catch(() => undefined); // the holder looks every second
    told = true;
    const waitMs = Math.min(pauseMs, leftMs);
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    pauseMs = Math.min(POLL_MAX_MS, pauseMs * 1.2);
  }
}
