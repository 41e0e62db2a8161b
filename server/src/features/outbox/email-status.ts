/**
 * The states of an email and the moves between them, as data: docs/state-machines.md is drawn from this table and the
 * tests compare it with the column's check. `deferred` is `queued` that waits for its next attempt; outside it is
 * shown as queued. Every state from `sent` on is moved by events of the provider.
 */
export const EMAIL_MOVES = {
  pending: { released: 'queued', cancelled: 'cancelled', 'suppressed, or left the list since': 'suppressed' },
  queued: {
    claimed: 'sending',
    'its send was paused, or its domain withdrawn (bulk)': 'pending',
    'its workspace was paused (not bulk)': 'deferred',
    cancelled: 'cancelled',
    'suppressed, or left the list since': 'suppressed',
    'expired, or its domain was withdrawn (not bulk)': 'failed',
  },
  deferred: {
    due: 'queued',
    'its send was paused': 'pending',
    cancelled: 'cancelled',
    'suppressed, or left the list since': 'suppressed',
    expired: 'failed',
  },
  sending: {
    accepted: 'sent',
    'refused for good, or tried for a day': 'failed',
    'refused for now': 'deferred',
    'given back, or its process ended before it began': 'queued',
    'cancelled before it began': 'cancelled',
    'suppressed, or left the list, before it began': 'suppressed',
    'outcome unknown': 'unconfirmed',
    'an event came before our own record': 'delivered',
  },
  unconfirmed: {
    'no event came: once more (not bulk)': 'queued',
    'an event came, or a person said so': 'sent',
    'delivery event': 'delivered',
    'bounce event': 'bounced',
    'a person said it was not sent': 'failed',
  },
  sent: {
    delay: 'delivery_delayed',
    delivery: 'delivered',
    bounce: 'bounced',
    complaint: 'complained',
    reject: 'failed',
  },
  delivery_delayed: { delivery: 'delivered', bounce: 'bounced', complaint: 'complained', reject: 'failed' },
  delivered: { complaint: 'complained', 'late bounce': 'bounced' },
  bounced: { complaint: 'complained' },
  complained: {},
  failed: { 'tried again by a person (bulk)': 'pending' },
  suppressed: {},
  cancelled: {},
} as const satisfies Record<string, Record<string, string>>;

export type EmailStatus = keyof typeof EMAIL_MOVES;

export const EMAIL_STATUSES = Object.keys(EMAIL_MOVES) as EmailStatus[]; // the keys are exactly the union

/** The name of an email's state in answers: waiting for another attempt is waiting. */
export const shownStatus = (status: EmailStatus): Exclude<EmailStatus, 'deferred'> =>
  status === 'deferred' ? 'queued' : status;
