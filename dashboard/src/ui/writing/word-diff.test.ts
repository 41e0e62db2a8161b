import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordDiff } from './word-diff.ts';

test('each word is of both versions or of one', () => {
  assert.deepEqual(wordDiff('We meet on Monday at nine.', 'We meet on Friday at nine.'), [
    { of: 'both', text: 'We meet on ' },
    { of: 'theirs', text: 'Monday' },
    { of: 'mine', text: 'Friday' },
    { of: 'both', text: ' at nine.' },
  ]);
  assert.deepEqual(wordDiff('', 'New'), [{ of: 'mine', text: 'New' }]);
});

test('long equal text is left out, but for what stands beside a change', () => {
  const long = 'word '.repeat(500);
  const pieces = wordDiff(`${long}one${long}`, `${long}two${long}`) ?? [];
  assert.deepEqual(
    pieces.map(({ of, text }) => [of, text.length < 400]),
    [
      ['both', true],
      ['theirs', true],
      ['mine', true],
      ['both', true],
    ],
  );
  assert.match(pieces[0]?.text ?? '', /^ … .*word $/s);
});

test('two long texts with nothing in common are given up in time', () => {
  const words = (seed: string) => Array.from({ length: 60_000 }, (_, index) => `${seed}${index}`).join(' ');
  const started = performance.now();
  assert.equal(wordDiff(words('a'), words('b')), null);
  assert.ok(performance.now() - started < 10_000);
});
