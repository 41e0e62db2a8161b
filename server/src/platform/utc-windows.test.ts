import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TIERS, windowOf } from './utc-windows.ts';

const read = (at: string): string[] =>
  TIERS.map((tier) => {
    const { start, resetAt } = windowOf(tier, new Date(at));
    return `${start.toISOString().slice(0, 16)} ${resetAt.toISOString().slice(0, 16)}`;
  });

test('windows begin and end with the hour, the day and the calendar month in UTC', () => {
  assert.deepEqual(read('2026-11-30T23:59:59.999Z'), [
    '2026-11-30T23:00 2026-12-01T00:00',
    '2026-11-30T00:00 2026-12-01T00:00',
    '2026-11-01T00:00 2026-12-01T00:00',
  ]);
  assert.equal(read('2026-12-31T12:00:00Z')[2], '2026-12-01T00:00 2027-01-01T00:00');
  assert.equal(read('2027-02-28T00:00:00Z')[2], '2027-02-01T00:00 2027-03-01T00:00');
  assert.equal(read('2028-02-29T23:00:00Z')[1], '2028-02-29T00:00 2028-03-01T00:00');
  assert.equal(read('2027-01-31T00:00:00Z')[2], '2027-01-01T00:00 2027-02-01T00:00');
});
