/** A feedback report: somebody marked a message as spam, and a mailbox provider tells who sent it (RFC 5965, 6650). */
import { fieldGroups } from './dsn.ts';

export interface FeedbackReport {
  /** In lower case, as in `abuse`. */
  feedbackType: string;
  userAgent: string | null;
  /** Bare address of the envelope the message had, if the reporter kept it: our return path. */
  originalMailFrom: string | null;
  /** The recipients it was for; often blacked out. */
  originalRecipients: string[];
}

// RFC 5965 §3.2 allows many; a message of ours has at most 50.
const RECIPIENTS_MAX = 50;
// A word of RFC 5965 §7.3's registry.
const TYPE = /^[a-z][a-z0-9-]{0,39}$/;

/** Reads `message/feedback-report`; null when it does not say of which type it is. Never throws. */
export function parseFeedbackReport(text: string): FeedbackReport | null {
  const [fields] = fieldGroups(text);
  const feedbackType = fields?.get('feedback-type')?.toLowerCase() ?? '';
  if (fields === undefined || !TYPE.test(feedbackType)) return null;
  return {
    feedbackType,
    userAgent: fields.get('user-agent') ?? null,
    originalMailFrom: bare(fields.get('original-mail-from') ?? '') || null,
    originalRecipients: recipientsIn(text),
  };
}

/**
 * Whether a report of this type is one person's wish not to be mailed. `not-spam` is the opposite; `auth-failure`
 * (RFC 6591) and `dmarc` are machines that talk about signatures. A type we do not know counts as `other`.
 */
export function isComplaint(feedbackType: string): boolean {
  return !['not-spam', 'auth-failure', 'dmarc'].includes(feedbackType);
}

/** The one field that may come more than once. */
function recipientsIn(text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/^(?:original-rcpt-to|removal-recipient):[ \t]*(\S{1,320})[ \t]*\r?$/gim)) {
    found.push(bare(match[1] ?? ''));
    if (found.length === RECIPIENTS_MAX) break;
  }
  return found;
}

const bare = (text: string): string =>
  text
    .replace(/^rfc822;/i, '')
    .trim()
    .replace(/^<|>$/g, '');
