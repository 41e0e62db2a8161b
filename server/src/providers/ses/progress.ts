import type { Gate } from '../email-provider.ts';

/** An answer of the other side, as it came. */
export interface HttpAnswer {
  status: number;
  headers: Record<string, string>;
  body: Buffer;
}

/**
 * How far one request got, which is what tells "certainly not taken" from "perhaps taken". It belongs to the signal
 * that ends the request: the only thing of ours that the SDK hands through to the one who sends it.
 */
export interface Progress {
  /** On the monotonic clock; a request is not begun later, however long the process stood still. */
  untilMs: number;
  /** Asked before the head of the request, and before the message. */
  readonly gate: Gate | undefined;
  /** The gate said no. */
  withdrawn: boolean;
  /** The SDK had credentials and an address, and asked for the request to be sent. */
  asked: boolean;
  /** One of our connections is its own by now, if only to be opened. */
  hasConnection: boolean;
  /** The first byte of the message was about to be written. From here on only an answer is certain. */
  begun: boolean;
  answer: HttpAnswer | null;
}

const inProgress = new WeakMap<AbortSignal, Progress>();

export function trackProgress(signal: AbortSignal, untilMs: number, gate: Gate | undefined): Progress {
  const progress: Progress = {
    untilMs,
    gate,
    withdrawn: false,
    asked: false,
    hasConnection: false,
    begun: false,
    answer: null,
  };
  inProgress.set(signal, progress);
  return progress;
}

export const progressOf = (signal: AbortSignal | undefined): Progress | undefined =>
  signal === undefined ? undefined : inProgress.get(signal);
