import type { LeaveReason } from '#features/transfers';
import { announcement } from '#platform/announcements.ts';

/** A person on a list, as those who react to their moves need it. */
export interface SubscriberNews {
  workspaceId: string;
  newsletterId: string;
  subscriberId: string;
  /** The identity of the address. */
  email: string;
  /** By a test key: what it starts mails nobody. */
  sandbox: boolean;
}

/** Why somebody is not on the list any more: by the link, by an API call, or because the address was suppressed. */
export type UnsubscribeReason = LeaveReason;

export interface UnsubscribedNews extends SubscriberNews {
  reason: UnsubscribeReason;
  /** The issue whose link was followed, when it is known. */
  issueId: string | null;
  previousStatus: 'pending' | 'active';
  /** The person is not on the list any more at all, and nothing is to be remembered. */
  isErased: boolean;
}

/** People signed up, whether or not they have to confirm, in the transaction of it. At most 1,000 at once. */
export const subscribersJoined = announcement<readonly SubscriberNews[]>('newsletters.subscribers-joined');

/** Subscribers became active, in the transaction in which they do. At most 1,000 at once. */
export const subscribersConfirmed = announcement<readonly SubscriberNews[]>('newsletters.subscribers-confirmed');

/** An issue that was given to every recipient. */
export interface IssueNews {
  workspaceId: string;
  newsletterId: string;
  issueId: string;
  sendId: string;
}

/** An issue was sent, in the transaction of its last page. Told once. */
export const issueSent = announcement<IssueNews>('newsletters.issue-sent');

/** People were erased, with the addresses that they had before, in the transaction that erases them. */
export const subscribersErased = announcement<{ workspaceId: string; emails: readonly string[] }>(
  'newsletters.subscribers-erased',
);

/** Subscribers left, in the transaction in which they do. */
export const subscribersUnsubscribed = announcement<readonly UnsubscribedNews[]>(
  'newsletters.subscribers-unsubscribed',
);
