import assert from 'node:assert/strict';
import { test } from 'node:test';
import { growthLabel, growthSpan } from './growth-span.ts';

const NOW = Date.parse('2026-11-23T04:00:00Z');

test('thirty days are left to the server, ninety are days, and a year is weeks', () => {
  assert.deepEqual(growthSpan(undefined, NOW), { range: '30d', by: 'day', start: undefined });
  assert.deepEqual(growthSpan('90d', NOW), { range: '90d', by: 'day', start: '2026-08-26' });
  assert.deepEqual(growthSpan('1y', NOW), { range: '1y', by: 'week', start: '2025-11-25' });
  assert.equal(growthSpan('nonsense', NOW).range, '30d');
  assert.equal(growthLabel('2026-11-20'), 'Nov 20');
});
