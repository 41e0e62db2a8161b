import { SUPPRESSION_REASONS, type SuppressionReason } from '../suppression.ts';

/** Where in a row things stand; null: the file does not have them. */
export interface Columns {
  email: number;
  reason: number | null;
  note: number | null;
  createdAt: number | null;
  expiresAt: number | null;
}

/** As other services name them in what they export, without case, spaces and marks. */
const NAMES = {
  email: ['email', 'emailaddress', 'address', 'recipient', 'mail', 'subscriberemail', 'contactemail', 'to'],
  reason: ['reason', 'suppressionreason', 'type', 'bouncetype', 'event', 'cause'],
  note: ['note', 'notes', 'comment', 'error', 'description', 'details'],
  createdAt: ['createdat', 'created', 'lastupdatetime', 'date', 'timestamp', 'addedat', 'suppressedat', 'bouncedat'],
  expiresAt: ['expiresat', 'expires'],
} as const;

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
  const [reason, note] = [find(NAMES.reason), find(NAMES.note)];
  return { email, reason, note, createdAt: find(NAMES.createdAt), expiresAt: find(NAMES.expiresAt) };
}

/** A file without a header: the first column that holds an address; undefined when none does. */
export function guessColumns(cells: readonly string[]): Columns | undefined {
  const email = cells.findIndex((cell) => cell.includes('@'));
  return email === -1 ? undefined : { email, reason: null, note: null, createdAt: null, expiresAt: null };
}

/** What others call our reasons. */
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
  return Object.hasOwn(REASONS, name) ? REASONS[name] : undefined;
};

/** ISO 8601, `2026-11-20 10:00:00` (UTC) or seconds since 1970; undefined when it is none of these. */
export function readTime(text: string): Date | undefined {
  const plain = text.trim();
  if (/^\d{9,10}$/.test(plain)) return new Date(Number(plain) * 1_000);
  const parts = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|[+-]\d\d:?\d\d)?)?$/i.exec(plain);
  if (parts === null) {
    const spelled = /^[a-z]{3}, /i.test(plain) ? new Date(plain) : undefined; // RFC 5322, as Mailgun writes it
    return spelled === undefined || Number.isNaN(spelled.getTime()) ? undefined : spelled;
  }
  const zone = parts[3] === undefined || /utc/i.test(parts[3]) ? 'Z' : parts[3].toUpperCase();
  const time = new Date(`${parts[1]}T${parts[2] ?? '00:00'}${zone}`);
  return Number.isNaN(time.getTime()) ? undefined : time;
}
