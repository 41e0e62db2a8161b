import type { Socket } from 'node:net';
import { AppError } from '../errors/app-error.ts';
import { errorAnswer } from './error-envelope.ts';
import { requestIdFor } from './request-id.ts';

/** What Node's HTTP parser refused never becomes a request: the envelope is written to the socket by hand. */
export function answerBrokenRequest(error: NodeJS.ErrnoException, socket: Socket, docsUrl: string): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
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
}

function refusalOf(code: string | undefined): { status: number; reason: string; message: string } {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { status: 431, reason: 'Request Header Fields Too Large', message: 'The headers are larger than 16 KB.' };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { status: 408, reason: 'Request Timeout', message: 'The request did not arrive in time.' };
    default:
      return { status: 400, reason: 'Bad Request', message: 'This is not a valid HTTP request.' };
  }
}
