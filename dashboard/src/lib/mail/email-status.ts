/** Every state of an email in words, with its tone (`ui/StatusBadge`). The names are the API's. */
interface StatusWords {
  label: string;
  tone: 'ok' | 'warn' | 'bad' | 'info' | 'quiet';
  /** It is still on its way: a page that shows it asks again every few seconds. */
  moves?: true;
}

export const EMAIL_STATUSES = {
  pending: { label: 'Pending', tone: 'quiet', moves: true },
  queued: { label: 'Queued', tone: 'info', moves: true },
  sending: { label: 'Sending', tone: 'info', moves: true },
  unconfirmed: { label: 'Unconfirmed', tone: 'warn', moves: true },
  sent: { label: 'Sent', tone: 'info', moves: true },
  delivery_delayed: { label: 'Delayed', tone: 'warn', moves: true },
  delivered: { label: 'Delivered', tone: 'ok' },
  bounced: { label: 'Bounced', tone: 'bad' },
  complained: { label: 'Complained', tone: 'bad' },
  failed: { label: 'Failed', tone: 'bad' },
  suppressed: { label: 'Suppressed', tone: 'warn' },
  cancelled: { label: 'Cancelled', tone: 'quiet' },
} as const satisfies Record<string, StatusWords>;

export type EmailStatusName = keyof typeof EMAIL_STATUSES;

export const isOnItsWay = (status: EmailStatusName): boolean => {
  const words: StatusWords = EMAIL_STATUSES[status];
  return words.moves === true;
};
