import type { IncomingHttpHeaders } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Dispatcher } from 'undici';
import { TimeIsUp } from './failure-reasons.ts';

/** The bytes and the time of one exchange. */
export interface Limits {
  bodyBytesMax: number;
  isTimeUp(): boolean;
}

export interface Received {
  status: number;
  statusText: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Buffer;
  truncated: boolean;
}

export interface Exchange {
  answer: Promise<Received>;
  /** Resolves when nothing of it is left, which for one that was given up may be later than its answer. */
  over: Promise<void>;
  /** Gives up: the answer rejects with `reason`, and the socket is not used again. */
  abort(reason: Error): void;
  /** The current step. */
  stage(): 'connecting' | 'waiting for the answer' | 'reading the answer';
}

/**
 * One request and its answer on a connection of `dispatcher`. No byte of it is sent when time is up. A body longer than
 * `bodyBytesMax` ends there: the bytes that came are given, and the connection is closed rather than read to its end.
 * Bodies are given as sent, never decompressed.
 */
export function exchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, limits: Limits): Exchange {
  const reader = new AnswerReader(limits);
  dispatcher.dispatch(options, reader);
  return {
    answer: reader.answer.promise,
    over: reader.over.promise,
    abort: (reason) => reader.abort(reason),
    stage: () => reader.stage(),
  };
}

class AnswerReader implements Dispatcher.DispatchHandler {
  readonly answer = Promise.withResolvers<Received>();
  readonly over = Promise.withResolvers<void>();
  readonly #limits: Limits;
  #controller: Dispatcher.DispatchController | undefined;
  #failure: Error | undefined;
  #start: Omit<Received, 'body' | 'truncated'> | undefined;
  readonly #chunks: Buffer[] = [];
  #bodyBytes = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  abort(reason: Error): void {
    this.#failure ??= reason;
    this.answer.reject(this.#failure);
    this.#controller?.abort(this.#failure);
  }

  stage(): ReturnType<Exchange['stage']> {
    if (this.#start !== undefined) return 'reading the answer';
    return this.#controller === undefined ? 'connecting' : 'waiting for the answer';
  }

  onRequestStart(own: Dispatcher.DispatchController): void {
    // Given up while it waited for a connection, or too late: nothing is sent. A process that stood still comes here
    // before it hears of its timers, and the dispatcher writes to a kept connection one turn of the loop later.
    if (this.#limits.isTimeUp()) this.abort(new TimeIsUp());
    if (this.#failure === undefined) this.#controller = own;
    else own.abort(this.#failure);
  }

  onRequestUpgrade(
    _own: Dispatcher.DispatchController,
    _status: number,
    _headers: IncomingHttpHeaders,
    socket: Duplex,
  ): void {
    socket.destroy();
    this.over.resolve();
    this.answer.reject(new Error('the server changed the protocol'));
  }

  onResponseStart(
    _own: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
    statusText = '',
  ): void {
    // A status of 1xx announces an answer and is none.
    if (status >= 200) this.#start = { status, statusText, headers };
  }

  onResponseData(own: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = this.#limits.bodyBytesMax - this.#bodyBytes;
    this.#bodyBytes += chunk.length;
    // Copied, because a chunk may be a small part of a large read.
    if (room > 0) this.#chunks.push(Buffer.from(chunk.subarray(0, room)));
    if (chunk.length <= room) return;
    this.#finish(true);
    own.abort(new Error('the answer is longer than what is read'));
  }

  onResponseEnd(): void {
    this.#finish(false);
    this.over.resolve();
  }

  onResponseError(_own: Dispatcher.DispatchController, error: Error): void {
    this.answer.reject(error);
    this.over.resolve();
  }

  #finish(truncated: boolean): void {
    if (this.#start !== undefined)
      this.answer.resolve({ ...this.#start, body: Buffer.concat(this.#chunks), truncated });
  }
}
