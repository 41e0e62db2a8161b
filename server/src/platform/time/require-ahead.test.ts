import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requireAhead } from './require-ahead.ts';

const NOW = new Date('2026-11-28T09:00:00Z');
const BOUNDS = { param: 'scheduled_for', now: NOW, leastSeconds: 30, mostDays: 30, what: 'the issue' };
const after = (seconds: number): Date => new Date(NOW.getTime() + seconds * 1_000);
const refused = (message: string) => ({
  name: 'validation_error',
  extras: { param: 'scheduled_for', unacceptable: true },
  message,
});

test('a time from the least to the most distance is let pass, both included', () => {
  for (const seconds of [30, 86_400, 30 * 86_400]) requireAhead(after(seconds), BOUNDS);
});

test('422 that names the field for a time that has passed, is too near or too far', () => {
  for (const seconds of [-1, 0]) {
    assert.throws(
      () => requireAhead(after(seconds), BOUNDS),
      refused('scheduled_for has passed. Give a later time, or send the issue at once.'),
    );
  }
  assert.throws(
    () => requireAhead(after(29.999), BOUNDS),
    refused('scheduled_for must be at least 30 seconds ahead; or send the issue at once.'),
  );
  assert.throws(
    () => requireAhead(after(30 * 86_400 + 0.001), BOUNDS),
    refused('scheduled_for must be at most 30 days ahead.'),
  );
});
