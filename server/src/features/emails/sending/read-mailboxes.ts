import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import type { Faults } from './faults.ts';

/** Reads one mailbox; a text that is none becomes a fault of `param`. */
export function readMailbox(text: string, param: string, faults: Faults): Mailbox | undefined {
  try {
    return parseMailbox(text);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    faults.unreadable(param, `${param} must be an email address. ${error.reason}`);
    return undefined;
  }
}

/** Reads a field that holds one mailbox or several, naming each by its place (`to[2]`). */
export function readMailboxes(
  given: string | readonly string[] | null | undefined,
  param: string,
  faults: Faults,
): Mailbox[] {
  if (given === null || given === undefined) return [];
  if (typeof given === 'string') {
    const mailbox = readMailbox(given, param, faults);
    return mailbox === undefined ? [] : [mailbox];
  }
  return given.flatMap((text, index) => readMailbox(text, `${param}[${index}]`, faults) ?? []);
}

/** The first of each address, in order: `A@x.test` and `a@X.test` are one. `seen` spans several fields. */
export function withoutDuplicates(mailboxes: readonly Mailbox[], seen: Set<string> = new Set()): Mailbox[] {
  return mailboxes.filter((mailbox) => {
    if (seen.has(mailbox.identity)) return false;
    seen.add(mailbox.identity);
    return true;
  });
}
