/**
 * The checker of the crash tests, fed with doctored accounts: each planted bug must be seen, or a green run says
 * nothing.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertFound } from './assert-found.ts';
import { type Comparison, compareRecords, FLAWLESS } from './compare-records.ts';
import type { ThreeRecords } from './records.ts';

const ID = 'e1';
const at = (second: number): number => Date.UTC(2026, 10, 21, 9, 0, second);
const received = (second: number, change: object = {}) => ({
  emailId: ID,
  messageId: `<${ID}@posthorn.test>`,
  recipient: 'ada@example.net',
  at: at(second),
  ...change,
});
const told = { key: 'k1', emails: [{ id: ID, recipient: 'ada@example.net' }] };
const stored = (status: string, unconfirmedAt: Date | null = null) => ({
  id: ID,
  recipient: 'ada@example.net',
  status,
  unconfirmedAt,
});
const attempt = (outcome: string, second: number) => ({ emailId: ID, outcome, endedAt: new Date(at(second)) });

const GOOD: ThreeRecords = { accepted: [told], received: [received(1)], emails: [stored('sent')], attempts: [] };

const sees = (change: Partial<ThreeRecords>, found: Partial<Comparison>): void =>
  assertFound(compareRecords({ ...GOOD, ...change }), found);

test('a good run has nothing to report', () => {
  assert.deepEqual(compareRecords(GOOD), {
    accepted: 1,
    received: 1,
    lost: [],
    explained: 0,
    unexplained: [],
    undecided: [],
    leftUnconfirmed: [],
    untold: [],
    changedAnswers: [],
    strange: [],
    handOffsMax: 1,
  });
});

test('an answer before the commit is a lost email: the database has never heard of it', () => {
  sees({ received: [], emails: [] }, { accepted: 1, lost: [ID] });
});

test('an email that is called sent and arrived nowhere is lost', () => {
  sees({ received: [] }, { lost: [ID] });
});

test('failed, cancelled, suppressed and unconfirmed for good are ends on record', () => {
  for (const status of ['failed', 'cancelled', 'suppressed', 'unconfirmed'])
    sees({ received: [], emails: [stored(status)] }, { lost: [] });
  sees({ emails: [stored('unconfirmed')] }, { leftUnconfirmed: [ID], undecided: [] });
});

test('a queue that never drains is undecided, and so is a wait for an event', () => {
  for (const status of ['queued', 'deferred', 'sending'])
    sees({ received: [], emails: [stored(status)] }, { undecided: [ID], lost: [] });
  sees({ emails: [stored('unconfirmed', new Date(at(2)))] }, { undecided: [ID], leftUnconfirmed: [] });
});

test('a lease that two workers hold is a second copy without a record', () => {
  sees({ received: [received(1), received(2)] }, { unexplained: [ID], explained: 0, handOffsMax: 2 });
});

test('a retry on an unknown outcome that was recorded too late is not explained by it', () => {
  const twice = { received: [received(1), received(5)] };
  sees({ ...twice, attempts: [attempt('unconfirmed', 6)] }, { unexplained: [ID], explained: 0 });
  sees({ ...twice, attempts: [attempt('temporary', 2)] }, { unexplained: [ID], explained: 0 });
  sees({ ...twice, attempts: [attempt('unconfirmed', 4)] }, { unexplained: [], explained: 1 });
});

test('one record explains one copy', () => {
  const thrice = { received: [received(1), received(5), received(9)] };
  sees({ ...thrice, attempts: [attempt('unconfirmed', 4)] }, { unexplained: [ID], explained: 1, handOffsMax: 3 });
  sees({ ...thrice, attempts: [attempt('unconfirmed', 4), attempt('unconfirmed', 8)] }, { explained: 2 });
});

test('a key that took effect twice leaves an email that nobody was told of', () => {
  sees({ emails: [stored('sent'), { ...stored('sent'), id: 'e2' }] }, { untold: ['e2'] });
});

test('a key that is answered with other emails the second time has a changed answer', () => {
  const other = { key: 'k1', emails: [{ id: 'e2', recipient: 'ada@example.net' }] };
  sees({ accepted: [told, other] }, { changedAnswers: ['k1'] });
  sees({ accepted: [told, told] }, { changedAnswers: [], accepted: 1 });
});

test('a message to somebody else, of no email, or with a new Message-ID is strange', () => {
  sees({ received: [received(1, { recipient: 'bob@example.net' })] }, { strange: [ID] });
  sees({ received: [received(1), received(2, { emailId: 'e9' })] }, { strange: ['e9'] });
  sees({ received: [received(1), received(5, { messageId: '<other@posthorn.test>' })] }, { strange: [ID] });
});

test('a list that should be empty and is not fails the test', () => {
  const found = compareRecords({ ...GOOD, received: [] });
  assert.throws(() => assertFound(found, { lost: [] }), assert.AssertionError);
  assert.throws(() => assertFound(found, FLAWLESS), assert.AssertionError);
  assertFound(found, { lost: [ID] });
});
