import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvHead, toCsv } from './csv.ts';

test('the head of a file has its cells, whatever separates them', () => {
  for (const separator of [',', ';', '\t', '|']) {
    const text = [`email${separator}name`, `ada@example.com${separator}"Ada ""A"", L."`].join('\r\n');
    assert.deepEqual(csvHead(text, 5), [
      ['email', 'name'],
      ['ada@example.com', 'Ada "A", L.'],
    ]);
  }
});

test('the head ends after the rows that were asked for, and empty lines are no rows', () => {
  assert.deepEqual(csvHead('\uFEFFemail\n\na@example.com\nb@example.com\n', 2), [['email'], ['a@example.com']]);
});

test('a line break in quotes belongs to its cell', () => {
  assert.deepEqual(csvHead('email,note\na@example.com,"one\ntwo"', 5)[1], ['a@example.com', 'one\ntwo']);
});

test('a file is read again as it was written, but for formulas', () => {
  const rows = [
    ['email', 'name'],
    ['ada@example.com', 'a "b", c'],
    ['bob@example.com', '=1+1'],
  ];
  assert.deepEqual(csvHead(toCsv(rows), 9), [rows[0], rows[1], ['bob@example.com', "'=1+1"]]);
});
