import type { LeaveReason } from '#features/transfers';
import { announcement } from '#platform/announcements.ts';

/** A person on a list, as those who react to their moves need it. */
export interface SubscriberNews {
  workspaceId: string;
  newsletterId: string;
  subscriberId: string;
  /** The identity of the address. */
  email: string;
}

/** Why somebody is not on the list any more: by the link, by an API call, or because the address was suppressed. */
export type UnsubscribeReason = LeaveReason;

export interface UnsubscribedNews extends SubscriberNews {
  reason: UnsubscribeReason;
  /** The issue whose link was followed, when it is known. */
  issueId: string | null;
  previousStatus: 'pending' | 'active';
}

/** Subscribers left, in the transaction in which they do. */
export const subscribersUnsubscribed = announcement<readonly UnsubscribedNews[]>(
  'newsletters.subscribers-unsubscribed',
);
