import { invalid } from '../errors/app-error.ts';

/** The names that a stranger may use: enough for any name, too little for a message. */
export const PUBLIC_NAME_CHARS_MAX = 64;

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
