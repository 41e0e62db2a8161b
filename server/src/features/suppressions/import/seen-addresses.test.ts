import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SeenAddresses } from './seen-addresses.ts';

test('of many addresses, each is new once, though they fill the table as far as it was made for', () => {
  const seen = new SeenAddresses(100_000);
  const all = Array.from({ length: 100_000 }, (_, n) => `user-${n}@example.com`);
  assert.equal(all.filter((one) => seen.add(one)).length, 100_000);
  assert.equal(all.filter((one) => seen.add(one)).length, 0);
});

test('there is room in the smallest table', () => {
  const seen = new SeenAddresses(1);
  assert.deepEqual([seen.add('a@example.com'), seen.add('a@example.com')], [true, false]);
});
