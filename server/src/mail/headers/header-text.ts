/**
 * Header fields as text: RFC 5322 folding and RFC 2047 encoded words.
 *
 * Whatever a person typed goes out either as printable ASCII that no decoder would touch, or wholly encoded. Text that
 * looks like an encoded word is itself encoded, so every reader shows it as typed and none decodes a line break out of
 * it.
 */
import { encodeWord } from 'nodemailer/lib/mime-funcs';

/** RFC 5322 §2.1.1 prefers 78 columns; we fold one word earlier than that. */
const lineCharsPreferred = 76;
/** RFC 2047 §2 allows 75 for one encoded word; 64 leaves room for `Subject: ` on the first line. */
const encodedWordCharsMax = 64;
/** A longer word cannot be folded and would end in a line that some relays cut. */
const plainWordCharsMax = 70;

const printableAscii = /^[\x20-\x7e]*$/;

/** One header field with its line break, folded at spaces. `value` must be printable ASCII. */
export function headerField(name: string, value: string): string {
  if (name.length + value.length + 2 <= lineCharsPreferred) return `${name}: ${value}\r\n`;
  const [first = '', ...words] = value.match(/ *[^ ]+/g) ?? [''];
  let folded = `${name}: ${first}`;
  let column = folded.length;
  for (const word of words) {
    if (column + word.length > lineCharsPreferred) {
      folded += '\r\n';
      column = 0;
    }
    folded += word;
    column += word.length;
  }
  return `${folded}\r\n`;
}

/** A subject, or any other text for people, in a form for `headerField`. */
export function encodeText(text: string): string {
  const clean = withoutControls(text);
  return isPlain(clean) && wordsAreShort(clean) ? clean : encodeWords(clean);
}

/**
 * The value of a header that programs read: ASCII stays as it is, however long its words are. A `=?` alone may be part
 * of an address on the web; only what a decoder would decode is encoded.
 */
export function encodeValue(text: string): string {
  const clean = withoutControls(text).replace(/^ +/, '').replace(/ +$/, '');
  return printableAscii.test(clean) && !/=\?[^?]*\?[bq]\?/i.test(clean) ? clean : encodeWords(clean);
}

/** The display name of a mailbox: bare words, a quoted string, or encoded words. */
export function encodePhrase(text: string): string {
  const clean = withoutControls(text).trim();
  if (!isPlain(clean) || !wordsAreShort(clean)) return clean === '' ? '' : encodeWords(clean);
  return /^[A-Za-z0-9 _'-]+$/.test(clean) ? clean : `"${clean.replace(/["\\]/g, '\\$&')}"`;
}

function encodeWords(text: string): string {
  const bytes = Buffer.byteLength(text);
  const literal = text.replace(/[^A-Za-z0-9 ]/g, '').length;
  // Readable where that costs nothing, base64 where quoted-printable would be longer.
  const encoding = literal + (bytes - literal) * 3 <= Math.ceil(bytes / 3) * 4 ? 'Q' : 'B';
  return encodeWord(text, encoding, encodedWordCharsMax);
}

/** Readers would turn a control character back into one, and some pass it on: a space stands for it. */
function withoutControls(text: string): string {
  return printableAscii.test(text) ? text : text.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, ' ');
}

/** Plain: survives unfolding and every decoder unchanged, so no space at an edge and no run of spaces. */
function isPlain(text: string): boolean {
  return printableAscii.test(text) && !/^ | $|  |=\?/.test(text);
}

function wordsAreShort(text: string): boolean {
  return text.length <= plainWordCharsMax || text.split(' ').every((word) => word.length <= plainWordCharsMax);
}
