import { SUPPRESSION_REASONS, type SuppressionReason } from '../suppression.ts';
import { ownEntry } from '#platform/own-entry.ts';

/** Where in a row things stand; null: the file does not have them. */
export interface Columns {
  email: number;
  reason: number | null;
  note: number | null;
  createdAt: number | null;
  expiresAt: number | null;
  /** Where a list of people who may be mailed, and of some who may not, says which of them this is. */
  standing: { at: number; name: StandingName } | null;
  /** The kind of list in the file, if its header tells; for rows that give no reason of their own. */
  listOf: SuppressionReason | null;
}

/** As other services name them in what they export, without case, spaces and marks. */
export const NAMES = {
  email: ['email', 'emailaddress', 'address', 'recipient', 'mail', 'subscriberemail', 'contactemail', 'to'],
  reason: ['reason', 'suppressionreason', 'type', 'bouncetype', 'event', 'cause'],
  note: ['note', 'notes', 'comment', 'error', 'description', 'details'],
  createdAt: [
    'createdat',
    'created',
    'lastupdatetime',
    'unsubtime',
    'cleantime',
    'date',
    'timestamp',
    'addedat',
    'suppressedat',
    'bouncedat',
  ],
  expiresAt: ['expiresat', 'expires'],
} as const;

/**
 * The columns of lists of contacts or of emails, and what their cells say; `mailable` rows are nobody's suppression.
 * Without them, a list of contacts that is taken for one of suppressions would stop mail to everybody in it.
 */
const STANDINGS = {
  unsubscribed: { ...words('unsubscribe', ['true', 'yes', '1']), ...words('mailable', ['false', 'no', '0', '']) },
  subscribed: { ...words('unsubscribe', ['false', 'no', '0']), ...words('mailable', ['true', 'yes', '1', '']) },
  lastevent: {
    ...words('hard_bounce', ['bounced']),
    ...words('complaint', ['complained']),
    ...words('manual', ['suppressed']),
    ...words('mailable', ['sent', 'delivered', 'opened', 'clicked', 'delivery_delayed', 'queued', 'scheduled']),
    ...words('mailable', ['canceled', 'failed']),
  },
  status: {
    ...words('unsubscribe', ['unsubscribed']),
    ...words('hard_bounce', ['bounced', 'cleaned']),
    ...words('complaint', ['complained']),
    ...words('mailable', ['subscribed', 'active', 'confirmed']),
  },
} as const satisfies Record<string, Record<string, SuppressionReason | 'mailable'>>;
export type StandingName = keyof typeof STANDINGS;
export const STANDING_NAMES: readonly StandingName[] = ['unsubscribed', 'subscribed', 'lastevent', 'status'];

function words<T>(meaning: T, names: readonly string[]): Record<string, T> {
  return Object.fromEntries(names.map((name) => [name, meaning]));
}

/** The row's statement about whether its address may be mailed; undefined when it says nothing that we know. */
export function readStanding(name: StandingName, text: string): SuppressionReason | 'mailable' | undefined {
  const said: Readonly<Record<string, SuppressionReason | 'mailable'>> = STANDINGS[name];
  const word = text.trim().toLowerCase();
  return ownEntry(said, word);
}

const bare = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, '');

/** Reads the first row as a header; undefined when it names no column of addresses. */
export function readHeader(cells: readonly string[]): Columns | undefined {
  if (cells.some((cell) => cell.includes('@'))) return undefined;
  const named = cells.map(bare);
  const find = (names: readonly string[]): number | null => {
    for (const name of names) {
      const at = named.indexOf(name);
      if (at !== -1) return at;
    }
    return null;
  };
  const email = find(NAMES.email);
  if (email === null) return undefined;
  const standing = STANDING_NAMES.find((name) => named.includes(name));
  return {
    email,
    reason: find(NAMES.reason),
    note: find(NAMES.note),
    createdAt: find(NAMES.createdAt),
    expiresAt: find(NAMES.expiresAt),
    standing: standing === undefined ? null : { at: named.indexOf(standing), name: standing },
    // Mailchimp exports one file for each kind, and only the name of a time says which this is.
    listOf: named.includes('unsubtime') ? 'unsubscribe' : named.includes('cleantime') ? 'hard_bounce' : null,
  };
}

/**
 * A file without a header: the first column that holds an address, and one whose first cell is a reason (Amazon SES
 * imports such files); undefined when there is no address.
 */
export function guessColumns(cells: readonly string[]): Columns | undefined {
  const email = cells.findIndex((cell) => cell.includes('@'));
  if (email === -1) return undefined;
  const reason = cells.findIndex((cell) => readReason(cell) !== undefined);
  const others = { note: null, createdAt: null, expiresAt: null, standing: null, listOf: null };
  return { email, reason: reason === -1 ? null : reason, ...others };
}

/** The names that others use for our reasons. */
const REASONS: Readonly<Record<string, SuppressionReason>> = {
  ...Object.fromEntries(SUPPRESSION_REASONS.map((reason) => [bare(reason), reason])),
  bounce: 'hard_bounce',
  bounced: 'hard_bounce',
  permanent: 'hard_bounce',
  invalid: 'hard_bounce',
  transient: 'soft_bounce',
  complained: 'complaint',
  spam: 'complaint',
  spamcomplaint: 'complaint',
  spamreport: 'complaint',
  abuse: 'complaint',
  unsubscribed: 'unsubscribe',
  manualsuppression: 'manual',
};

/** Our word for a reason given in another's words; undefined when it is none that we know. */
export const readReason = (text: string): SuppressionReason | undefined => {
  const name = bare(text);
  return ownEntry(REASONS, name);
};
