/**
 * Finds the records of a CSV or JSON Lines file in pieces of its bytes. It says where each record ends, to the byte, so
 * that reading can go on there another time; it holds no more than one record and one piece; and a record that is
 * broken says so and does not take the rest of the file with it.
 *
 * RFC 4180, and what is written in practice: any of CRLF, LF and CR ends a line, and a quotation mark opens a quoted
 * cell only where a cell begins, after any spaces.
 */
import { isUtf8 } from 'node:buffer';

export type RecordFault = 'not_utf8' | 'nul' | 'too_long' | 'unclosed_quote';

export interface FileRecord {
  /** Without the end of its line; '' when it has a fault. */
  text: string;
  hasQuotes: boolean;
  fault: RecordFault | null;
  /** Where it begins, from 1. */
  line: number;
  /** Where the next one begins. */
  endByte: number;
  endLine: number;
}

export interface RecordReaderOptions {
  /** Bytes of one record; what is longer is a fault. */
  recordBytesMax: number;
  /** The separator of cells, one ASCII character; null: lines without quotation marks. */
  delimiter: string | null;
  /** Where the first piece begins in its file. */
  startByte?: number;
  startLine?: number;
}

const [NUL, LF, CR, SPACE, QUOTE] = [0, 10, 13, 32, 34];

export class RecordReader {
  readonly #max: number;
  readonly #delimiter: number | null;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where in `#bytes` the next record begins, and where that is in the file. */
  #at = 0;
  #byte: number;
  #line: number;
  /** The line of a record that is too long: the rest of it is passed over. */
  #skipping: number | null = null;

  constructor(options: RecordReaderOptions) {
    this.#max = options.recordBytesMax;
    this.#delimiter = options.delimiter === null ? null : options.delimiter.charCodeAt(0);
    this.#byte = options.startByte ?? 0;
    this.#line = options.startLine ?? 1;
  }

  /** Gives it the next piece, when `next` has returned undefined. */
  push(piece: Buffer): void {
    this.#bytes = this.#at === this.#bytes.length ? piece : Buffer.concat([this.#bytes.subarray(this.#at), piece]);
    this.#at = 0;
  }

  /** The next record; undefined: it needs another piece, or with `isEnd` there is none. */
  next(isEnd: boolean): FileRecord | undefined {
    if (this.#byte === 0) {
      if (this.#bytes.length < 3 && !isEnd) return undefined;
      if (this.#bytes[0] === 0xef && this.#bytes[1] === 0xbb && this.#bytes[2] === 0xbf) this.#advance(3);
    }
    if (this.#skipping !== null) return this.#passOver(this.#skipping, isEnd);
    if (this.#at === this.#bytes.length) return undefined;
    const found = this.#delimiter === null ? this.#findLine() : this.#findRecord(this.#delimiter);
    const { end, hasQuotes, isQuoted } = found;
    const isWhole = end < this.#bytes.length && (isEnd || !this.#mayGoOn(end));
    if (end - this.#at > this.#max || (isEnd && isQuoted)) return this.#broken(isQuoted, isEnd);
    if (!isWhole && !isEnd) return undefined;
    const slice = this.#bytes.subarray(this.#at, end);
    const fault = slice.includes(NUL) ? 'nul' : isUtf8(slice) ? null : 'not_utf8';
    return this.#take(end, { text: fault === null ? slice.toString('utf8') : '', hasQuotes, fault });
  }

  /** A CR at the very end of what there is: a LF may follow that belongs to it. */
  #mayGoOn(end: number): boolean {
    return this.#bytes[end] === CR && end + 1 === this.#bytes.length;
  }

  #findLine(): { end: number; hasQuotes: boolean; isQuoted: boolean } {
    const bytes = this.#bytes;
    let at = this.#at;
    while (at < bytes.length && bytes[at] !== LF && bytes[at] !== CR) at += 1;
    return { end: at, hasQuotes: false, isQuoted: false };
  }

  #findRecord(delimiter: number): { end: number; hasQuotes: boolean; isQuoted: boolean } {
    const bytes = this.#bytes;
    // One byte more than a record may have tells that it is too long.
    const stop = Math.min(bytes.length, this.#at + this.#max + 1);
    let [isQuoted, isCellStart, hasQuotes] = [false, true, false];
    for (let at = this.#at; at < stop; at += 1) {
      const byte = bytes[at];
      if (isQuoted) {
        if (byte !== QUOTE) continue;
        if (bytes[at + 1] === QUOTE) at += 1;
        else isQuoted = false;
      } else if (byte === LF || byte === CR) return { end: at, hasQuotes, isQuoted };
      else if (byte === QUOTE) {
        if (isCellStart) isQuoted = true;
        hasQuotes = true;
        isCellStart = false;
      } else isCellStart = byte === delimiter || (isCellStart && byte === SPACE);
    }
    return { end: stop, hasQuotes, isQuoted };
  }

  /**
   * Too long, or a quotation mark that is never closed: then the line it stands in is the fault, and the next may be
   * good.
   */
  #broken(isQuoted: boolean, isEnd: boolean): FileRecord | undefined {
    const line = this.#findLine().end;
    if (isQuoted && line - this.#at <= this.#max && line < this.#bytes.length) {
      return this.#take(line, { text: '', hasQuotes: true, fault: 'unclosed_quote' });
    }
    if (isQuoted && isEnd) return this.#take(line, { text: '', hasQuotes: true, fault: 'unclosed_quote' });
    return this.#passOver(this.#line, isEnd);
  }

  #passOver(from: number, isEnd: boolean): FileRecord | undefined {
    const { end } = this.#findLine();
    if (!isEnd && (end === this.#bytes.length || this.#mayGoOn(end))) {
      this.#advance(end - this.#at);
      this.#skipping = from;
      return undefined;
    }
    this.#skipping = null;
    return this.#take(end, { text: '', hasQuotes: false, fault: 'too_long' });
  }

  #take(end: number, found: Pick<FileRecord, 'text' | 'hasQuotes' | 'fault'>): FileRecord {
    const line = this.#line;
    const next = end + (this.#bytes[end] === CR && this.#bytes[end + 1] === LF ? 2 : end < this.#bytes.length ? 1 : 0);
    this.#line += found.hasQuotes ? linesIn(this.#bytes, this.#at, next) : 1;
    this.#advance(next - this.#at);
    return { ...found, line, endByte: this.#byte, endLine: this.#line };
  }

  #advance(bytes: number): void {
    this.#at += bytes;
    this.#byte += bytes;
  }
}

/** Line ends between two places, at least one. */
function linesIn(bytes: Buffer, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at += 1) {
    if (bytes[at] === LF || (bytes[at] === CR && bytes[at + 1] !== LF)) lines += 1;
  }
  return Math.max(1, lines);
}
