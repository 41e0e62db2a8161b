/**
 * Quoted-printable (RFC 2045 §6.7) of a text that comes in pieces. A line ends with a break of the text, or with a soft
 * one, and has at most 76 characters.
 */

/** One column of 76 is left for the `=` of a soft break. */
const CHARS = 75;
const SOFT_BREAK = '=\r\n';

const [TAB, LF, CR, SPACE, EQUALS] = [0x09, 0x0a, 0x0d, 0x20, 0x3d];
const HEX = Buffer.from('0123456789ABCDEF');
/** Bytes that stand for themselves. White space does so only where more of its line follows. */
const isPlain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte === TAB || (byte >= SPACE && byte <= 0x7e && byte !== EQUALS) ? 1 : 0,
);
/** Bytes that are looked at before there is more room: each may become three characters and a soft break. */
const AT_ONCE = 4_096;
const ROOM_BYTES = AT_ONCE * 6;

/** Lines are written one after the other; `take` gives those since the last time, without a copy. */
export class QuotedLines {
  /** A place is never wider. */
  static readonly CHARS = CHARS;
  #bytes: Buffer;
  /** Where the lines since the last `take` begin, and where they end. The bytes before stay as they were taken. */
  #begin = 0;
  #length = 0;
  /** Where places were reserved. */
  #places: number[] = [];
  #column = 0;

  /** `expected` bytes of text: room for them at once spares copies of what was written. */
  constructor(expected = 0) {
    // An eighth for soft breaks and the signs of html that are encoded.
    this.#bytes = Buffer.allocUnsafe(ROOM_BYTES + Math.ceil(expected * 1.125));
  }

  /** Text in UTF-8, or in another charset that has ASCII in it. Line breaks of any kind become CRLF. */
  add(bytes: Buffer): void {
    for (let from = 0; from < bytes.length; from += AT_ONCE) {
      this.#makeRoom(ROOM_BYTES);
      this.#addSome(bytes, from, Math.min(bytes.length, from + AT_ONCE));
    }
  }

  /** A place for as many characters that need no encoding. */
  reserve(chars: number): void {
    if (this.#column + chars > CHARS) this.breakLine();
    this.#places.push(this.#length);
    this.#column += chars;
  }

  /** Goes to the start of a line, unless it is there. */
  breakLine(): void {
    if (this.#column > 0) this.#write(SOFT_BREAK);
  }

  /** The line break that ends a body is none of its text. */
  end(): void {
    this.breakLine();
    this.#write('\r\n');
  }

  /** The text between the places that were reserved: one more than there are. */
  take(): Buffer[] {
    const ends = [...this.#places, this.#length];
    const taken = ends.map((end, index) => this.#bytes.subarray(ends[index - 1] ?? this.#begin, end));
    this.#begin = this.#length;
    this.#places = [];
    return taken;
  }

  #addSome(bytes: Buffer, from: number, to: number): void {
    const out = this.#bytes;
    let length = this.#length;
    let column = this.#column;
    for (let at = from; at < to; at += 1) {
      const byte = bytes[at] ?? 0;
      if (byte === LF || byte === CR) {
        // The LF of a CRLF: the break was written with its CR.
        if (byte === LF && bytes[at - 1] === CR) continue;
        out[length++] = CR;
        out[length++] = LF;
        column = 0;
        continue;
      }
      // White space before a break of the text would be taken off on the way. Before a soft break it is not at the end.
      const isLast = (byte === SPACE || byte === TAB) && (bytes[at + 1] === CR || bytes[at + 1] === LF);
      const chars = isPlain[byte] === 1 && !isLast ? 1 : 3;
      if (column + chars > CHARS) {
        out[length++] = EQUALS;
        out[length++] = CR;
        out[length++] = LF;
        column = 0;
      }
      column += chars;
      if (chars === 1) {
        out[length++] = byte;
        continue;
      }
      out[length++] = EQUALS;
      out[length++] = HEX[byte >> 4] ?? 0;
      out[length++] = HEX[byte & 15] ?? 0;
    }
    this.#length = length;
    this.#column = column;
  }

  #write(lineEnd: string): void {
    this.#makeRoom(lineEnd.length);
    this.#length += this.#bytes.write(lineEnd, this.#length, 'latin1');
    this.#column = 0;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return;
    const untaken = this.#length - this.#begin;
    const larger = Buffer.allocUnsafe(untaken * 2 + Math.max(bytes, ROOM_BYTES));
    this.#bytes.copy(larger, 0, this.#begin, this.#length);
    this.#places = this.#places.map((place) => place - this.#begin);
    this.#bytes = larger;
    this.#begin = 0;
    this.#length = untaken;
  }
}

const PLAIN = /^[\x21-\x3c\x3e-\x7e]+(?: [\x21-\x3c\x3e-\x7e]+)*$/;

/**
 * A piece with lines of its own, which goes on behind them. DKIM signs its lines as they are: no two of its spaces
 * stand beside each other.
 */
export function quotedPiece(text: string): string {
  if (text === '') return '';
  if (text.length <= CHARS && PLAIN.test(text)) return text + SOFT_BREAK;
  const lines = latin1Of(text)
    .replace(/[^\r\n\x20-\x3c\x3e-\x7e]| (?=[\r\t ])/g, quoted)
    .split('\r\n');
  let out = '';
  for (const [index, line] of lines.entries()) {
    if (index > 0) out += '\r\n';
    for (let from = 0; from < line.length; ) {
      const to = endOfLine(line, from, CHARS);
      out += line.slice(from, to);
      from = to;
      if (from < line.length || index === lines.length - 1) out += SOFT_BREAK;
    }
  }
  return out;
}

/** Where a line that begins there and has room for as many characters ends: not within one that is encoded. */
function endOfLine(line: string, from: number, room: number): number {
  const to = Math.min(line.length, from + room);
  if (to === line.length) return to;
  if (line[to - 1] === '=') return Math.max(from, to - 1);
  return line[to - 2] === '=' ? Math.max(from, to - 2) : to;
}

/** With line breaks of any kind as CRLF. */
const withLineBreaks = (text: string): string => (/[\r\n]/.test(text) ? text.replace(/\r\n|\r|\n/g, '\r\n') : text);

/** In UTF-8, with line breaks of any kind as CRLF. */
export const textBytes = (text: string): Buffer => Buffer.from(withLineBreaks(text));

/** The same of bytes in a charset that has ASCII in it. */
export const bytesWithLineBreaks = (bytes: Buffer): Buffer =>
  Buffer.from(withLineBreaks(bytes.toString('latin1')), 'latin1');

const ASCII = /^[\x00-\x7f]*$/;

/** Its bytes as characters, with line breaks of any kind as CRLF. */
function latin1Of(text: string): string {
  const lines = withLineBreaks(text);
  return ASCII.test(lines) ? lines : Buffer.from(lines).toString('latin1');
}

const quoted = (sign: string): string => `=${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
