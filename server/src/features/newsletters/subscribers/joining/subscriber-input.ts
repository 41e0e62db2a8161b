import { AddressError, type Mailbox, parseMailbox } from '#mail/addresses.ts';
import { invalid, unacceptable } from '#platform/errors/app-error.ts';

export const NAME_CHARS_MAX = 200;
export const SOURCE_CHARS_MAX = 200;
const METADATA_BYTES_MAX = 16_384;
/** The names that a stranger may use: enough for any name, too little for a message. */
export const PUBLIC_NAME_CHARS_MAX = 64;

const RESERVED = 'unsubscribe_reason';

/** One address alone, in whatever case. Throws 400 with the reason. */
export function readAddress(text: string, param = 'email'): Mailbox {
  try {
    const mailbox = parseMailbox(text);
    if (mailbox.name !== null) throw invalid(param, 'Give the address alone, without a name.');
    return mailbox;
  } catch (error) {
    if (error instanceof AddressError) throw invalid(param, error.reason);
    throw error;
  }
}

/** The typed name, or null if it is empty. */
export function readName(text: string | null | undefined): string | null {
  const trimmed = text?.trim() ?? '';
  return trimmed === '' ? null : trimmed;
}

const LINK =
  /:\/\/|\bwww\.|[\p{L}\p{N}-]+\.(?:com|net|org|info|biz|io|co|ru|cn|xyz|top|site|online|shop|link|click|de|uk|fr|app|dev|me)\b/iu;
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** A name from a public form: what a stranger typed must not carry a message or a link. Throws 400 (param `name`). */
export function readPublicName(text: string | null | undefined): string | null {
  const name = readName(text);
  if (name === null) return null;
  if (name.length > PUBLIC_NAME_CHARS_MAX || LINK.test(name) || CONTROL.test(name)) {
    throw invalid('name', `A name has at most ${PUBLIC_NAME_CHARS_MAX} characters, and no web address in it.`);
  }
  return name;
}

/**
 * What a caller keeps beside a subscriber. The reason of an unsubscribe is ours to write: 422. Throws 400 for more than
 * 16 KB.
 */
export function checkMetadata(metadata: Readonly<Record<string, unknown>>): void {
  if (Object.hasOwn(metadata, RESERVED)) {
    throw unacceptable(`metadata.${RESERVED}`, `metadata.${RESERVED} is set when somebody unsubscribes.`);
  }
  if (Buffer.byteLength(JSON.stringify(metadata), 'utf8') > METADATA_BYTES_MAX) {
    throw invalid('metadata', 'metadata must be at most 16 KB as JSON');
  }
}

/** Key by key: what is null goes. Keys that we wrote ourselves stay, also when all are cleared. */
export function mergeMetadata(
  held: Readonly<Record<string, unknown>>,
  change: Readonly<Record<string, unknown>> | null,
): Record<string, unknown> {
  if (change === null) return Object.hasOwn(held, RESERVED) ? { [RESERVED]: held[RESERVED] } : {};
  const merged = Object.entries({ ...held, ...change }).filter(
    ([key]) => change[key] !== null || !Object.hasOwn(change, key),
  );
  const result = Object.fromEntries(merged);
  if (Buffer.byteLength(JSON.stringify(result), 'utf8') > METADATA_BYTES_MAX) {
    throw invalid('metadata', 'metadata would be larger than 16 KB as JSON');
  }
  return result;
}
