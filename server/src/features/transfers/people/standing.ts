import type { Field } from './person-fields.ts';

/** The status of a person on a list, as files tell it. */
export type PersonStatus = 'pending' | 'active' | 'unsubscribed';

/** Why a person left: by a link, by an API call, or because the address was suppressed. */

export const LEAVE_REASONS = ['user', 'api', 'hard_bounce', 'soft_bounce', 'complaint', 'manual'] as const;
export type LeaveReason = (typeof LEAVE_REASONS)[number];

/** Where a row says that its person stands. */
export interface Standing {
  /** null: it does not say. */
  status: PersonStatus | null;
  reason: LeaveReason | null;
}

const said = (words: string, status: PersonStatus, reason: LeaveReason | null = null): [string, Standing][] =>
  words.split(' ').map((word) => [word, { status, reason }]);

/** In the words of Mailchimp, Ghost, Substack, listmonk, Resend, Buttondown, beehiiv and their like. */
const WORDS = new Map<string, Standing>([
  ...said('active subscribed confirmed enabled regular premium gifted member free paid comped optedin optin', 'active'),
  ...said('pending unconfirmed unactivated validating waiting', 'pending'),
  ...said('unsubscribed inactive removed disabled optedout optout deleted paused archived', 'unsubscribed'),
  ...said('cleaned bounced bounce undeliverable hardbounce invalid', 'unsubscribed', 'hard_bounce'),
  ...said('complained complaint spam spammed spammy', 'unsubscribed', 'complaint'),
  ...said('blocklisted blacklisted blocked banned suppressed', 'unsubscribed', 'manual'),
]);

const SILENT: Standing = { status: null, reason: null };
const ACTIVE: Standing = { status: 'active', reason: null };
const LEFT: Standing = { status: 'unsubscribed', reason: null };

/**
 * What all columns together say: that somebody left counts, whichever column tells. Undefined: the status is a word
 * that nobody knows, which must not make anybody active.
 */
export function readStanding(value: (field: Field) => unknown): Standing | undefined {
  if (isThere(value('cleaned_at'))) return { status: 'unsubscribed', reason: 'hard_bounce' };
  const word = plain(value('status'));
  const status = word === '' ? (WORDS.get(plain(value('type'))) ?? SILENT) : WORDS.get(word);
  if (status === undefined || status.status === 'unsubscribed') return status;
  if (truth(value('unsubscribed')) === true || truth(value('subscribed')) === false) return LEFT;
  if (status !== SILENT) return status;
  if (isThere(value('unsubscribed_at'))) return LEFT;
  return truth(value('subscribed')) === true || truth(value('unsubscribed')) === false ? ACTIVE : SILENT;
}

const plain = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase().replace(/[^a-z]/g, '') : '');

const isThere = (value: unknown): boolean => typeof value === 'string' && /[1-9]/.test(value);

function truth(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
  if (['true', 'yes', '1', 't', 'y'].includes(text)) return true;
  // A time in such a column says that it happened.
  if (['false', 'no', '0', 'f', 'n'].includes(text)) return false;
  return /^\d{4}-\d\d-\d\d/.test(text) ? true : undefined;
}
