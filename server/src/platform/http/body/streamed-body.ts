/**
 * The bytes of a request as they come, for routes that take more than anybody should hold in memory. Nothing is read
 * ahead of the reader: while it writes a piece away, the sender waits.
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors/app-error.ts';
import { HttpError } from '../http-error.ts';

/** The result of a streamed body. */
export interface Received<V = unknown> {
  /** The handler's `body`. */
  value: V;
  /** Tells two bodies apart, for Idempotency-Key: a hash of the bytes. */
  fingerprint: string;
  /** Undoes `receive`: the handler failed, or the request was a repetition. */
  discard(): Promise<void>;
}

export interface StreamBounds {
  bytesMax: number;
  /** Nothing arrives. */
  silenceMs: number;
  /** Slower than this on the whole, after the first `graceMs`. Only time spent waiting for the sender counts. */
  bytesPerSecondMin: number;
  graceMs: number;
}

/** A body that is under way. */
export interface Incoming {
  /** Ends it: its reader gets this error in place of the next piece. */
  stop(error: Error): void;
  /** Bytes that have come, and the time that was spent waiting for them. */
  progress(): { bytes: number; waitedMs: number };
  /** Its sender has hung up. */
  isGone(): boolean;
}

export type StreamedPieces = AsyncGenerator<Buffer> & Incoming;

/** When a route says nothing else. */
export const STREAM_BYTES_MAX = 64 * 1_048_576;

/** 8 KB/s is a bad mobile network; slower than that is somebody who only wants to hold the socket. */
export const STREAM_BOUNDS = { silenceMs: 20_000, bytesPerSecondMin: 8_192, graceMs: 20_000 };

/** Sockets whose request is bounded here, not by the time that a request may take otherwise. */
const streaming = new WeakSet<Socket>();

/** True: a request of this socket is being read by `streamedBody`, which has limits of its own. */
export const isStreaming = (socket: Socket): boolean => streaming.has(socket);

/**
 * The pieces of a body. Throws 413 beyond `bytesMax`, 408 when the sender is silent or too slow, and a validation error
 * when it went away before the end. Stopping early leaves the socket open, so that there can be an answer.
 */
export function streamedBody(request: IncomingMessage, bounds: StreamBounds, clock: Clock): StreamedPieces {
  const state: State = { bytes: 0, waitedMs: 0 };
  return Object.assign(piecesOf(request, bounds, clock, state), {
    stop: (error: Error) => endWith(state, error),
    isGone: () => request.destroyed || request.socket.destroyed,
    progress: () => ({
      bytes: state.bytes,
      waitedMs: state.waitedMs + (state.sinceMs === undefined ? 0 : clock.monotonicMs() - state.sinceMs),
    }),
  });
}

interface State {
  bytes: number;
  waitedMs: number;
  /** A piece is waited for since then. */
  sinceMs?: number | undefined;
  failure?: Error;
  // Not a promise to race with: it would keep every piece that ever won against it, the whole body, until it is
  // settled.
  giveUp?: (error: Error) => void;
}

function endWith(state: State, error: Error): void {
  state.failure ??= error;
  state.giveUp?.(error);
}

async function* piecesOf(
  request: IncomingMessage,
  bounds: StreamBounds,
  clock: Clock,
  state: State,
): AsyncGenerator<Buffer> {
  const pieces = request.iterator({ destroyOnReturn: false });
  const end = (error: Error): void => endWith(state, error);
  const goneAway = (): void => end(new AppError('validation_error', 'The body is not complete.'));
  request.once('close', () => (request.complete || request.readableEnded ? undefined : goneAway()));
  streaming.add(request.socket);
  try {
    for (;;) {
      const sinceMs = clock.monotonicMs();
      state.sinceMs = sinceMs;
      const allowedMs = bounds.graceMs + (state.bytes / bounds.bytesPerSecondMin) * 1_000 - state.waitedMs;
      const timer = clock.timer(Math.max(0, Math.min(bounds.silenceMs, allowedMs)), () =>
        end(new HttpError(408, 'The body arrives too slowly.')),
      );
      const next = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
        state.giveUp = reject;
        if (state.failure === undefined) pieces.next().then(resolve, reject);
        else reject(state.failure);
      }).finally(() => timer.cancel());
      state.waitedMs += clock.monotonicMs() - sinceMs;
      state.sinceMs = undefined;
      if (next.done === true) return;
      // No encoding was set, so a request gives nothing else.
      const piece = next.value as Buffer;
      state.bytes += piece.length;
      if (state.bytes > bounds.bytesMax) throw new HttpError(413, `The body is larger than ${bounds.bytesMax} bytes.`);
      yield piece;
    }
  } finally {
    streaming.delete(request.socket);
    void pieces.return?.(); // not waited for: a piece that never comes would never let it
  }
}
