import type { Consent, Subscriber } from '../../../api/generated/types.gen.ts';
import type { Tone } from '../../../ui/StatusBadge.tsx';
import { ownEntry } from '../../../lib/own-entry.ts';

export const SUBSCRIBER_STATES: Readonly<Record<Subscriber['status'], { label: string; tone: Tone }>> = {
  active: { label: 'Active', tone: 'ok' },
  pending: { label: 'Pending', tone: 'warn' },
  unsubscribed: { label: 'Unsubscribed', tone: 'quiet' },
};

export const SUBSCRIBER_STATE_OPTIONS = Object.entries(SUBSCRIBER_STATES).map(([value, { label }]) => ({
  value,
  label,
}));

interface LeftWords {
  /** Beside the status in lists. */
  badge: string | undefined;
  sentence: string;
}

/** Why somebody is unsubscribed: `metadata.unsubscribe_reason`, which the server writes. */
const LEFT: Readonly<Record<string, LeftWords>> = {
  user: { badge: undefined, sentence: 'They unsubscribed by a link.' },
  api: { badge: undefined, sentence: 'Somebody of this workspace unsubscribed them.' },
  hard_bounce: { badge: 'Bounce', sentence: 'Their address bounced for good, so it is suppressed.' },
  soft_bounce: { badge: 'Bounce', sentence: 'Their address bounced too often, so it is suppressed for a while.' },
  complaint: { badge: 'Complaint', sentence: 'They marked an email as spam, so their address is suppressed.' },
  manual: { badge: 'Suppressed', sentence: 'Their address was suppressed by hand.' },
};

export function whyLeft({ status, metadata }: Pick<Subscriber, 'status' | 'metadata'>): LeftWords | undefined {
  const reason = metadata['unsubscribe_reason'];
  if (status !== 'unsubscribed' || typeof reason !== 'string') return undefined;
  return ownEntry(LEFT, reason) ?? { badge: undefined, sentence: `They left: ${reason}.` };
}

/** Undefined when the state of the person allows it; otherwise the reason. */
export function whyNotUnsubscribe({ status }: Pick<Subscriber, 'status'>): string | undefined {
  return status === 'unsubscribed' ? 'This person is unsubscribed already.' : undefined;
}

export const CONSENTS: Readonly<Record<Consent['action'], { label: string; tone: Tone }>> = {
  signed_up: { label: 'Signed up', tone: 'info' },
  confirmation_sent: { label: 'Was sent the confirmation email', tone: 'quiet' },
  confirmed: { label: 'Confirmed', tone: 'ok' },
  unsubscribed: { label: 'Unsubscribed', tone: 'warn' },
  undone: { label: 'Unsubscribing was undone', tone: 'ok' },
  imported: { label: 'Was imported', tone: 'info' },
  added: { label: 'Was added', tone: 'info' },
  address_changed: { label: 'Changed the address', tone: 'info' },
  erased: { label: 'Was erased', tone: 'bad' },
};

export const METHODS = {
  double_opt_in: 'Double opt-in: they followed the link in the confirmation email',
  single_opt_in: 'Single opt-in: they filled in the form',
  attested: 'Attested: whoever added them vouched for it',
  import: 'Import',
} as const satisfies Record<NonNullable<Subscriber['consent']['method']>, string>;
