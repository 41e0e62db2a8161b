/**
 * Which header fields a customer may add.
 *
 * Refused are those we write ourselves (a second one would let two readers see two messages), those that trace the path
 * of a message, and those that steer a provider. Limits are the narrowest we know of a provider's header interface:
 * names up to 126 characters, values up to 870 printable ASCII characters.
 */
import { encodeValue } from './header-text.ts';
import { parseMessageIds } from './message-id.ts';

export interface HeaderProblem {
  /** The name as given; empty when the problem is the set as a whole. */
  header: string;
  problem: string;
  /** True when it cannot be read at all, false when it is well-formed but not acceptable. */
  malformed: boolean;
}

const headersMax = 50;
const nameCharsMax = 126;
const valueCharsMax = 870;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

// biome-ignore format: a list of words
const reservedNames = new Set([
  'from', 'sender', 'to', 'cc', 'bcc', 'reply-to', 'subject', 'date', 'message-id', 'mime-version', 'return-path',
  'received', 'dkim-signature', 'domainkey-signature', 'list-id', 'precedence', 'auto-submitted', 'delivered-to',
  'apparently-to', 'authentication-results',
]);
const reservedPrefixes = ['content-', 'list-unsubscribe', 'resent-', 'arc-', 'x-ses-', 'x-posthorn-', 'x-service-'];

/** Everything that is wrong with the headers of a send; empty when they can be sent. */
export function checkCustomHeaders(headers: Readonly<Record<string, string>>): HeaderProblem[] {
  const entries = Object.entries(headers);
  const problems: HeaderProblem[] = [];
  if (entries.length > headersMax) {
    return [{ header: '', problem: `There are more than ${headersMax} headers.`, malformed: false }];
  }
  const seen = new Set<string>();
  for (const [header, value] of entries) {
    const problem = checkHeader(header, value, seen);
    if (problem !== undefined) problems.push({ header, ...problem });
    seen.add(header.toLowerCase());
  }
  return problems;
}

function checkHeader(name: string, value: string, seen: Set<string>): Omit<HeaderProblem, 'header'> | undefined {
  if (/[\r\n\0]/.test(name) || /[\r\n\0]/.test(value)) return malformed('A header cannot hold a line break or a NUL.');
  if (!name.isWellFormed() || !value.isWellFormed()) return malformed('The header is not valid Unicode.');
  if (name.length > nameCharsMax) return refused(`The name is longer than ${nameCharsMax} characters.`);
  if (!token.test(name)) return refused('A header name has only letters, digits and hyphens.');
  const lower = name.toLowerCase();
  if (seen.has(lower)) return refused('The header is given twice; upper and lower case are the same.');
  if (reservedNames.has(lower) || reservedPrefixes.some((prefix) => lower.startsWith(prefix))) {
    return refused('This header is written by the service and cannot be set.');
  }
  return checkValue(lower, value);
}

function checkValue(lowerName: string, value: string): Omit<HeaderProblem, 'header'> | undefined {
  if (/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(value)) return refused('The value has a control character.');
  if (value.trim() === '') return refused('The value is empty.');
  // Before encoding, so that a hostile value is not encoded first.
  if (value.length > valueCharsMax || encodeValue(value).length > valueCharsMax) {
    return refused(`The value is longer than ${valueCharsMax} characters as it is sent.`);
  }
  const holdsIds = lowerName === 'in-reply-to' || lowerName === 'references';
  if (holdsIds && parseMessageIds(value) === undefined) return refused('The value is not a list of <message-ids>.');
  return undefined;
}

function malformed(problem: string) {
  return { problem, malformed: true };
}

function refused(problem: string) {
  return { problem, malformed: false };
}
