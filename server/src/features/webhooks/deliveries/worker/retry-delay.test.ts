import assert from 'node:assert/strict';
import { test } from 'node:test';
import { retryDelaySeconds } from './retry-delay.ts';

const WAITS = [5, 300, 1_800];

test('each wait is up to a fifth shorter or longer', () => {
  assert.equal(retryDelaySeconds(1, WAITS, null, 0), 4);
  assert.equal(retryDelaySeconds(1, WAITS, null, 0.5), 5);
  assert.ok(Math.abs((retryDelaySeconds(3, WAITS, null, 0.9999) ?? 0) - 2_160) < 1);
});

test('there is one more attempt than there are waits', () => {
  assert.notEqual(retryDelaySeconds(3, WAITS, null, 0.5), undefined);
  assert.equal(retryDelaySeconds(4, WAITS, null, 0.5), undefined);
  assert.equal(retryDelaySeconds(4, WAITS, 60, 0.5), undefined, 'nor because a receiver asks for it');
});

test('Retry-After counts when it is longer, and up to an hour', () => {
  assert.equal(retryDelaySeconds(1, WAITS, 60, 0.5), 60);
  assert.equal(retryDelaySeconds(2, WAITS, 60, 0.5), 300);
  assert.equal(retryDelaySeconds(1, WAITS, 31_536_000, 0.5), 3_600);
  assert.equal(retryDelaySeconds(1, WAITS, 0, 0.5), 5);
});
