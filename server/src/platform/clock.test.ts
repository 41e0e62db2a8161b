import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from '../../test/harness/test-clock.ts';
import { endsWithin, systemClock } from './clock.ts';

test('the clock of the system sleeps for as long as it is told, or until the signal', async () => {
  const started = systemClock.monotonicMs();
  await systemClock.sleep(20);
  assert.ok(systemClock.monotonicMs() - started >= 15);
  const stop = new AbortController();
  const slept = systemClock.sleep(60_000, stop.signal);
  stop.abort();
  await slept;
});

test('a timer of the system is called once and an interval again and again, until they are cancelled', async () => {
  let calls = 0;
  const third = Promise.withResolvers<void>();
  const cancelled = systemClock.timer(1, () => assert.fail('it was cancelled'));
  cancelled.cancel();
  const every = systemClock.interval(1, () => {
    calls += 1;
    if (calls === 3) third.resolve();
  });
  const once = Promise.withResolvers<void>();
  systemClock.timer(1, once.resolve);
  const alive = systemClock.sleep(10_000, AbortSignal.timeout(5_000)); // timers do not keep the process alive
  await Promise.all([third.promise, once.promise]);
  every.cancel();
  void alive;
});

test('work that ends in time is said to have ended, also when it failed; work that does not is left', async () => {
  const clock = createTestClock({ held: true });
  assert.equal(await endsWithin(clock, 1_000, Promise.resolve()), true);
  assert.equal(await endsWithin(clock, 1_000, Promise.reject(new Error('failed'))), true);
  const late = endsWithin(clock, 1_000, new Promise(() => undefined));
  clock.advance(1_000);
  assert.equal(await late, false);
});
