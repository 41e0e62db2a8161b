import type { CancelRecords, Departure, IssueAnswer, IssueEmail, IssueRecords } from './issue-records.ts';
import type { ReceivedRecord } from './records.ts';

export interface IssueComparison {
  people: number;
  /** Messages at the mail server. */
  received: number;
  /** On the list, and not frozen: of a cancelled issue those that the freeze had not come to. */
  notFrozen: string[];
  /** Not frozen, and somebody behind them on the list was: the freeze goes through the list in its order. */
  passedOver: string[];
  frozenTwice: string[];
  /** More than one message. */
  receivedTwice: string[];
  /** Frozen, not received, and not unconfirmed, suppressed or cancelled on record either. */
  lost: string[];
  /** Said to be suppressed or cancelled, and received. */
  stoppedAndReceived: string[];
  /** Received by somebody who was not on the list, or by another address than the email's. */
  strange: string[];
  /** Neither sent nor ended. */
  undecided: string[];
  /** A hand-off that a kill cut off: on record, never repeated. */
  unconfirmed: number;
  suppressed: number;
  cancelled: number;
  /** Answers in which total = pending + sent + failed did not hold, or a total that went back. */
  falseAnswers: IssueAnswer[];
  /** Statistics of the last answer that the rows do not add up to. */
  falseStats: string[];
  status: string;
}

/** The result that every issue must have, whatever was done to it; `notFrozen` besides, when it was not cancelled. */
export const ISSUE_FLAWLESS = {
  frozenTwice: [],
  receivedTwice: [],
  lost: [],
  stoppedAndReceived: [],
  strange: [],
  undecided: [],
  falseAnswers: [],
  falseStats: [],
} satisfies Partial<IssueComparison>;

const UNDECIDED = new Set(['pending', 'queued', 'deferred', 'sending']);
const STOPPED = new Set(['suppressed', 'cancelled']);
const SENT = new Set(['sent', 'delivery_delayed', 'delivered', 'bounced', 'complained']);

/** Compares the accounts of one issue; each list names addresses, so that a failure can be followed. */
export function compareIssue({ people, received, emails, answers }: IssueRecords): IssueComparison {
  const frozen = Map.groupBy(emails, (email) => email.recipient);
  const arrivals = Map.groupBy(received, (message) => message.emailId);
  const list = new Set(people);
  const status = (wanted: string): number => emails.filter((email) => email.status === wanted).length;
  return {
    people: people.length,
    received: received.length,
    notFrozen: people.filter((person) => !frozen.has(person)),
    passedOver: people
      .slice(0, people.findLastIndex((person) => frozen.has(person)) + 1)
      .filter((person) => !frozen.has(person)),
    frozenTwice: [...frozen].filter(([, rows]) => rows.length > 1).map(([recipient]) => recipient),
    receivedTwice: [...Map.groupBy(received, (one) => one.recipient)].filter(([, all]) => all.length > 1).map(first),
    lost: emails.filter((email) => !arrivals.has(email.id) && isLost(email)).map((email) => email.recipient),
    stoppedAndReceived: emails
      .filter((one) => STOPPED.has(one.status) && arrivals.has(one.id))
      .map((one) => one.recipient),
    strange: strangers(list, emails, received),
    undecided: emails.filter((email) => UNDECIDED.has(email.status)).map((email) => email.recipient),
    unconfirmed: status('unconfirmed'),
    suppressed: status('suppressed'),
    cancelled: status('cancelled'),
    falseAnswers: answers.filter((answer, at) => !addsUp(answer) || goesBack(answers[at - 1], answer)),
    falseStats: falseStats(answers.at(-1), emails),
    status: answers.at(-1)?.status ?? 'unknown',
  };
}

const first = <T>([one]: [T, unknown]): T => one;

const isLost = (email: IssueEmail): boolean =>
  !UNDECIDED.has(email.status) && !STOPPED.has(email.status) && email.status !== 'unconfirmed';

function strangers(
  list: ReadonlySet<string>,
  emails: readonly IssueEmail[],
  received: readonly ReceivedRecord[],
): string[] {
  const recipients = new Map(emails.map((email) => [email.id, email.recipient]));
  const isStrange = (one: ReceivedRecord): boolean =>
    !list.has(one.recipient) || recipients.get(one.emailId) !== one.recipient;
  return received.filter(isStrange).map((one) => one.recipient);
}

const addsUp = ({ stats }: IssueAnswer): boolean =>
  stats.total === stats.pending + stats.sent + stats.failed &&
  stats.pending === stats.waiting + stats.queued + stats.sending + stats.unconfirmed;

const goesBack = (before: IssueAnswer | undefined, { stats }: IssueAnswer): boolean =>
  before !== undefined && (stats.total < before.stats.total || stats.sent < before.stats.sent);

function falseStats(last: IssueAnswer | undefined, emails: readonly IssueEmail[]): string[] {
  const count = (isOf: (status: string) => boolean): number => emails.filter((email) => isOf(email.status)).length;
  const recounted = {
    total: emails.length,
    sent: count((status) => SENT.has(status)),
    failed: count((status) => STOPPED.has(status) || status === 'failed'),
    unconfirmed: count((status) => status === 'unconfirmed'),
    suppressed: count((status) => status === 'suppressed'),
    cancelled: count((status) => status === 'cancelled'),
  };
  return Object.entries(recounted)
    .filter(([name, value]) => last?.stats[name as keyof typeof recounted] !== value) // the names are those above
    .map(([name, value]) => `${name}: ${last?.stats[name as keyof typeof recounted]}, not ${value}`); // as above
}

export interface CancelComparison extends IssueComparison {
  alreadyQueued: number;
  /** Of those that were under way at the cancel: handed over, and on record as not. */
  handedOver: number;
  stoppedLater: number;
  /** How far the answer is from what was under way when it was counted. */
  answerOff: number;
  /**
   * How many more or fewer were handed over than the answer said, minus what is on record as suppressed or
   * unconfirmed.
   */
  handOversOff: number;
  /** Claimed or received after the cancel, without having been under way at it. */
  queuedAfter: string[];
  /** Under way at the cancel, neither received nor on record as suppressed or unconfirmed. */
  unaccounted: string[];
  /** Messages that arrived when the answer was there. */
  receivedAfter: number;
  /** How many more these are than it said. Neither product nor witness is asked for this. */
  beyondAnswer: number;
}

/**
 * Compares a cancel's answer with what left afterwards. `alreadyQueued` must be what was under way: between the two
 * looks of the witness, one before the count and one after it, emails can only leave that set.
 */
export function compareCancel(records: CancelRecords): CancelComparison {
  const { alreadyQueued, answeredAt, witness, emails, received } = records;
  const underWay = new Set(witness?.before ?? []);
  const arrived = new Map(received.map((message) => [message.emailId, new Date(message.at)]));
  const handedOver = emails.filter((email) => underWay.has(email.id) && arrived.has(email.id)).length;
  const stoppedLater = emails.filter((one) => underWay.has(one.id) && !arrived.has(one.id) && isExplained(one)).length;
  const receivedAfter = received.filter((message) => message.at > answeredAt).length;
  const settledMeanwhile = underWay.size - (witness?.afterCount ?? 0);
  return {
    ...compareIssue(records),
    alreadyQueued,
    handedOver,
    stoppedLater,
    answerOff: outside(alreadyQueued, witness?.afterCount ?? 0, underWay.size),
    handOversOff: outside(handedOver + stoppedLater, alreadyQueued, alreadyQueued + settledMeanwhile),
    queuedAfter: emails
      .filter((one) => !underWay.has(one.id))
      .filter((one) => isAfter(one.handoffAt, witness?.at) || isAfter(arrived.get(one.id), witness?.at))
      .map((one) => one.recipient),
    unaccounted: emails
      .filter((one) => underWay.has(one.id) && !arrived.has(one.id) && !isExplained(one))
      .map((one) => one.recipient),
    receivedAfter,
    beyondAnswer: Math.max(0, receivedAfter - alreadyQueued),
  };
}

/** The result that every cancel must have; `notFrozen` may be anything. */
export const CANCEL_FLAWLESS = {
  ...ISSUE_FLAWLESS,
  answerOff: 0,
  handOversOff: 0,
  passedOver: [],
  queuedAfter: [],
  unaccounted: [],
  beyondAnswer: 0,
  status: 'cancelled',
};

const isExplained = (email: IssueEmail): boolean => email.status === 'suppressed' || email.status === 'unconfirmed';

const isAfter = (moment: Date | null | undefined, at: Date | undefined): boolean =>
  at !== undefined && moment !== null && moment !== undefined && moment > at;

const outside = (value: number, least: number, most: number): number =>
  value < least ? value - least : Math.max(0, value - most);

export interface DepartureComparison {
  departures: number;
  /** Had got the issue before the answer. */
  before: number;
  /** Claimed before the answer, received after it. */
  inFlight: number;
  inFlightMsMax: number;
  /** Never got it, and are counted as suppressed. */
  stopped: number;
  /** Claimed after the answer, and received. */
  startedAfter: string[];
  /** Did not get it, and are not on record as suppressed, nor as unconfirmed. */
  unaccounted: string[];
}

/** The outcome for people who left while the issue was sent. */
export function compareDepartures(departures: readonly Departure[], records: IssueRecords): DepartureComparison {
  const arrivals = new Map(records.received.map((message) => [message.recipient, message.at]));
  const emails = new Map(records.emails.map((email) => [email.recipient, email]));
  const found: DepartureComparison = {
    departures: departures.length,
    before: 0,
    inFlight: 0,
    inFlightMsMax: 0,
    stopped: 0,
    startedAfter: [],
    unaccounted: [],
  };
  for (const { recipient, kind, answeredAt } of departures) {
    const email = emails.get(recipient);
    const arrivedAt = arrivals.get(recipient);
    if (email !== undefined && email.handoffAt !== null && email.handoffAt.getTime() > answeredAt) {
      found.startedAfter.push(`${kind} ${recipient}`);
    } else if (arrivedAt === undefined) {
      // A person who had left before the freeze reached them was never on the list.
      if (email === undefined || isExplained(email)) found.stopped += 1;
      else found.unaccounted.push(`${kind} ${recipient}: ${email.status}`);
    } else if (arrivedAt <= answeredAt) found.before += 1;
    else {
      found.inFlight += 1;
      found.inFlightMsMax = Math.max(found.inFlightMsMax, arrivedAt - answeredAt);
    }
  }
  return found;
}
