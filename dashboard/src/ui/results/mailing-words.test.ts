import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cancelScheduledWords, cancelWords, retriedWords, retryWords } from './mailing-words.ts';

test('a retry that reaches nobody says why', () => {
  assert.equal(retriedWords(2), '2 emails are tried again.');
  assert.match(retriedWords(0), /^No email is tried again\. The provider .* rejected them/);
});

test('the button says how many refused emails would be tried again, once that is known', () => {
  const words = (count: number, is_estimate = false): string => retryWords({ count, is_estimate });
  assert.equal(retryWords(undefined), 'Retry refused emails');
  assert.deepEqual(
    [words(0), words(1), words(12)],
    ['Retry refused emails', 'Retry 1 refused email', 'Retry 12 refused emails'],
  );
  assert.equal(words(10_000, true), 'Retry more than 10,000 refused emails');
});

test('a cancellation says how many emails it stops and how many still leave, and whether that changes', () => {
  const words = (state: string, waiting: number, queued: number, sending = 0, sent = 3000): string =>
    cancelWords({ stats: { waiting, queued, sending, sent }, progress: { state } });
  assert.equal(
    words('releasing', 3560, 38, 2),
    '3,560 emails have not left, and will not be sent. 40 emails in the queue still leave. 3,000 have left. ' +
      'The sending goes on until you cancel, and these numbers follow it.',
  );
  assert.equal(
    words('paused', 1, 1, 0, 1),
    '1 email has not left, and will not be sent. 1 email in the queue still leaves. 1 has left.',
  );
  assert.equal(
    words('paused', 2, 0, 0, 0),
    '2 emails have not left, and will not be sent. None is in the queue. 0 have left.',
  );
  assert.match(words('freezing', 500, 0), /The recipients are still being written/);
  assert.match(cancelScheduledWords(undefined), /^It will not be sent\./);
  assert.match(cancelScheduledWords('1,204 readers'), /^It will not be sent to 1,204 readers\./);
});
