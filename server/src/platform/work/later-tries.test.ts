import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { LaterTries } from './later-tries.ts';

test('each failure doubles the wait, up to a minute; what is settled waits no more', () => {
  const clock = createTestClock({ held: true });
  const tries = new LaterTries(clock);
  assert.ok(tries.mayTry('a'));
  for (const waitMs of [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]) {
    tries.failed('a');
    clock.advance(waitMs - 500);
    assert.ok(!tries.mayTry('a'), `before ${waitMs} ms`);
    assert.ok(tries.mayTry('b'));
    clock.advance(500);
    assert.ok(tries.mayTry('a'), `after ${waitMs} ms`);
  }
  assert.equal(tries.waiting, 1);
  tries.settled('a');
  assert.equal(tries.waiting, 0);
  tries.failed('a');
  tries.forgetAll();
  assert.ok(tries.mayTry('a'));
});
