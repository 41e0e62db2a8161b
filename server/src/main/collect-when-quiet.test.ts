import assert from 'node:assert/strict';
import { test } from 'node:test';
import MEMORY from '../../../scripts/node-memory.json' with { type: 'json' };
import { createTestClock } from '../../test/harness/test-clock.ts';
import { collectWhenQuiet } from './collect-when-quiet.ts';

test('the garbage of the start is collected once, in the first moment without work', () => {
  const clock = createTestClock({ held: true });
  let collected = 0;
  let share = 0.9;
  collectWhenQuiet({ clock, busyShare: () => share, collect: () => (collected += 1) });
  clock.advance(60_000);
  assert.equal(collected, 0);
  share = 0.02;
  clock.advance(2_000);
  assert.equal(collected, 1);
  clock.advance(60_000);
  assert.equal(collected, 1);
});

test('a process with all roles can collect: npm start gives it the function', () => {
  assert.ok(MEMORY.flagsOfOneProcess.includes('--expose-gc'));
});

test('a process without the function looks for nothing', () => {
  const clock = createTestClock({ held: true });
  let looks = 0;
  collectWhenQuiet({ clock, busyShare: () => (looks += 1), collect: undefined });
  clock.advance(60_000);
  assert.equal(looks, 0);
});
