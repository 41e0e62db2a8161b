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
  readonly #mayStart: () => Promise<string | null>;
  #offset = 0;

  /** `mayStart` is asked before the first byte, and names what forbids it. */
  constructor(mime: Buffer, mayStart: () => Promise<string | null>) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#mime = mime;
    this.#mayStart = mayStart;
  }

  override _read(): void {
    if (this.started) return this.#giveNext();
    void this.#mayStart().then((reason) => {
      if (reason !== null) this.destroy(new Error(reason));
      if (this.destroyed) return;
      this.started = true;
      this.#giveNext();
    });
  }

  #giveNext(): void {
    const chunk = this.#mime.subarray(this.#offset, this.#offset + CHUNK_BYTES);
    this.#offset += chunk.length;
    const last = this.#offset >= this.#mime.length;
    if (last) this.allSent = true;
    this.push(chunk);
    if (last) this.push(null);
  }
}
