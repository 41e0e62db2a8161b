import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BOUNCE_LIMIT, COMPLAINT_LIMIT, isOver } from './limits.ts';

test('a rate is marked above its limit, and strongly above the double', () => {
  assert.equal(isOver(5, 100, BOUNCE_LIMIT), undefined);
  assert.equal(isOver(6, 100, BOUNCE_LIMIT), 'warn');
  assert.equal(isOver(11, 100, BOUNCE_LIMIT), 'bad');
  assert.equal(isOver(2, 1000, COMPLAINT_LIMIT), 'warn');
});

test('fewer than a hundred emails mark nothing', () => {
  assert.equal(isOver(50, 99, BOUNCE_LIMIT), undefined);
  assert.equal(isOver(0, 0, COMPLAINT_LIMIT), undefined);
});
