import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';
import { errorAnswer } from './error-envelope.ts';
import { requestIdFor } from './request-id.ts';
import { isStreaming } from './body/streamed-body.ts';

/** A client that does not close is not waited for. */
const LINGER_MS = 1_000;

/** A request that Node's HTTP parser refused never becomes a request: the envelope is written to the socket by hand. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, docsUrl: string): void {
  // Its time is counted by whoever reads it: a large file takes longer than a request may otherwise.
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isStreaming(socket)) return;
  if (socket.writableEnded && !socket.destroyed) return; // answered already: this is the rest of the same request
  const unfinished = answerInHand(socket);
  if (unfinished?.req.complete === true) {
    // The broken bytes came after a good request, which may be doing something: the caller is told of that one first.
    unfinished.once('close', () => answerBrokenRequest(error, socket, docsUrl));
    return;
  }
  if (error.code === 'ECONNRESET' || !socket.writable || unfinished?.headersSent === true) {
    socket.destroy();
    return;
  }
  const { status, reason, message } = refusalOf(error.code);
  const id = requestIdFor(undefined);
  const body = JSON.stringify(errorAnswer(new AppError('request_error', message), id, docsUrl, status).body);
  const head = [
    `HTTP/1.1 ${status} ${reason}`,
    'content-type: application/json; charset=utf-8',
    `x-request-id: ${id}`,
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
  // Not at once: with bytes still coming in, closing resets the connection and the answer may be lost on the way.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** The answer that this connection is waiting for. Node's own handler of such errors looks at the same field. */
const answerInHand = (socket: Socket & { _httpMessage?: ServerResponse | null }): ServerResponse | undefined =>
  socket._httpMessage ?? undefined;

function refusalOf(code: string | undefined): { status: number; reason: string; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, reason: 'Request Header Fields Too Large', message: 'The headers are larger than 16 KB.' };
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return { status: 413, reason: 'Payload Too Large', message: 'The chunk extensions are larger than 16 KB.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time.' };
    default:
      return { status: 400, reason: 'Bad Request', message: 'This is not a valid HTTP request.' };
  }
}
