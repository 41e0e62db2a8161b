import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judge } from './read-health.ts';

const statusOf = (sent: number, bounced: number, complained: number): string =>
  judge({ sent, delivered: sent - bounced, bounced, complained }).status;

test('the rates warn over 5 % of bounces or 0.1 % of complaints, from a hundred emails', () => {
  assert.equal(statusOf(99, 50, 10), 'ok');
  assert.equal(statusOf(100, 5, 0), 'ok');
  assert.equal(statusOf(100, 6, 0), 'warning');
  assert.equal(statusOf(1_000, 0, 1), 'ok');
  assert.equal(statusOf(1_000, 0, 2), 'warning');
  assert.equal(statusOf(0, 0, 0), 'ok');
});

test('the double pauses, from five hundred emails', () => {
  assert.equal(statusOf(499, 400, 0), 'warning');
  assert.equal(statusOf(500, 50, 0), 'warning');
  assert.equal(statusOf(500, 51, 0), 'paused');
  assert.equal(statusOf(10_000, 0, 21), 'paused');
});

test('each rate over its limit is a sentence with its numbers', () => {
  assert.deepEqual(judge({ sent: 1_000, delivered: 940, bounced: 60, complained: 0 }).reasons, [
    '60 of the 1000 emails sent in the last 7 days bounced for good (6%). The limit is 5%; providers pause accounts at 10%.',
  ]);
});
