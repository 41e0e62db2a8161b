/**
 * The contract between the engine and whoever carries mail out of the house. `email-provider.conformance.ts` holds the
 * tests that every implementation passes.
 */

/** One finished message for one transaction with the provider. Nothing in it is changed on the way. */
export interface OutgoingMessage {
  workspaceId: string;
  emailId: string;
  /** With angle brackets; stable over every attempt, so that a second copy is recognisable. */
  messageId: string;
  /** Bare addresses; `to` holds at least one and at most 50. */
  envelope: { from: string; to: string[] };
  /** Complete, signed, CRLF line ends, ends in CRLF. A provider sends exactly these bytes and never logs them. */
  mime: Buffer;
  /** For people who look at kept mail; the header in `mime` is what counts. */
  subject: string;
  /** Mail of the system itself (password resets, invitations): its links sign people in. */
  system: boolean;
  /** The region of the provider that knows the sending domain; left out: any. A provider without regions ignores it. */
  region?: string | undefined;
}

/**
 * What is known after one hand-off. When in doubt between two verdicts an implementation picks the later one of this
 * list: calling an accepted message `temporary` would send it twice, calling a lost one `accepted` would lose it.
 *
 * - `accepted`: the provider has answered that it took the message over. `response` is its answer. Recipients it
 *   refused by name while taking the others are listed; the message is not offered to them again.
 * - `refused`: the provider has answered that it will never take *this message*. It is not offered again. Trouble that
 *   would meet every message (credentials, TLS, a server that refuses service) is never `refused`: it is the
 *   operator's to mend, and no email may be marked failed for it.
 * - `temporary`: the provider certainly did not take the message, and may later. `throttled` says that we are too
 *   fast: the engine slows down and does not count the attempt. `retryAfterSeconds` when the provider named a wait.
 *   `everyMessage` says that the trouble would meet every message until the operator mends it (a suspended account, a
 *   missing configuration set): the engine pauses and does not count the attempt. Codes 401 and 403 say so too.
 * - `unknown`: the last byte of the message may have reached the provider, and no answer came back that says what
 *   happened. Offering it again may deliver it twice, so the engine records that before it does.
 * - `not-begun`: the gate said no, or its moment had passed, or no connection came free to ask it. The message
 *   certainly was not taken. It is nobody's attempt.
 */
export type Verdict =
  | {
      kind: 'accepted';
      providerMessageId: string | null;
      response: string;
      refusedRecipients?: { address: string; response: string }[];
    }
  | { kind: 'refused'; response: string; code: number | null }
  | {
      kind: 'temporary';
      response: string;
      code: number | null;
      throttled: boolean;
      retryAfterSeconds?: number;
      everyMessage?: boolean;
    }
  | { kind: 'unknown'; response: string }
  | { kind: 'not-begun'; response: string };

/** A verdict on a message that was offered. */
export type Answer = Exclude<Verdict, { kind: 'not-begun' }>;

/** The words of the engine in the hand-off of one message. Neither call rejects. */
export interface Gate {
  /**
   * Asked with a connection in hand, right before the first byte of the transaction (MAIL FROM, the head of the
   * request). Resolves, when the moment of the message has come, to the moment on the monotonic clock by which the
   * answer must be there; a provider looks at the clock after it, since the process may have stood still. Null: the
   * transaction must not begin. Asked again when a transaction begins anew because its connection was dead.
   */
  mayBegin(): Promise<number | null>;
  /**
   * Asked right after that first byte. Resolves to true when the beginning is on record: from then on a crash leaves an
   * outcome that nobody knows. Until then, and after false, no byte of the message itself goes out.
   */
  isOnRecord(): Promise<boolean>;
}

export interface EmailProvider {
  readonly name: string;

  /** The most messages that it carries at once. The engine has no more in hand when the other side stands still. */
  readonly capacity: number;

  /**
   * Makes the provider ready. It does not need the other side to be there: a process starts while its mail server is
   * down, and `send` says so. Twice is once; after `stop` it makes the provider ready again.
   */
  start(): Promise<void>;

  /**
   * Takes no more messages (`send` answers `temporary`), answers those that wait for a connection with `temporary`,
   * lets those on their way come to their own end (each has its deadline), then frees everything. Before `start`,
   * and twice, it does nothing.
   */
  stop(): Promise<void>;

  /**
   * Hands one message over. May be called any number of times at once, for any workspace; an implementation queues
   * what it cannot carry at the moment. With a `gate` it asks before the transaction, and before the message, so that a
   * crash in here is on record exactly when the message may have been taken.
   *
   * It never rejects and never throws: whatever happens is one of the verdicts. It answers by `deadlineMs` (from the
   * call, on the monotonic clock; once the gate has opened, by what the gate said), which the caller derives from its
   * lease: at the deadline the transaction is torn
   * down (socket destroyed, nothing more is written) and the verdict is `temporary` when the last byte of the message
   * had certainly not gone out, else `unknown`. An implementation tries the message once; it may repeat it by itself
   * only while certain that no byte of it was taken, as on a kept connection that turns out to be dead.
   */
  send(message: OutgoingMessage, options: { deadlineMs: number; gate?: Gate }): Promise<Verdict>;
}
