import { publishWebhook } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import {
  subscribersAdded,
  subscribersConfirmed,
  subscribersUnsubscribed,
  type SubscriberNews,
  type UnsubscribeReason,
} from '../announcements.ts';
import type { Newsletter } from '../newsletter.ts';
import { type Subscriber, subscriberEventView } from './subscriber.ts';

type NamedNewsletter = Pick<Newsletter, 'id' | 'name' | 'slug'>;

/** Tells webhooks and the features above, in the transaction of what happened. */
export async function tellAdded(tx: Db, newsletter: NamedNewsletter, subscriber: Subscriber): Promise<void> {
  await publishWebhook(tx, {
    workspaceId: subscriber.workspaceId,
    type: 'newsletter.subscriber.created',
    newsletterId: newsletter.id,
    data: { newsletter: newsletterInEvents(newsletter), subscriber: subscriberEventView(subscriber) },
  });
  await subscribersAdded.announce(tx, [newsOf(subscriber)]);
}

export async function tellConfirmed(tx: Db, newsletter: NamedNewsletter, subscriber: Subscriber): Promise<void> {
  await publishConfirmed(tx, newsletter, subscriber);
  await subscribersConfirmed.announce(tx, [newsOf(subscriber)]);
}

/**
 * For webhooks alone: who keeps a copy of the list must hear that somebody is on it (again), while nothing that greets
 * newcomers should.
 */
export async function publishConfirmed(tx: Db, newsletter: NamedNewsletter, subscriber: Subscriber): Promise<void> {
  await publishWebhook(tx, {
    workspaceId: subscriber.workspaceId,
    type: 'newsletter.subscriber.confirmed',
    newsletterId: newsletter.id,
    data: { newsletter: newsletterInEvents(newsletter), subscriber: subscriberEventView(subscriber) },
  });
}

export async function tellUnsubscribed(
  tx: Db,
  newsletter: NamedNewsletter,
  subscriber: Subscriber,
  why: { reason: UnsubscribeReason; issueId: string | null; previousStatus: 'pending' | 'active' },
): Promise<void> {
  await publishWebhook(tx, {
    workspaceId: subscriber.workspaceId,
    type: 'newsletter.subscriber.unsubscribed',
    newsletterId: newsletter.id,
    data: unsubscribedData(newsletter, subscriber, why),
  });
  await subscribersUnsubscribed.announce(tx, [{ ...newsOf(subscriber), ...why }]);
}

export const unsubscribedData = (
  newsletter: NamedNewsletter,
  subscriber: Subscriber,
  why: { reason: UnsubscribeReason; issueId: string | null; previousStatus: 'pending' | 'active' },
) => ({
  newsletter: newsletterInEvents(newsletter),
  subscriber: subscriberEventView(subscriber),
  reason: why.reason,
  issue_id: why.issueId,
  previous_status: why.previousStatus,
});

const newsletterInEvents = ({ id, name, slug }: NamedNewsletter) => ({ id, name, slug });

export const newsOf = (row: Subscriber): SubscriberNews => ({
  workspaceId: row.workspaceId,
  newsletterId: row.newsletterId,
  subscriberId: row.id,
  email: row.email,
});
