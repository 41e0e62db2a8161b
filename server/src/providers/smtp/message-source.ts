import { Duplex, Readable, type Writable } from 'node:stream';

const CHUNK_BYTES = 65_536;
const CRLF = Buffer.from('\r\n');
const END_OF_DATA = Buffer.from('.\r\n');

/** Nothing in it has to change on the way. */
const isReady = (mime: Buffer): boolean =>
  // A bare CR before a dot is refused by the byte gate. Some servers would read it as the end of the data.
  mime[0] !== 0x2e && !mime.includes('\n.') && !mime.includes('\r.') && mime.subarray(-2).equals(CRLF);

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
  readonly #socket: () => Writable | undefined;
  #offset = 0;
  /** The end of the data, when it is not for the client to write. */
  #end: Buffer | undefined;

  /**
   * `mime` has passed the byte gate: all of its lines end in CRLF, the last one, too. `mayStart` is asked before the
   * first byte, and names what forbids it. `socket` is the one of the connection.
   */
  constructor(mime: Buffer, mayStart: () => Promise<string | null>, socket: () => Writable | undefined) {
    super({ highWaterMark: CHUNK_BYTES });
    this.#mime = mime;
    this.#mayStart = mayStart;
    this.#socket = socket;
  }

  /**
   * A message in which no line begins with a dot goes to the socket as it is: the client would look at each of its
   * bytes, one tenth of the processor time of an email. When it fits in one write, the end of the data goes with it;
   * apart, it costs another way to the server and back where Nagle's algorithm is on.
   */
  override pipe<T extends NodeJS.WritableStream>(data: T, options?: { end?: boolean }): T {
    const socket = this.#socket();
    if (!(data instanceof Duplex) || socket === undefined || !isReady(this.#mime)) return super.pipe(data, options);
    if (this.#mime.length > CHUNK_BYTES) {
      this.#end = END_OF_DATA;
      super.pipe(socket, { end: false });
      this.once('end', () => data.push(null));
      return data;
    }
    void this.#start(() => {
      this.allSent = true;
      socket.cork();
      data.push(this.#mime);
      data.push(END_OF_DATA);
      data.push(null);
      socket.uncork();
    });
    return data;
  }

  override _read(): void {
    if (this.started) this.#giveNext();
    else void this.#start(() => this.#giveNext());
  }

  async #start(give: () => void): Promise<void> {
    const reason = await this.#mayStart();
    if (reason !== null) this.destroy(new Error(reason));
    if (this.destroyed) return;
    this.started = true;
    give();
  }

  #giveNext(): void {
    const chunk = this.#mime.subarray(this.#offset, this.#offset + CHUNK_BYTES);
    this.#offset += chunk.length;
    const last = this.#offset >= this.#mime.length;
    if (last) this.allSent = true;
    this.push(chunk);
    if (!last) return;
    if (this.#end !== undefined) this.push(this.#end);
    this.push(null);
  }
}
