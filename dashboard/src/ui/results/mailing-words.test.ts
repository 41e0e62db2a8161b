import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retriedWords } from './mailing-words.ts';

test('a retry that reaches nobody says why', () => {
  assert.equal(retriedWords(2), '2 emails are tried again.');
  assert.match(retriedWords(0), /^No email is tried again\. The provider .* rejected them/);
});
