import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses/addresses.ts';
import type { Faults } from '#platform/errors/faults.ts';

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

const LONGEST_LIST = 10_000;

/** True for addresses in one text, as other services take them. A name in quotation marks may have a comma. */
const isList = (text: string): boolean =>
  text.length <= LONGEST_LIST &&
  !text.includes('"') &&
  text.split(/[,;]/).filter((part) => part.includes('@')).length > 1;

/** Reads a field that holds one mailbox or several, naming each by its place (`to[2]`). */
export function readMailboxes(
  given: string | readonly string[] | null | undefined,
  param: string,
  faults: Faults,
): Mailbox[] {
  if (given === null || given === undefined) return [];
  if (typeof given === 'string') {
    if (isList(given)) {
      faults.unreadable(param, `${param} takes several addresses as an array: ["ada@example.com", "bob@example.com"]`);
      return [];
    }
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
