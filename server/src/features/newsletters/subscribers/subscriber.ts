/**
 * The states of a subscriber and the moves between them, as data: docs/state-machines.md is drawn from this table and
 * the tests compare it with the column's check. There is no other way between states; a deleted subscriber is gone.
 */
export const SUBSCRIBER_MOVES = {
  pending: {
    'the link was followed, or signed up again where no confirmation is asked for': 'active',
    'unsubscribed, or the address suppressed': 'unsubscribed',
  },
  active: { 'unsubscribed, or the address suppressed': 'unsubscribed' },
  unsubscribed: {
    'signed up again, or the unsubscribe of one who had not confirmed undone': 'pending',
    'signed up again where no confirmation is asked for, or the unsubscribe undone': 'active',
  },
} as const satisfies Record<string, Record<string, string>>;

export type SubscriberStatus = keyof typeof SUBSCRIBER_MOVES;

export const SUBSCRIBER_STATUSES = Object.keys(SUBSCRIBER_MOVES) as SubscriberStatus[]; // the keys are exactly the union

/** How somebody came to be on a list, and what shows it. Times are ISO 8601. */
export interface ConsentSummary {
  /** attested: the caller of the API vouched for it; import: whoever imported did. */
  method?: 'double_opt_in' | 'single_opt_in' | 'attested' | 'import';
  signup_at?: string;
  signup_ip?: string | null;
  signup_user_agent?: string | null;
  signup_url?: string | null;
  signup_via?: 'public' | 'api' | 'import';
  confirmed_at?: string;
  confirmed_ip?: string | null;
  confirmed_user_agent?: string | null;
}

/** A subscriber as it is stored. */
export interface Subscriber {
  workspaceId: string;
  id: string;
  newsletterId: string;
  /** The identity of the address: lower case, domain in ASCII. */
  email: string;
  name: string | null;
  source: string | null;
  metadata: Record<string, unknown>;
  status: SubscriberStatus;
  /** Links to confirm carry it; leaving raises it, undoing that lowers it again. */
  generation: number;
  confirmedAt: Date | null;
  unsubscribedAt: Date | null;
  /** The state that an undo would restore; null when there is nothing to undo. */
  statusBefore: SubscriberStatus | null;
  unsubscribedIssueId: string | null;
  /** Left by following a link, and has not shown since that a person meant it: undone when a machine's burst did it. */
  unsubscribedByVisit: boolean;
  confirmationSentAt: Date | null;
  confirmationCount: number;
  consent: ConsentSummary;
  lastOpenedAt: Date | null;
  lastClickedAt: Date | null;
  importId: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** As the API and webhooks show it; events leave the consent out, which holds addresses of networks. */
export const subscriberView = (row: Subscriber) => ({ ...subscriberEventView(row), consent: consentView(row.consent) });

/** Every field, also those that nothing is known of: whoever reads it need not ask which there are. */
const consentView = (consent: ConsentSummary) => ({
  method: consent.method ?? null,
  signup_at: consent.signup_at ?? null,
  signup_ip: consent.signup_ip ?? null,
  signup_user_agent: consent.signup_user_agent ?? null,
  signup_url: consent.signup_url ?? null,
  signup_via: consent.signup_via ?? null,
  confirmed_at: consent.confirmed_at ?? null,
  confirmed_ip: consent.confirmed_ip ?? null,
  confirmed_user_agent: consent.confirmed_user_agent ?? null,
});

export const subscriberEventView = (row: Subscriber) => ({
  id: row.id,
  newsletter_id: row.newsletterId,
  email: row.email,
  name: row.name,
  source: row.source,
  metadata: row.metadata,
  status: row.status,
  confirmed_at: row.confirmedAt,
  unsubscribed_at: row.unsubscribedAt,
  confirmation_sent_at: row.confirmationSentAt,
  confirmation_count: row.confirmationCount,
  last_opened_at: row.lastOpenedAt,
  last_clicked_at: row.lastClickedAt,
  created_at: row.createdAt,
  updated_at: row.updatedAt,
});
