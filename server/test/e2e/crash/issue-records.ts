import type { ReceivedRecord } from './records.ts';

/** The API's answer about an issue at one moment. */
export interface IssueAnswer {
  status: string;
  stats: IssueStats;
}

/** The numbers of an issue's `stats`, as far as they are compared. */
export type IssueStats = Record<
  | 'total'
  | 'pending'
  | 'sent'
  | 'failed'
  | 'waiting'
  | 'queued'
  | 'sending'
  | 'unconfirmed'
  | 'suppressed'
  | 'cancelled',
  number
>;

/** One email of an issue as the database has it in the end. */
export interface IssueEmail {
  id: string;
  recipient: string;
  status: string;
  error: string | null;
  /** The claim that led to its last hand-off; null when it was never claimed. */
  handoffAt: Date | null;
}

/** The accounts of one issue: who was to get it, what the mail server got, what the database and the API say. */
export interface IssueRecords {
  /** In the order of the list, which is the order of the freeze. */
  people: readonly string[];
  received: readonly ReceivedRecord[];
  emails: readonly IssueEmail[];
  /** Every answer that was read while it was sent, in order; the last one when all was quiet. */
  answers: readonly IssueAnswer[];
}

/** The database's notes in the transaction of a cancel, before it counted and after it. */
export interface CancelWitness {
  /** Emails queued, deferred or being handed over, when the send was held. */
  before: readonly string[];
  /** How many of them still were when the issue was marked. */
  afterCount: number;
  at: Date;
}

export interface CancelRecords extends IssueRecords {
  alreadyQueued: number;
  /** When the answer was there, in milliseconds since the epoch. */
  answeredAt: number;
  /** undefined: it was cancelled without a send to stop. */
  witness: CancelWitness | undefined;
}

/** Somebody who left, or whose address was suppressed, while the issue was sent. */
export interface Departure {
  recipient: string;
  kind: string;
  /** When the answer was there, in milliseconds since the epoch. */
  answeredAt: number;
}
