import type { ReceivedRecord, StoredAttempt, StoredEmail, ThreeRecords } from './records.ts';

export interface Comparison {
  /** Recipients that a 2xx named. */
  accepted: number;
  /** Messages at the mail server, second copies included. */
  received: number;
  /** Told the client, and neither received nor ended otherwise on record. */
  lost: string[];
  /** Second copies that an `unconfirmed` record, older than the copy, explains. */
  explained: number;
  /** Second copies without one. */
  unexplained: string[];
  /** Still waiting for something at the end. */
  undecided: string[];
  /** Sent twice with unknown outcome: on record, and left to a person. */
  leftUnconfirmed: string[];
  /** Emails in the database that no 2xx told of: a second effect of a key, or one without an answer. */
  untold: string[];
  /** Keys whose 2xx answers do not all name the same emails. */
  changedAnswers: string[];
  /** Messages whose email the database does not know, or that carry another recipient or Message-ID than before. */
  strange: string[];
  /** The most often that one email was handed over. */
  handOffsMax: number;
}

/** The result that every run must have, whatever was done to it. */
export const FLAWLESS = {
  lost: [],
  unexplained: [],
  undecided: [],
  leftUnconfirmed: [],
  untold: [],
  changedAnswers: [],
  strange: [],
} satisfies Partial<Comparison>;

const UNDECIDED = new Set(['pending', 'queued', 'deferred', 'sending']);
const ENDED_OTHERWISE = new Set(['failed', 'cancelled', 'suppressed', 'bounced', 'unconfirmed']);

/** Compares the three accounts; each list names emails (or keys), so that a failure can be followed. */
export function compareRecords({ accepted, received, emails, attempts }: ThreeRecords): Comparison {
  const stored = new Map(emails.map((email) => [email.id, email]));
  const arrivals = Map.groupBy(received, (message) => message.emailId);
  const records = Map.groupBy(attempts, (attempt) => attempt.emailId);
  const told = new Map(accepted.flatMap((answer) => answer.emails.map((email) => [email.id, email.recipient])));

  const unexplained: string[] = [];
  let explained = 0;
  for (const [id, messages] of arrivals) {
    const without = withoutRecord(messages, records.get(id) ?? []);
    explained += messages.length - 1 - without;
    for (let count = 0; count < without; count += 1) unexplained.push(id);
  }
  return {
    accepted: told.size,
    received: received.length,
    lost: [...told.keys()].filter((id) => !arrivals.has(id) && !isOnRecord(stored.get(id))),
    explained,
    unexplained,
    undecided: emails.filter(isUndecided).map((email) => email.id),
    leftUnconfirmed: emails.filter((one) => one.status === 'unconfirmed' && !isUndecided(one)).map((one) => one.id),
    untold: emails.filter((email) => !told.has(email.id)).map((email) => email.id),
    changedAnswers: changedAnswers(accepted),
    strange: received.filter((one) => isStrange(one, stored.get(one.emailId), arrivals)).map((one) => one.emailId),
    handOffsMax: Math.max(0, ...[...arrivals.values()].map((messages) => messages.length)),
  };
}

/** The same as one line to print; lists as their lengths. */
export function tally(comparison: Comparison): string {
  return Object.entries(comparison)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.length : value}`)
    .join(', ');
}

/** An email that waits for an event or for its turn has not been forgotten yet, so it counts as undecided instead. */
const isOnRecord = (email: StoredEmail | undefined): boolean =>
  email !== undefined && (ENDED_OTHERWISE.has(email.status) || UNDECIDED.has(email.status));

const isUndecided = (email: StoredEmail): boolean =>
  UNDECIDED.has(email.status) || (email.status === 'unconfirmed' && email.unconfirmedAt !== null);

/** How many copies after the first had not been put on record before they arrived: the n-th copy needs n records. */
function withoutRecord(messages: readonly ReceivedRecord[], attempts: readonly StoredAttempt[]): number {
  const arrived = messages.map((message) => message.at).sort((a, b) => a - b);
  const doubted = attempts.filter((attempt) => attempt.outcome === 'unconfirmed').map((one) => one.endedAt.getTime());
  return arrived.slice(1).filter((at, index) => doubted.filter((time) => time <= at).length < index + 1).length;
}

function changedAnswers(accepted: ThreeRecords['accepted']): string[] {
  const answers = Map.groupBy(accepted, (answer) => answer.key);
  return [...answers].flatMap(([key, list]) => {
    const named = new Set(list.map((answer) => answer.emails.map((email) => email.id).join(' ')));
    return named.size > 1 ? [key] : [];
  });
}

function isStrange(
  message: ReceivedRecord,
  email: StoredEmail | undefined,
  arrivals: ReadonlyMap<string, readonly ReceivedRecord[]>,
): boolean {
  const [first] = arrivals.get(message.emailId) ?? [];
  return email?.recipient !== message.recipient || first?.messageId !== message.messageId;
}
