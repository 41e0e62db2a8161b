import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SendWindow, SharedRoom } from './send-window.ts';

const hear = (window: SendWindow, count: number, succeeded: boolean, tookMs = 200): number => {
  for (let n = 0; n < count; n += 1) window.heard({ succeeded, tookMs });
  return window.size;
};

test('quick successes open the window from 5 to 50 and no further', () => {
  const window = new SendWindow();
  assert.equal(window.size, 5);
  assert.equal(hear(window, 45, true), 50);
  assert.equal(hear(window, 100, true), 50);
});

test('slow answers do not open it', () => {
  assert.equal(hear(new SendWindow(), 100, true, 2_001), 5);
});

test('a failure halves it; from there it grows by one a round; it never falls below five', () => {
  const window = new SendWindow();
  hear(window, 45, true);
  assert.equal(hear(window, 1, false), 25);
  assert.equal(hear(window, 26, true), 26);
  assert.equal(hear(window, 10, false), 5);
});

test('all lanes together have so many extra requests and no more', () => {
  const room = new SharedRoom(2);
  assert.deepEqual([room.take(), room.take(), room.take()], [true, true, false]);
  room.giveBack();
  assert.deepEqual([room.take(), room.take()], [true, false]);
});
