/**
 * The parts of a multipart/form-data body (RFC 7578) as they arrive, for routes that take a file of any size among
 * fields. Nothing is held but the piece at hand.
 */
import { AppError } from '../../errors/app-error.ts';
import { boundaryOf } from './multipart-body.ts';

/** One part. Its bytes are read before the next part is asked for; what is left of them is passed over. */
export interface FormPart {
  name: string;
  /** null: it is a field. */
  fileName: string | null;
  bytes: AsyncIterable<Buffer>;
}

const HEAD_BYTES_MAX = 8_192;
const PARTS_MAX = 50;
const PARAMETER = /;\s*(name|filename)=(?:"((?:[^"\\\r\n]|\\.)*)"|([^\s;"]+))/gi;

/** Throws a validation error for a body that is none, or that ends early. */
export async function* formParts(contentType: string, pieces: AsyncIterable<Buffer>): AsyncGenerator<FormPart> {
  const boundary = boundaryOf(contentType);
  if (boundary === undefined) throw unreadable();
  // A line break before each boundary belongs to it: the first one gets its own.
  const source = new Source(pieces);
  const delimiter = Buffer.from(`\r\n--${boundary}`, 'latin1');
  try {
    await source.passOver(delimiter);
    for (let count = 0; ; count += 1) {
      const line = await source.line();
      if (/^--[ \t]*$/.test(line)) return;
      if (!/^[ \t]*$/.test(line) || count === PARTS_MAX) throw unreadable();
      const head = await readHead(source);
      yield { ...head, bytes: source.upTo(delimiter) };
      await source.passOver(delimiter);
    }
  } finally {
    await source.close();
  }
}

async function readHead(source: Source): Promise<{ name: string; fileName: string | null }> {
  let disposition = '';
  for (let length = 0; ; ) {
    const line = await source.line();
    if (line === '') break;
    length += line.length;
    if (length > HEAD_BYTES_MAX) throw unreadable();
    disposition = /^content-disposition:\s*(form-data\s*;.*)$/i.exec(line)?.[1] ?? disposition;
  }
  const given = new Map<string, string>();
  for (const [, name = '', quoted, plain = ''] of disposition.matchAll(PARAMETER)) {
    given.set(name.toLowerCase(), Buffer.from(quoted ?? plain, 'latin1').toString('utf8'));
  }
  const name = given.get('name');
  if (name === undefined || name === '') throw unreadable();
  return { name, fileName: given.get('filename') ?? null };
}

/** Bytes that have arrived and were not read. */
class Source {
  readonly #pieces: AsyncIterator<Buffer>;
  #held: Buffer = Buffer.from('\r\n');
  #isBehindBoundary = false;

  constructor(pieces: AsyncIterable<Buffer>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }

  /** Reads what is left before the delimiter, if the reader has left anything. */
  async passOver(delimiter: Buffer): Promise<void> {
    if (!this.#isBehindBoundary) for await (const _left of this.upTo(delimiter));
    this.#isBehindBoundary = false;
  }

  async #more(): Promise<void> {
    const next = await this.#pieces.next();
    if (next.done === true) throw unreadable();
    this.#held = Buffer.concat([this.#held, next.value]);
  }

  /** Everything before the delimiter, which is passed over. */
  async *upTo(delimiter: Buffer): AsyncGenerator<Buffer> {
    for (;;) {
      const at = this.#held.indexOf(delimiter);
      const safe = at === -1 ? this.#held.length - delimiter.length + 1 : at;
      if (safe > 0) {
        const ready = this.#held.subarray(0, safe);
        this.#held = this.#held.subarray(safe);
        yield ready;
      }
      if (at !== -1) {
        this.#held = this.#held.subarray(delimiter.length);
        this.#isBehindBoundary = true;
        return;
      }
      await this.#more();
    }
  }

  async line(): Promise<string> {
    for (;;) {
      const at = this.#held.indexOf('\r\n');
      if (at !== -1) {
        const line = this.#held.toString('latin1', 0, at);
        this.#held = this.#held.subarray(at + 2);
        return line;
      }
      if (this.#held.length > HEAD_BYTES_MAX) throw unreadable();
      // The last boundary may be the end of the body.
      if (!/^--[ \t]*\r?$/.test(this.#held.toString('latin1'))) await this.#more();
      else if (await this.#isAtEnd()) return '--';
    }
  }

  async #isAtEnd(): Promise<boolean> {
    const next = await this.#pieces.next();
    if (next.done !== true) this.#held = Buffer.concat([this.#held, next.value]);
    return next.done === true;
  }
}

const unreadable = (): AppError => new AppError('validation_error', 'The form cannot be read, or is not complete.');
