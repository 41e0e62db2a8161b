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
  readonly untilMs: number;
  /** The SDK had credentials and an address, and asked for the request to be sent. */
  asked: boolean;
  /** The first byte was about to be written to an open connection. From here on only an answer is certain. */
  begun: boolean;
  answer: HttpAnswer | null;
}

const inProgress = new WeakMap<AbortSignal, Progress>();

export function trackProgress(signal: AbortSignal, untilMs: number): Progress {
  const progress: Progress = { untilMs, asked: false, begun: false, answer: null };
  inProgress.set(signal, progress);
  return progress;
}

export const progressOf = (signal: AbortSignal | undefined): Progress | undefined =>
  signal === undefined ? undefined : inProgress.get(signal);
