import { isDeepStrictEqual } from 'node:util';
import { publishWebhook, publishWebhooks } from '#features/webhooks';
import type { Db } from '#platform/db/database.ts';
import type { Actor } from '#platform/http/context.ts';
import {
  subscribersConfirmed,
  subscribersJoined,
  subscribersUnsubscribed,
  type SubscriberNews,
  type UnsubscribeReason,
} from '../announcements.ts';
import type { Newsletter } from '../newsletter.ts';
import { type Subscriber, subscriberEventView } from './subscriber.ts';

/** The caller who made the change; left out: the person, or Posthorn itself. */
type By = Pick<Actor, 'mode'>;
const LIVE: By = { mode: 'live' };

type NamedNewsletter = Pick<Newsletter, 'id' | 'name' | 'slug'>;

/**
 * Tells webhooks and other features of people who signed up, in the transaction of it: those who have to confirm, and
 * those who are active at once. At most 1,000 at once, all of this newsletter.
 */
export async function tellJoined(
  tx: Db,
  newsletter: NamedNewsletter,
  subscribers: readonly Subscriber[],
  by: By = LIVE,
): Promise<void> {
  const joined = subscribers.filter(({ status }) => status !== 'unsubscribed');
  if (joined.length === 0) return;
  await tellConfirmed(
    tx,
    newsletter,
    joined.filter(({ status }) => status === 'active'),
    by,
  );
  const pending = joined.filter(({ status }) => status === 'pending');
  await publishAll(tx, newsletter, 'newsletter.subscriber.created', pending);
  await subscribersJoined.announce(
    tx,
    joined.map((one) => newsOf(one, by)),
  );
}

/** The same of people who have confirmed. */
export async function tellConfirmed(
  tx: Db,
  newsletter: NamedNewsletter,
  subscribers: readonly Subscriber[],
  by: By = LIVE,
): Promise<void> {
  await publishAll(tx, newsletter, 'newsletter.subscriber.confirmed', subscribers);
  if (subscribers.length === 0) return;
  await subscribersConfirmed.announce(
    tx,
    subscribers.map((one) => newsOf(one, by)),
  );
}

const publishAll = async (
  tx: Db,
  newsletter: NamedNewsletter,
  type: 'newsletter.subscriber.created' | 'newsletter.subscriber.confirmed',
  subscribers: readonly Subscriber[],
): Promise<void> => {
  if (subscribers.length === 0) return;
  await publishWebhooks(
    tx,
    subscribers.map((one) => ({
      workspaceId: one.workspaceId,
      type,
      newsletterId: newsletter.id,
      data: { newsletter: newsletterInEvents(newsletter), subscriber: subscriberEventView(one) },
    })),
  );
};

const TOLD = ['email', 'name', 'source', 'metadata', 'status'] as const;

/** `changed` names the fields; `previous_email` is null when the address is the same. */
export const tellChanged = (
  tx: Db,
  newsletter: NamedNewsletter,
  before: Subscriber,
  subscriber: Subscriber,
): Promise<void> =>
  publishWebhook(tx, {
    workspaceId: subscriber.workspaceId,
    type: 'newsletter.subscriber.updated',
    newsletterId: newsletter.id,
    data: {
      newsletter: newsletterInEvents(newsletter),
      subscriber: subscriberEventView(subscriber),
      changed: TOLD.filter((field) => !isDeepStrictEqual(before[field], subscriber[field])),
      previous_email: before.email === subscriber.email ? null : before.email,
    },
  });

interface WhyLeft {
  reason: UnsubscribeReason;
  issueId: string | null;
  previousStatus: 'pending' | 'active';
}

export async function tellUnsubscribed(
  tx: Db,
  newsletter: NamedNewsletter,
  subscriber: Subscriber,
  { by, ...why }: WhyLeft & { by: By },
): Promise<void> {
  await publishWebhook(tx, {
    workspaceId: subscriber.workspaceId,
    type: 'newsletter.subscriber.unsubscribed',
    newsletterId: newsletter.id,
    data: unsubscribedData(newsletter, subscriber, why),
  });
  await subscribersUnsubscribed.announce(tx, [{ ...newsOf(subscriber, by), ...why, isErased: false }]);
}

export const unsubscribedData = (newsletter: NamedNewsletter, subscriber: Subscriber, why: WhyLeft) => ({
  newsletter: newsletterInEvents(newsletter),
  subscriber: subscriberEventView(subscriber),
  reason: why.reason,
  issue_id: why.issueId,
  previous_status: why.previousStatus,
});

const newsletterInEvents = ({ id, name, slug }: NamedNewsletter) => ({ id, name, slug });

export const newsOf = (row: Subscriber, by: By = LIVE): SubscriberNews => ({
  workspaceId: row.workspaceId,
  newsletterId: row.newsletterId,
  subscriberId: row.id,
  email: row.email,
  sandbox: by.mode === 'test',
});
