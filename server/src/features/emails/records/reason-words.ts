import type { EventRow } from './queries/one-email.ts';

/** The fields of the provider that hold words of the other side, or names for its reason. */
const WORDS = new Set(['diagnosticCode', 'smtpResponse', 'reason', 'message']);
const NAMES = new Set(['bounceSubType', 'complaintFeedbackType', 'delayType']);
/** These names say nothing beside the words of the other side. */
const EMPTY_NAMES = new Set(['General', 'Undetermined']);

const REASON_CHARS_MAX = 500;

/** The words of the other side, wherever the event keeps them: "550 5.1.1 user unknown", "452 full (mailbox full)". */
export function reasonOf(event: EventRow): string | undefined {
  const words = found(event.data, WORDS).map(withoutType);
  const names = found(event.data, NAMES)
    .filter((name) => !EMPTY_NAMES.has(name))
    .map(asWords)
    .filter((name) => !words.some((said) => said.toLowerCase().includes(name)));
  const said = words.join('; ');
  const all = said === '' ? names.join(', ') : names.length === 0 ? said : `${said} (${names.join(', ')})`;
  return all === '' ? undefined : all.slice(0, REASON_CHARS_MAX);
}

/** A bounce that came back for good. */
export const isPermanent = (event: EventRow | undefined): boolean =>
  event !== undefined && found(event.data, new Set(['bounceType'])).includes('Permanent');

function found(value: unknown, fields: ReadonlySet<string>): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' ? (fields.has(key) ? [item] : []) : found(item, fields),
  );
}

/** A diagnostic code of RFC 3464 without the name of its protocol and the full stop at its end. */
const withoutType = (code: string): string => code.replace(/^\s*(?:smtp|x-[\w-]+)\s*;\s*/i, '').replace(/[.\s]+$/, '');

/** `MailboxFull` is "mailbox full". */
const asWords = (name: string): string => name.replaceAll(/(?<=[a-z])(?=[A-Z])|[-_]/g, ' ').toLowerCase();
