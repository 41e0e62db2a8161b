import { readTime } from '#platform/csv/read-time.ts';
import { readIdentity } from '../suppression-record.ts';
import type { SuppressionReason } from '../suppression.ts';
import { readReason, readStanding, type StandingName } from './columns.ts';

/** A row that is a suppression. */
export interface FoundSuppression {
  identity: string;
  /** null: the row gives none. */
  reason: SuppressionReason | null;
  note: string | null;
  createdAt: Date | null;
  expiresAt: Date | null;
}

/** The texts of a row; '' where the file has none. */
export interface SuppressionTexts {
  email: string;
  reason: string;
  note: string;
  createdAt: string;
  expiresAt: string;
  standing: { name: StandingName; text: string } | null;
  /** For rows that give no reason of their own. */
  listOf: SuppressionReason | null;
}

const NOTE_CHARS_MAX = 1_000;
export const UNREADABLE_END = 'The time it expires at cannot be read.';

/** Reads a row, in the words of whatever service has written it; or says why it is no suppression. */
export function readSuppression(texts: SuppressionTexts): FoundSuppression | { message: string } {
  const address = readIdentity(texts.email);
  if ('reason' in address) return { message: address.reason };
  const expiresAt = texts.expiresAt === '' ? null : readTime(texts.expiresAt);
  if (expiresAt === undefined) return { message: UNREADABLE_END };
  const reason = texts.reason === '' ? null : readReason(texts.reason);
  const { standing, note } = texts;
  const said = standing === null ? undefined : readStanding(standing.name, standing.text);
  if (said === 'mailable' && !reason) return { message: 'The file says that this address may be mailed.' };
  return {
    ...address,
    reason: reason ?? (said === 'mailable' ? null : said) ?? texts.listOf,
    // A reason in words that we do not know is still worth reading.
    note: notable(note === '' && reason === undefined ? texts.reason : note),
    createdAt: readTime(texts.createdAt) ?? null,
    expiresAt,
  };
}

const notable = (text: string): string | null =>
  text === ''
    ? null
    : text
        .replace(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, ' ')
        .slice(0, NOTE_CHARS_MAX)
        .toWellFormed();
