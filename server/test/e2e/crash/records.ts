/**
 * Three accounts of the same run, each written by somebody else: what the client was told, what the mail server got,
 * what the database says. The product is not asked whether it did well.
 */

/** One 2xx answer, written down and synced before the client goes on. */
export interface AcceptedRecord {
  /** The Idempotency-Key of the request. */
  key: string;
  emails: { id: string; recipient: string }[];
}

/** One message at the mail server, written down before it is answered. */
export interface ReceivedRecord {
  emailId: string;
  messageId: string;
  recipient: string;
  /** Milliseconds since the epoch, on the clock of this machine, which is the database's too. */
  at: number;
}

export interface StoredEmail {
  id: string;
  recipient: string;
  status: string;
  /** Null when the wait for an event is over, or there is none. */
  unconfirmedAt: Date | null;
}

export interface StoredAttempt {
  emailId: string;
  outcome: string;
  endedAt: Date;
}

export interface ThreeRecords {
  accepted: readonly AcceptedRecord[];
  received: readonly ReceivedRecord[];
  emails: readonly StoredEmail[];
  attempts: readonly StoredAttempt[];
}
