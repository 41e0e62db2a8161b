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
export type UnsubscribeReason = 'user' | 'api' | 'hard_bounce' | 'soft_bounce' | 'complaint' | 'manual';

export interface UnsubscribedNews extends SubscriberNews {
  reason: UnsubscribeReason;
  /** The issue whose link was followed, when it is known. */
  issueId: string | null;
  previousStatus: 'pending' | 'active';
}

/**
 * Somebody signed up and was sent a confirmation email (or signs up again after having left), in the transaction that
 * stores it. At most 1,000 at once. The trigger `newsletter_subscribed` of automations.
 */
export const subscribersAdded = announcement<readonly SubscriberNews[]>('newsletters.subscribers-added');

/** Subscribers became active, in the transaction that makes them so. The trigger `newsletter_confirmed`. */
export const subscribersConfirmed = announcement<readonly SubscriberNews[]>('newsletters.subscribers-confirmed');

/** Subscribers left, in the transaction in which they do. The trigger `newsletter_unsubscribed`. */
export const subscribersUnsubscribed = announcement<readonly UnsubscribedNews[]>(
  'newsletters.subscribers-unsubscribed',
);
