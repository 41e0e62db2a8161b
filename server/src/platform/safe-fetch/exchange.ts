import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';

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
 * One request and its answer on a connection of `dispatcher`. A body longer than `bodyBytesMax` ends there: what came
 * is given, and the connection is closed rather than read to its end. Bodies are given as sent, never decompressed.
 */
export function exchange(dispatcher: Dispatcher, options: Dispatcher.DispatchOptions, bodyBytesMax: number): Exchange {
  const { promise, resolve, reject } = Promise.withResolvers<Received>();
  const over = Promise.withResolvers<void>();
  let controller: Dispatcher.DispatchController | undefined;
  let failure: Error | undefined;
  let start: Omit<Received, 'body' | 'truncated'> | undefined;
  const chunks: Buffer[] = [];
  let bodyBytes = 0;

  const finish = (truncated: boolean): void => {
    if (start !== undefined) resolve({ ...start, body: Buffer.concat(chunks), truncated });
  };
  const abort = (reason: Error): void => {
    failure ??= reason;
    reject(failure);
    controller?.abort(failure);
  };

  const handler: Dispatcher.DispatchHandler = {
    onRequestStart(own) {
      controller = own;
      // Given up while it waited for a connection: nothing is sent.
      if (failure !== undefined) own.abort(failure);
    },
    onRequestUpgrade(_own, _status, _headers, socket) {
      socket.destroy();
      over.resolve();
      reject(new Error('the server changed the protocol'));
    },
    onResponseStart(_own, status, headers: IncomingHttpHeaders, statusText = '') {
      // 1xx announces an answer and is none.
      if (status >= 200) start = { status, statusText, headers };
    },
    onResponseData(own, chunk) {
      const room = bodyBytesMax - bodyBytes;
      bodyBytes += chunk.length;
      // Copied, because a chunk may be a small part of a large read.
      if (room > 0) chunks.push(Buffer.from(chunk.subarray(0, room)));
      if (chunk.length <= room) return;
      finish(true);
      own.abort(new Error('the answer is longer than what is read'));
    },
    onResponseEnd() {
      finish(false);
      over.resolve();
    },
    onResponseError(_own, error) {
      reject(error);
      over.resolve();
    },
  };
  dispatcher.dispatch(options, handler);

  return {
    answer: promise,
    over: over.promise,
    abort,
    stage() {
      if (start !== undefined) return 'reading the answer';
      return controller === undefined ? 'connecting' : 'waiting for the answer';
    },
  };
}
