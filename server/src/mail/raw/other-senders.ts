import type { Mailbox } from '../addresses/addresses.ts';
import { readHeaderFields } from './header-fields.ts';
import { readOneMailbox } from './shown-fields.ts';

/** Each names a mailbox that has sent the message, or has sent it again (RFC 5322 §3.6.2 and §3.6.6). */
const NAMES = new Map([
  ['sender', 'Sender'],
  ['resent-from', 'Resent-From'],
  ['resent-sender', 'Resent-Sender'],
]);

/** Few messages have one of them. Finds too many rather than too few: the lines are read as fields afterwards. */
const mayHaveOne = /^(?:sender|resent-from|resent-sender):/im;

/**
 * The mailboxes besides From by which a message says it was sent: mail programs show them, as in "eve@evil.example on
 * behalf of hello@acme.test". Throws RawMessageError for a field that is not exactly one mailbox. `mime` is a message
 * that was read.
 */
export async function readOtherSenders(mime: Buffer): Promise<Mailbox[]> {
  const header = mime.toString('latin1', 0, mime.indexOf('\r\n\r\n', 0, 'latin1') + 2);
  if (!mayHaveOne.test(header)) return [];
  const fields = readHeaderFields(header) ?? [];
  return Promise.all(
    fields.flatMap((field) => {
      const shown = NAMES.get(field.name);
      return shown === undefined ? [] : [readOneMailbox(field.value, shown)];
    }),
  );
}
