import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineDiff } from './line-diff.ts';

const drawn = (before: string, after: string): string[] =>
  lineDiff(before, after).map(
    ({ kind, text }) => `${{ same: ' ', removed: '-', added: '+', skipped: '…' }[kind]}${text}`,
  );

test('a changed line stands between its neighbours, and the rest is counted', () => {
  const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  const changed = lines.with(6, 'another');
  assert.deepEqual(drawn(lines.join('\n'), changed.join('\r\n')), [
    '…3 equal lines',
    ' line 3',
    ' line 4',
    ' line 5',
    '-line 6',
    '+another',
    ' line 7',
    ' line 8',
    ' line 9',
    '…2 equal lines',
  ]);
});

test('lines that moved are removed in one place and added in another', () => {
  assert.deepEqual(drawn('a\nb\nc', 'b\nc\na'), ['-a', ' b', ' c', '+a']);
});

test('a text that is new is added, and equal texts show no line', () => {
  assert.deepEqual(drawn('', 'a\nb'), ['+a', '+b']);
  assert.deepEqual(drawn('a\nb', 'a\nb'), ['…2 equal lines']);
});

test('texts of thousands of other lines are compared as blocks', () => {
  const many = (name: string): string => Array.from({ length: 3_000 }, (_, index) => `${name} ${index}`).join('\n');
  const lines = drawn(many('a'), many('b'));
  assert.deepEqual([lines.length, lines[0], lines.at(-1)], [6_000, '-a 0', '+b 2999']);
});

test('a few changes far apart in a long text are found, with their neighbours alone', () => {
  const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index}`);
  const changed = lines.with(10, 'first').with(19_990, 'last').toSpliced(10_000, 1);
  const kinds = lineDiff(lines.join('\n'), changed.join('\n')).filter(({ kind }) => kind !== 'same');
  assert.deepEqual(
    kinds.map(({ text }) => text),
    [
      '7 equal lines',
      'line 10',
      'first',
      '9983 equal lines',
      'line 10000',
      '9983 equal lines',
      'line 19990',
      'last',
      '6 equal lines',
    ],
  );
});
