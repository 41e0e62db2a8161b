import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { WakeableSleep } from './wakeable-sleep.ts';

const turn = (): Promise<void> => new Promise(setImmediate);

function scene() {
  const clock = createTestClock({ held: true });
  const pause = new WakeableSleep(clock);
  let ended = 0;
  const sleep = (): void => void pause.sleep(1_000).then(() => (ended += 1));
  return { clock, pause, sleep, ended: () => ended };
}

test('a sleep ends after its time, or with a wake', async () => {
  const { clock, pause, sleep, ended } = scene();
  sleep();
  clock.advance(999);
  await turn();
  assert.equal(ended(), 0);
  clock.advance(1);
  await turn();
  assert.equal(ended(), 1);
  sleep();
  pause.wake();
  await turn();
  assert.equal(ended(), 2);
});

test('a wake that comes before the sleep ends it at once, and ends only one; one that was forgotten ends none', async () => {
  const { pause, sleep, ended } = scene();
  pause.wake();
  sleep();
  await turn();
  assert.equal(ended(), 1);
  sleep();
  await turn();
  assert.equal(ended(), 1);
  const other = scene();
  other.pause.wake();
  other.pause.forget();
  other.sleep();
  await turn();
  assert.equal(other.ended(), 0);
});
