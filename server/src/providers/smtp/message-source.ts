import { Readable } from 'node:stream';

const CHUNK_BYTES = 65_536;

/**
 * The bytes of one message on their way into a connection. It remembers how far they got, which is what tells
 * "certainly not taken" from "perhaps taken": a server can only take a message whose last byte it has seen.
 */
export class MessageSource extends Readable {
  /** The server has asked for the message (354) and bytes went out. */
  started = false;
  /** The last byte has been handed to the connection; whether it reached the server only a reply can tell. */
  allSent = false;
  readonly #mime: Buffer;
  readonly #mayStart: () => boolean;
  #offset = 0;

  /** `mayStart` is asked at the last moment before the first byte: a process that was frozen must not begin late. */
  constructor(mime: Buffer, mayStart: () => boolean) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#mime = mime;
    this.#mayStart = mayStart;
  }

  override _read(): void {
    if (!this.started && !this.#mayStart()) {
      this.destroy(new Error('the deadline passed before the message began'));
      return;
    }
    this.started = true;
    const chunk = this.#mime.subarray(this.#offset, this.#offset + CHUNK_BYTES);
    this.#offset += chunk.length;
    const last = this.#offset >= this.#mime.length;
    if (last) this.allSent = true;
    this.push(chunk);
    if (last) this.push(null);
  }
}
