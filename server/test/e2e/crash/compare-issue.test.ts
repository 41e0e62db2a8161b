/** The checker of the issues, fed with doctored accounts: each planted bug must be seen. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFound } from './assert-found.ts';
import {
  CANCEL_FLAWLESS,
  type CancelComparison,
  compareCancel,
  compareDepartures,
  compareIssue,
  type DepartureComparison,
  ISSUE_FLAWLESS,
  type IssueComparison,
} from './compare-issue.ts';
import type { CancelRecords, IssueAnswer, IssueEmail, IssueRecords, IssueStats } from './issue-records.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const seconds = (count: number): Date => new Date(NOON + count * 1_000);
const addressOf = (id: string): string => `${id}@example.com`;
const email = (id: string, change: Partial<IssueEmail> = {}): IssueEmail => ({
  id,
  recipient: addressOf(id),
  status: 'sent',
  error: null,
  handoffAt: seconds(1),
  ...change,
});
const arrival = (id: string, change: object = {}) => ({
  emailId: id,
  messageId: `<${id}@posthorn.test>`,
  recipient: addressOf(id),
  at: seconds(2).getTime(),
  ...change,
});
const NONE: IssueStats = {
  total: 0,
  pending: 0,
  sent: 0,
  failed: 0,
  waiting: 0,
  queued: 0,
  sending: 0,
  unconfirmed: 0,
  suppressed: 0,
  cancelled: 0,
};
const answer = (stats: Partial<IssueStats>, status = 'sent'): IssueAnswer => ({ status, stats: { ...NONE, ...stats } });

const GOOD: IssueRecords = {
  people: ['a', 'b'].map(addressOf),
  received: [arrival('a'), arrival('b')],
  emails: [email('a'), email('b')],
  answers: [answer({ total: 2, pending: 2, waiting: 2 }, 'sending'), answer({ total: 2, sent: 2 })],
};
const sees = (change: Partial<IssueRecords>, found: Partial<IssueComparison>): void =>
  assertFound(compareIssue({ ...GOOD, ...change }), found);
const ended = (stats: Partial<IssueStats>): { answers: IssueAnswer[] } => ({ answers: [answer(stats)] });

test('a good run has nothing to report', () => {
  assert.deepEqual(compareIssue(GOOD), {
    ...ISSUE_FLAWLESS,
    people: 2,
    received: 2,
    notFrozen: [],
    passedOver: [],
    unconfirmed: 0,
    suppressed: 0,
    cancelled: 0,
    status: 'sent',
  });
});

test('a page that the freeze has passed over is seen, and one that it wrote twice', () => {
  sees(
    { emails: [email('a')], received: [arrival('a')], ...ended({ total: 1, sent: 1 }) },
    { notFrozen: [addressOf('b')], passedOver: [] },
  );
  sees(
    { emails: [email('b')], received: [arrival('b')], ...ended({ total: 1, sent: 1 }) },
    { notFrozen: [addressOf('a')], passedOver: [addressOf('a')] },
  );
  const twice = [email('a'), email('b'), email('b2', { recipient: addressOf('b') })];
  sees({ emails: twice }, { frozenTwice: [addressOf('b')] });
});

test('two messages to one person are seen, whether of one email or of two', () => {
  sees({ received: [...GOOD.received, arrival('b')] }, { receivedTwice: [addressOf('b')] });
});

test('sent and not received is lost; unconfirmed, suppressed and cancelled are ends on record', () => {
  sees({ received: [arrival('a')] }, { lost: [addressOf('b')] });
  for (const status of ['unconfirmed', 'suppressed', 'cancelled'])
    sees({ received: [arrival('a')], emails: [email('a'), email('b', { status })] }, { lost: [] });
});

test('the comparison finds emails called suppressed or cancelled that were received', () => {
  for (const status of ['suppressed', 'cancelled'])
    sees({ emails: [email('a'), email('b', { status })] }, { stoppedAndReceived: [addressOf('b')] });
});

test('a stranger and an exchanged address are seen, and what never ends', () => {
  sees({ received: [...GOOD.received, arrival('c')] }, { strange: [addressOf('c')] });
  sees({ received: [arrival('a'), arrival('b', { recipient: addressOf('a') })] }, { strange: [addressOf('a')] });
  for (const status of ['pending', 'queued', 'deferred', 'sending'])
    sees({ emails: [email('a'), email('b', { status })] }, { undecided: [addressOf('b')] });
});

test('an answer that does not add up, or goes back, is seen', () => {
  const [before, after] = GOOD.answers;
  assert.ok(before && after);
  for (const bad of [answer({ total: 2, sent: 1 }), answer({ total: 2, pending: 2, waiting: 1 })])
    sees({ answers: [bad, after] }, { falseAnswers: [bad] });
  sees({ answers: [after, before, after] }, { falseAnswers: [before] });
});

test('statistics that the rows do not add up to are seen', () => {
  sees(ended({ total: 2, sent: 1, failed: 1 }), { falseStats: ['sent: 1, not 2', 'failed: 1, not 0'] });
  sees(ended({ total: 3, sent: 3 }), { falseStats: ['total: 3, not 2', 'sent: 3, not 2'] });
});

/** Two were under way, one of them was handed over before the witness looked again; one was pending. */
const CANCELLED: CancelRecords = {
  people: ['a', 'b', 'c', 'd'].map(addressOf),
  received: [arrival('a'), arrival('b'), arrival('c')],
  emails: [
    email('a'),
    email('b', { handoffAt: seconds(4) }),
    email('c'),
    email('d', { status: 'cancelled', handoffAt: null }),
  ],
  answers: [answer({ total: 4, sent: 3, failed: 1, cancelled: 1 }, 'cancelled')],
  alreadyQueued: 2,
  answeredAt: seconds(3.5).getTime(),
  witness: { before: ['b', 'c'], afterCount: 1, at: seconds(3) },
};
const cancelSees = (change: Partial<CancelRecords>, found: Partial<CancelComparison>): void =>
  assertFound(compareCancel({ ...CANCELLED, ...change }), found);
const quiet = { before: ['b', 'c'], afterCount: 2, at: seconds(3) };

test('a cancel that counted what was under way is exact', () => {
  cancelSees({}, { ...CANCEL_FLAWLESS, handedOver: 2, stoppedLater: 0 });
  cancelSees({ alreadyQueued: 1 }, CANCEL_FLAWLESS);
  cancelSees({ witness: quiet }, CANCEL_FLAWLESS);
});

test('a count that is one too low or too high is seen', () => {
  cancelSees({ witness: quiet, alreadyQueued: 1 }, { answerOff: -1, handOversOff: 1 });
  cancelSees({ witness: quiet, alreadyQueued: 3 }, { answerOff: 1, handOversOff: -1 });
});

test('one that was counted and did not leave is explained by a record, and by nothing else', () => {
  const without = (status: string): Partial<CancelRecords> => ({
    witness: quiet,
    received: [arrival('a'), arrival('c')],
    emails: CANCELLED.emails.map((one) => (one.id === 'b' ? { ...one, status } : one)),
  });
  for (const status of ['suppressed', 'unconfirmed']) cancelSees(without(status), { handOversOff: 0, stoppedLater: 1 });
  cancelSees(without('cancelled'), { handOversOff: -1, stoppedLater: 0, unaccounted: [addressOf('b')] });
  cancelSees(without('queued'), { handOversOff: -1, undecided: [addressOf('b')] });
  // The room that a witness who looked twice has to leave hides none.
  cancelSees(
    { ...without('cancelled'), alreadyQueued: 1, witness: { ...quiet, afterCount: 1 } },
    { handOversOff: 0, unaccounted: [addressOf('b')] },
  );
});

test('messages that arrive after the answer are at most as many as it said, whatever the database says', () => {
  const late = GOOD.received.map((one) => ({ ...one, at: seconds(4).getTime() }));
  cancelSees({ received: [...late, arrival('c')] }, { receivedAfter: 2, beyondAnswer: 0 });
  cancelSees({ received: [...late, arrival('c')], alreadyQueued: 1 }, { receivedAfter: 2, beyondAnswer: 1 });
});

test('an email that was queued after the cancel is seen', () => {
  const late = CANCELLED.emails.map((one) => (one.id === 'a' ? { ...one, handoffAt: seconds(5) } : one));
  cancelSees({ emails: late }, { queuedAfter: [addressOf('a')] });
  // Without a word of it in the row.
  const arrivals = CANCELLED.received.map((one) =>
    one.emailId === 'a' ? arrival('a', { at: seconds(5).getTime() }) : one,
  );
  cancelSees({ received: arrivals }, { queuedAfter: [addressOf('a')] });
});

const left = (change: Partial<IssueRecords>, found: Partial<DepartureComparison>, answeredSecond = 3): void =>
  assertFound(
    compareDepartures([{ recipient: addressOf('a'), kind: 'link', answeredAt: seconds(answeredSecond).getTime() }], {
      ...GOOD,
      ...change,
    }),
    found,
  );

test('a person who leaves had received it, has it in flight, or never receives it', () => {
  left({}, { before: 1, inFlight: 0, stopped: 0, startedAfter: [], unaccounted: [] });
  left({ received: [arrival('a', { at: seconds(3.4).getTime() })] }, { before: 0, inFlight: 1, inFlightMsMax: 400 });
  for (const emails of [[email('a', { status: 'suppressed', handoffAt: null })], []])
    left({ received: [], emails }, { stopped: 1, unaccounted: [] });
});

test('a hand-over that begins after the answer is seen, and one that nobody can account for', () => {
  left({ emails: [email('a', { handoffAt: seconds(3.1) })] }, { startedAfter: [`link ${addressOf('a')}`] });
  left({ received: [] }, { unaccounted: [`link ${addressOf('a')}: sent`] });
});
