import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeSentence } from './outcome-sentence.ts';

const ALL = { total: 10, refused: 0, suppressed: 0, cancelled: 0, unconfirmed: 0 };

test('an issue that everybody was sent says nothing; any other says how many were not, and why', () => {
  assert.equal(outcomeSentence(ALL), null);
  assert.equal(outcomeSentence({ ...ALL, refused: 2 }), '2 of 10 were not sent it: 2 refused.');
  assert.equal(
    outcomeSentence({ ...ALL, refused: 2, suppressed: 3, cancelled: 1, unconfirmed: 4 }),
    '6 of 10 were not sent it: 2 refused, 3 who had left or were suppressed by then, 1 cancelled. Of 4 it is not known.',
  );
  assert.equal(outcomeSentence({ ...ALL, unconfirmed: 1 }), 'Of 1 it is not known.');
});
