import { Socket } from 'node:net';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../clock.ts';

/** How long, and how much, a client that was refused may go on sending. */
const DROP_MS = 5_000;
const DROP_BYTES_MAX = 64 * 1_048_576;

/**
 * For an answer that comes before its request has arrived whole. The answer is sent at once, and the rest is read and
 * dropped for a moment before the connection closes: closed with bytes unread it would be reset, and a client that
 * sends everything before it reads would see a broken pipe in place of the answer.
 */
export function dropRest(request: FastifyRequest, reply: FastifyReply, clock: Clock): void {
  const { raw } = request;
  const { socket } = raw;
  // `complete` is not there in a request that came over no socket.
  if (raw.complete !== false || raw.destroyed || !(socket instanceof Socket)) return;
  reply.header('connection', 'close');
  const startedAt = socket.bytesRead;
  const timer = clock.timer(DROP_MS, () => socket.destroy());
  const stop = (): void => {
    timer.cancel();
    socket.destroy();
  };
  // Node calls this once the answer is written, and means to close then.
  socket.destroySoon = () => {
    socket.end();
    if (raw.complete) stop();
    else raw.once('end', stop);
  };
  socket.once('close', () => timer.cancel());
  raw.on('data', () => {
    if (socket.bytesRead - startedAt > DROP_BYTES_MAX) stop();
  });
  raw.unpipe();
  raw.resume();
}
