import assert from 'node:assert/strict';
import { test } from 'node:test';
import { oneOf, withThousands } from './english.ts';

test('a number is written as Intl writes it', () => {
  for (const count of [0, 7, 999, 1_000, 20_000, 999_999, 1_000_000, 12_345_678])
    assert.equal(withThousands(count), count.toLocaleString('en'));
});

test('a list is written as Intl writes it', () => {
  const either = new Intl.ListFormat('en', { type: 'disjunction' });
  for (const words of [[], ['GET'], ['GET', 'PUT'], ['GET', 'PUT', 'POST'], ['GET', 'PUT', 'POST', 'DELETE']])
    assert.equal(oneOf(new Set(words)), either.format(words));
});
