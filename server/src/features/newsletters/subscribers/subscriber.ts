import { Type } from 'typebox';
import { type ConsentSummary, consentSummaryView, type Person } from '#features/consents';
import { kept, record, type Stored } from '#platform/records/record.ts';
import { Instant, nullable } from '#platform/records/wire-types.ts';
import { Id } from '../newsletter.ts';

/**
 * The states of a subscriber and the moves between them, as data: docs/state-machines.md is drawn from this table and
 * the tests compare it with the column's check. There is no other way between states; a deleted subscriber is gone.
 */
export const SUBSCRIBER_MOVES = {
  pending: {
    'the link was followed, or signed up again where no confirmation is asked for': 'active',
    'unsubscribed, or the address suppressed': 'unsubscribed',
  },
  active: {
    'unsubscribed, or the address suppressed': 'unsubscribed',
    'the address was changed, and the new one must be confirmed': 'pending',
  },
  unsubscribed: {
    'signed up again, or the unsubscribe of one who had not confirmed undone': 'pending',
    'signed up again where no confirmation is asked for, or the unsubscribe undone': 'active',
  },
} as const satisfies Record<string, Record<string, string>>;

export type SubscriberStatus = keyof typeof SUBSCRIBER_MOVES;

export const SUBSCRIBER_STATUSES = Object.keys(SUBSCRIBER_MOVES) as SubscriberStatus[]; // the keys are exactly the union

export const Status = Type.Enum([...SUBSCRIBER_STATUSES], { title: 'SubscriberStatus', examples: ['active'] });

const fields = {
  workspace_id: kept<string>(),
  id: Id,
  newsletter_id: Id,
  /** The identity of the address: lower case, domain in ASCII. */
  email: Type.String({ examples: ['ada@example.com'] }),
  name: nullable(Type.String()),
  source: nullable(Type.String()),
  metadata: Type.Record(Type.String(), Type.Unknown(), {
    description:
      '`unsubscribe_reason` says why somebody left: `user` (by a link), `api`, or why their address was suppressed: ' +
      '`hard_bounce`, `soft_bounce`, `complaint`, `manual`.',
    examples: [{ plan: 'pro' }],
  }),
  status: Status,
  /** Links to confirm carry it; leaving raises it, undoing that lowers it again. */
  generation: kept<number>(),
  confirmed_at: nullable(Instant),
  unsubscribed_at: nullable(Instant),
  /** The state that an undo would restore; null when there is nothing to undo. */
  status_before: kept<SubscriberStatus | null>(),
  unsubscribed_issue_id: kept<string | null>(),
  /** Left by following a link, and has not shown since that a person meant it: undone when a machine's burst did it. */
  unsubscribed_by_visit: kept<boolean>(),
  confirmation_sent_at: nullable(Instant),
  confirmation_count: Type.Integer({ description: 'Confirmation emails so far.', examples: [1] }),
  last_opened_at: nullable(Instant),
  last_clicked_at: nullable(Instant),
  /** Events leave it out: it holds addresses of networks. */
  consent: kept<ConsentSummary>(),
  import_id: kept<string | null>(),
  created_at: Instant,
  updated_at: Instant,
};

/** A subscriber as it is stored. */
export type Subscriber = Stored<typeof fields>;
export const SUBSCRIBER = record(fields);

/** As the record of consents names them. */
export const personOf = ({ workspaceId, newsletterId, id, email, source }: Subscriber): Person => ({
  workspaceId,
  listId: newsletterId,
  id,
  email,
  source,
});

/** As webhooks show it. */
export const subscriberEventView = (row: Subscriber) => SUBSCRIBER.view(row, {});

/** As the API shows it. */
export const subscriberView = (row: Subscriber) => ({
  ...subscriberEventView(row),
  consent: consentSummaryView(row.consent),
});
