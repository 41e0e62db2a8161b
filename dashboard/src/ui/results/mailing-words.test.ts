import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retriedWords, retryWords } from './mailing-words.ts';

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
