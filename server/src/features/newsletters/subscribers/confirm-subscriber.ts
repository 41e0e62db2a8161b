import type { Evidence } from './evidence.ts';
import type { Subscriber } from './subscriber.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

export interface Confirming {
  newsletterId: string;
  subscriberId: string;
  /** The link's; 0 when it says none. */
  generation?: number;
}

export interface Moved {
  subscriber: Subscriber;
  /** False: it was so already. */
  changed: boolean;
}

/**
 * Makes a pending subscriber active. One who is active already stays so and is answered the same. Throws not found for
 * one who is gone, and 400 (param `token`) for a link from before an unsubscribe.
 */
export async function confirmSubscriber(_ctx: SubscribersCtx, _link: Confirming, _evidence: Evidence): Promise<Moved> {
  throw new Error('not there yet');
}
