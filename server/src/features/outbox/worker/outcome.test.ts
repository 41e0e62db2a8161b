import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer } from '#providers/email-provider.ts';
import { backoffSeconds } from './backoff.ts';
import { outcomeOf, paceEffectOf } from './outcome.ts';
import type { ClaimedEmail } from './queries/claim-emails.ts';

const anEmail = (email: Partial<ClaimedEmail> = {}): ClaimedEmail => ({
  workspaceId: 'w',
  id: 'e',
  contentId: 'c',
  sendId: null,
  audienceKind: null,
  subscriberId: null,
  leaseToken: 't',
  recipient: 'ada@example.com',
  recipientName: null,
  recipientTyped: null,
  grouped: null,
  leftOut: null,
  cost: 1,
  lane: 1,
  turn: 0,
  source: 'api',
  sandbox: false,
  attempts: 0,
  isOnRecord: false,
  secondsSinceFirstAttempt: null,
  ...email,
});
const temporary = (verdict: Partial<Answer & { kind: 'temporary' }> = {}): Answer => ({
  kind: 'temporary',
  response: '451 later',
  code: 451,
  throttled: false,
  ...verdict,
});

test('retries wait 5 s, twice as long each time, an hour at most', () => {
  const waits = [1, 2, 3, 4, 10, 11, 40].map((attempts) => backoffSeconds(attempts, 0.999));
  assert.deepEqual(waits.map(Math.round), [5, 10, 20, 40, 2_559, 3_599, 3_599]);
  assert.equal(backoffSeconds(1, 0), 5, 'never less than five seconds');
});

test('after a day of temporary failures the email has failed, with a reject event', () => {
  const outcome = outcomeOf(anEmail({ attempts: 30, secondsSinceFirstAttempt: 86_400 }), temporary(), 1, 0.5);
  assert.equal(outcome.status, 'failed');
  assert.deepEqual(outcome.rejects, [{ recipient: 'ada@example.com', reason: 'provider', message: '451 later' }]);
});

test('the last attempt is made when the day ends, not an hour after it', () => {
  const outcome = outcomeOf(anEmail({ attempts: 30, secondsSinceFirstAttempt: 86_300 }), temporary(), 1, 0.5);
  assert.deepEqual([outcome.status, outcome.delaySeconds], ['deferred', 100]);
});

test('a throttled email is never failed, however long it lasts', () => {
  const email = anEmail({ attempts: 30, secondsSinceFirstAttempt: 1_000_000 });
  const outcome = outcomeOf(email, temporary({ throttled: true }), 1, 0.5);
  assert.deepEqual([outcome.status, outcome.counted], ['deferred', false]);
});

test('trouble that meets every message pauses everybody and is no attempt of any email', () => {
  const verdict = temporary({ code: 400, response: 'SendingPausedException: paused', everyMessage: true });
  assert.deepEqual(paceEffectOf(verdict), {
    kind: 'pause',
    seconds: 60,
    reason: 'account: SendingPausedException: paused',
  });
  const outcome = outcomeOf(anEmail({ attempts: 30, secondsSinceFirstAttempt: 1_000_000 }), verdict, 1, 0.5);
  assert.deepEqual([outcome.status, outcome.counted], ['deferred', false]);
});

test('refused credentials pause everybody and are no attempt of any email', () => {
  const verdict = temporary({ code: 535, response: '535 5.7.8 bad credentials' });
  assert.deepEqual(paceEffectOf(verdict), {
    kind: 'pause',
    seconds: 60,
    reason: 'credentials: 535 5.7.8 bad credentials',
  });
  const outcome = outcomeOf(anEmail(), verdict, 1, 0.5);
  assert.deepEqual([outcome.status, outcome.counted], ['deferred', false]);
});

test('a used-up daily quota pauses for ten minutes at most', () => {
  const verdict = temporary({
    throttled: true,
    response: '454 Throttling failure: Daily message quota exceeded.',
    retryAfterSeconds: 9_000,
  });
  assert.equal(paceEffectOf(verdict)?.seconds, 600);
  assert.equal(outcomeOf(anEmail(), verdict, 1, 0.5).delaySeconds, 600);
});

test('an ordinary temporary failure slows nobody else down', () => {
  assert.equal(paceEffectOf(temporary()), undefined);
  assert.equal(paceEffectOf({ kind: 'refused', response: '550', code: 550 }), undefined);
});

test('recipients that were refused by name get a reject event each while the message is sent', () => {
  const grouped = {
    to: [{ address: 'ada@example.com', name: null }],
    cc: [{ address: 'Bob@example.com', name: null }],
    bcc: [],
  };
  const refusedRecipients = [{ address: 'Bob@example.com', response: '550 unknown' }];
  const verdict: Answer = { kind: 'accepted', providerMessageId: 'x', response: '250', refusedRecipients };
  const outcome = outcomeOf(anEmail({ grouped, leftOut: ['eve@example.com'] }), verdict, 1, 0.5);
  assert.equal(outcome.status, 'sent');
  assert.deepEqual(outcome.rejects, [
    { recipient: 'bob@example.com', reason: 'provider', message: '550 unknown' },
    { recipient: 'eve@example.com', reason: 'suppressed', message: null },
  ]);
});

test('an answer is kept readable and storable: no NUL, no half characters, a thousand characters at most', () => {
  const outcome = outcomeOf(
    anEmail(),
    { kind: 'refused', response: `5\u000050\ud800${'x'.repeat(5_000)}`, code: 550 },
    1,
    0.5,
  );
  assert.equal(outcome.error?.length, 1_000);
  assert.ok(outcome.error?.isWellFormed());
  assert.doesNotMatch(outcome.error ?? '', /\u0000/);
  // The cut goes through the pair of surrogates.
  const cut = outcomeOf(anEmail(), { kind: 'refused', response: `${'x'.repeat(999)}📮`, code: 550 }, 1, 0.5);
  assert.ok(cut.error?.isWellFormed());
});
