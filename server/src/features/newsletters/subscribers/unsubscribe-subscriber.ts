import type { Moved } from './confirm-subscriber.ts';
import type { Evidence } from './evidence.ts';
import type { SubscribersCtx } from './subscribers-ctx.ts';

export interface Unsubscribing {
  newsletterId: string;
  subscriberId: string;
  /** user: by a link or a page; api: by an API call. */
  reason: 'user' | 'api';
  /** The issue whose link was followed. */
  issueId: string | null;
  evidence: Evidence;
}

/** Takes a subscriber off one list. Repeated it changes nothing. Throws not found for one who is gone. */
export async function unsubscribeSubscriber(_ctx: SubscribersCtx, _asked: Unsubscribing): Promise<Moved> {
  throw new Error('not there yet');
}
