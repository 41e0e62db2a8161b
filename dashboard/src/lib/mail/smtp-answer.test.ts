import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerWords } from './smtp-answer.ts';

test('an answer loses its type, and any other stays as it is', () => {
  assert.equal(answerWords('smtp; 550 5.1.1 user unknown'), '550 5.1.1 user unknown');
  assert.equal(answerWords('X-Postfix;host not found'), 'host not found');
  assert.equal(answerWords('451 later; try again'), '451 later; try again');
  assert.equal(answerWords(null), null);
});
