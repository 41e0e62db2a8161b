import assert from 'node:assert/strict';
import { test } from 'node:test';
import { duration, exactTime, plannedTime, relativeTime } from './time.ts';

const NOW = Date.parse('2026-11-22T12:00:00.000Z');

test('a time is said as far from now as it is', () => {
  const cases: [string, string][] = [
    ['2026-11-22T11:59:55.000Z', 'just now'],
    ['2026-11-22T12:00:14.000Z', 'just now'],
    ['2026-11-22T12:00:20.000Z', 'in 20s'],
    ['2026-11-22T11:56:00.000Z', '4m ago'],
    ['2026-11-22T09:00:00.000Z', '3h ago'],
    ['2026-11-21T11:00:00.000Z', 'yesterday'],
    ['2026-11-24T12:00:01.000Z', 'in 2d'],
    ['2026-01-05T12:00:00.000Z', 'Jan 5'],
    ['2024-01-05T12:00:00.000Z', 'Jan 5, 2024'],
  ];
  for (const [at, words] of cases) assert.equal(relativeTime(at, NOW), words, at);
});

test('a time at which something is to happen never sounds like the past', () => {
  assert.equal(plannedTime('2026-11-22T12:05:00.000Z', NOW), 'in 5m');
  for (const at of ['2026-11-22T12:00:14.000Z', '2026-11-22T11:59:00.000Z'])
    assert.equal(plannedTime(at, NOW), 'in a moment', at);
});

test('the exact instant names its zone', () => {
  assert.match(exactTime('2026-11-22T12:00:00.000Z'), /Nov 2[123], 2026.*(UTC|GMT|[A-Z]{2,5})/);
});

test('five past midnight is 00:05, and not 24:05', () => {
  const midnight = new Date(2026, 10, 22, 0, 5);
  assert.match(exactTime(midnight), /, 00:05:00 /);
});

test('a duration has the unit that fits', () => {
  assert.deepEqual([12, 2400, 200_000, 7_500_000].map(duration), ['12 ms', '2.4 s', '3 min 20 s', '2 h 5 min']);
});
