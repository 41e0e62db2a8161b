import assert from 'node:assert/strict';
import { test } from 'node:test';
import { periodLabel, readSpan } from './span.ts';

const LATE = Date.parse('2026-11-22T23:30:00Z');

test('days are those of the workspace, and a change of the clocks moves none', () => {
  assert.equal(readSpan('7d', undefined, 'UTC', LATE).start, '2026-11-16');
  assert.equal(readSpan('7d', undefined, 'Europe/Berlin', LATE).start, '2026-11-17');
  assert.equal(readSpan('30d', 'day', 'Europe/Berlin', Date.parse('2026-11-01T12:00:00Z')).start, '2026-10-03');
});

test('a day begins at a full hour and is shown by hour, longer spans by day', () => {
  assert.deepEqual(readSpan('24h', undefined, 'UTC', LATE), {
    range: '24h',
    by: 'hour',
    start: '2026-11-22T00:00:00.000Z',
  });
  assert.equal(readSpan('30d', undefined, 'UTC', LATE).by, 'day');
  assert.equal(readSpan('30d', 'hour', 'UTC', LATE).by, 'hour');
});

test('90 days are never shown by hour, and an unknown range is a week', () => {
  assert.equal(readSpan('90d', 'hour', 'UTC', LATE).by, 'day');
  assert.equal(readSpan('nonsense', 'nonsense', 'UTC', LATE).range, '7d');
});

test('a period keeps the time of its zone', () => {
  assert.equal(periodLabel('2026-11-20T14:00+01:00', { range: '24h', by: 'hour' }), '14:00');
  assert.equal(periodLabel('2026-11-20T14:00+01:00', { range: '7d', by: 'hour' }), 'Nov 20, 14:00');
  assert.equal(periodLabel('2026-11-20', { range: '7d', by: 'day' }), 'Nov 20');
});
