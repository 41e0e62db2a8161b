import type { HeldBody } from '../http/body/body-budget.ts';
import type { Refusal } from './submission-connection.ts';

/** The other side of a session. */
export interface SubmissionPeer {
  /** Of the session. */
  readonly id: string;
  readonly address: string;
  /** Such as TLSv1.3; null: without encryption. */
  readonly tls: string | null;
  /** The name in its EHLO. */
  readonly clientName: string | null;
}

export interface SubmittedMessage {
  /** Bare address; empty for the null sender. */
  from: string;
  to: readonly string[];
  /** As it came, without the dots of the transfer. */
  bytes: Buffer;
}

/** The decisions about a session. Each of them throws an SmtpReply to refuse; anything else is answered 451. */
export interface SubmissionRules<User> {
  signIn(peer: SubmissionPeer, password: string): Promise<User>;
  checkSender(user: User, peer: SubmissionPeer, address: string): Promise<void>;
  checkRecipient(address: string): void;
  /** Room for the bytes of a message; undefined: none now. */
  hold(user: User, bytes: number): HeldBody | undefined;
  /** Takes responsibility. The text is that of the 250. */
  accept(user: User, peer: SubmissionPeer, message: SubmittedMessage): Promise<string>;
  /** Sees every refusal of a client that has signed in. */
  onRefusal(user: User, peer: SubmissionPeer, refusal: Refusal): void;
  /** Told of every session, whether or not somebody has signed in. */
  onEnded(peer: SubmissionPeer): void;
}

export interface SubmissionLimits {
  messageBytes: number;
  recipients: number;
  sessions: number;
  /** Of one IP address (IPv6: of one /64). */
  sessionsOfPeer: number;
  /** Wrong passwords in one session before it is ended. */
  wrongPasswords: number;
  /** Refused commands in one session, since its last message, before it is ended. */
  refusals: number;
  /** Commands in one session, since its last message, before it is ended. */
  commands: number;
  /** From the connection to the password. */
  signInMs: number;
  /** From the password, and from each message, to the end of the next message. */
  messageMs: number;
  /** Nothing received and nothing to answer. */
  idleMs: number;
  /** How long a trusted proxy may take to begin its header. */
  proxyHeaderMs: number;
  /** The time that messages in hand get to finish when it stops. */
  finishMs: number;
}
