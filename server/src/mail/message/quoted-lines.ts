/**
 * Quoted-printable (RFC 2045 §6.7) of a text that comes in pieces. A line ends with a break of the text, or with a soft
 * one, and has at most 76 characters.
 */

/** One column of 76 is left for the `=` of a soft break. */
const CHARS = 75;
const SOFT_BREAK = '=\r\n';

/** Lines are written one after the other; `take` gives those since the last time. */
export class QuotedLines {
  /** A place is never wider. */
  static readonly CHARS = CHARS;
  #parts: string[] = [''];
  #column = 0;

  add(text: string): void {
    // White space before a break of the text would be taken off on the way. Before a soft break it is not at the end.
    const lines = latin1Of(text)
      .replace(/[^\t\r\n\x20-\x3c\x3e-\x7e]|[\t ](?=\r\n)/g, quoted)
      .split('\r\n');
    for (const [index, line] of lines.entries()) {
      if (index > 0) this.#write('\r\n', 0);
      this.#addWrapped(line);
    }
  }

  /** A place for as many characters that need no encoding. */
  reserve(chars: number): void {
    if (this.#column + chars > CHARS) this.breakLine();
    this.#parts.push('');
    this.#column += chars;
  }

  /** Goes to the start of a line, unless it is there. */
  breakLine(): void {
    if (this.#column > 0) this.#write(SOFT_BREAK, 0);
  }

  /** The line break that ends a body is none of its text. */
  end(): void {
    this.breakLine();
    this.#write('\r\n', 0);
  }

  /** The text between the places that were reserved: one more than there are. */
  take(): string[] {
    const taken = this.#parts;
    this.#parts = [''];
    return taken;
  }

  #addWrapped(line: string): void {
    for (let from = 0; from < line.length; ) {
      const to = endOfLine(line, from, CHARS - this.#column);
      if (to === from) {
        this.breakLine();
        continue;
      }
      this.#write(line.slice(from, to), this.#column + to - from);
      from = to;
    }
  }

  #write(text: string, column: number): void {
    this.#parts[this.#parts.length - 1] += text;
    this.#column = column;
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

const ASCII = /^[\x00-\x7f]*$/;

/** Its bytes as characters, with line breaks of any kind as CRLF. */
function latin1Of(text: string): string {
  const lines = /[\r\n]/.test(text) ? text.replace(/\r\n|\r|\n/g, '\r\n') : text;
  return ASCII.test(lines) ? lines : Buffer.from(lines).toString('latin1');
}

const quoted = (sign: string): string => `=${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
