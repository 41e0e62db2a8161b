import type { Moved } from './confirm-subscriber.ts';
import type { Evidence } from './evidence.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

export interface Undoing {
  newsletterId: string;
  subscriberId: string;
  evidence: Evidence;
}

/**
 * Restores what an unsubscribe within the last 24 hours ended. Who is on the list is answered unchanged. Throws not
 * found for one who is gone, conflict when there is nothing to undo (too late, or not left by themselves), and 422
 * (param `email`) when the address has been suppressed.
 */
export async function undoUnsubscribe(_ctx: SubscribersCtx, _asked: Undoing): Promise<Moved> {
  throw new Error('not there yet');
}
