/** The fields of a raw message that people are shown, decoded: its sender, subject and Reply-To. */
import type { Address } from 'postal-mime';
import { AddressError, type Mailbox, parseMailbox, refuseForeignAddress } from '../addresses/addresses.ts';
import type { HeaderField } from './header-fields.ts';
import { RawMessageError } from './raw-message-error.ts';

/** An address and a name, each with room. A longer field costs more to read than it is worth. */
const addressFieldCharsMax = 2_000;
const subjectFieldCharsMax = 10_000;
const shownCharsMax = 998;

/**
 * The one sender of a message. Its address is read strictly: whoever may send from its domain is asked about it, and no
 * reader may find another one in the field, nor see one of another domain in its name.
 */
export async function readFrom(fields: readonly HeaderField[]): Promise<Mailbox> {
  const [field, second] = fields.filter(({ name }) => name === 'from');
  if (field === undefined) throw new RawMessageError('The message has no From field.');
  if (second !== undefined) throw new RawMessageError('The message has more than one From field.');
  const sender = await readOneMailbox(field.value, 'From');
  try {
    refuseForeignAddress(sender.name ?? '', sender.domain);
  } catch (error) {
    throw asRawError(error, 'From');
  }
  return sender;
}

/** The one mailbox of a field of this name. */
export async function readOneMailbox(value: string, field: string): Promise<Mailbox> {
  if (value.length > addressFieldCharsMax) throw new RawMessageError(`The ${field} field is too long.`);
  // Only here may a comma or an angle bracket stand without its meaning. No address has the mark that is left.
  const bare = value
    .replace(/"(?:[^"\\]|\\.)*"|\((?:[^()\\]|\\.)*\)/g, (text) => (text.startsWith('"') ? '\x01' : ''))
    .trim();
  const [, inBrackets, alone] = /^(?:[^<>()"\\,:;@]*<([^\s<>]*)>|([^\s<>()"\\,:;]*))$/.exec(bare) ?? [];
  const address = inBrackets ?? alone;
  if (address === undefined) throw new RawMessageError(`The ${field} field is not exactly one mailbox.`);
  try {
    const name = shown((await postalMime()).addressParser(value)[0]?.name ?? '');
    return { ...parseMailbox(address), name: name === '' ? null : name };
  } catch (error) {
    throw asRawError(error, field);
  }
}

const asRawError = (error: unknown, field: string): unknown =>
  error instanceof AddressError ? new RawMessageError(`The ${field} field: ${error.reason}`) : error;

export async function readShownText(value: string): Promise<string> {
  return shown(await decodeEncodedWords(value.slice(0, subjectFieldCharsMax)));
}

/** The text of a field with its encoded words (RFC 2047) decoded. */
export const decodeEncodedWords = async (value: string): Promise<string> => (await postalMime()).decodeWords(value);

/** An entry that is no mailbox we could write to is left out. */
export async function readShownMailboxes(value: string): Promise<Mailbox[]> {
  if (value.length > addressFieldCharsMax) return [];
  const addresses = (await postalMime()).addressParser(value, { flatten: true });
  return addresses.flatMap((one) => mailboxOf(one) ?? []);
}

function mailboxOf({ name, address }: Address): Mailbox | undefined {
  try {
    const clean = shown(name);
    return { ...parseMailbox(address ?? ''), name: clean === '' ? null : clean };
  } catch (error) {
    if (error instanceof AddressError) return undefined;
    throw error;
  }
}

/** No control characters, no half characters, not too long. */
const shown = (text: string): string =>
  text
    .slice(0, shownCharsMax)
    .replace(/[\x00-\x1f\x7f-\x9f]+/g, ' ')
    .toWellFormed()
    .trim();

let loading: Promise<typeof import('postal-mime')> | undefined;

/** Loaded with the first such message: most processes never see one. Asking the loader again takes 8 µs each time. */
const postalMime = () => (loading ??= import('postal-mime'));
