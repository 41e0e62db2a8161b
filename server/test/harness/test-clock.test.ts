import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestClock } from './test-clock.ts';

/** Lets everything run that was ready. */
const turn = (): Promise<void> => new Promise(setImmediate);

test('a held clock stands still, and whoever sleeps wakes when it is advanced past them, the earliest first', async () => {
  const clock = createTestClock({ held: true, at: new Date('2026-11-20T10:00:00Z') });
  const [wall, monotonic] = [clock.now(), clock.monotonicMs()];
  const woken: string[] = [];
  void clock.sleep(2_000).then(() => woken.push('second'));
  void clock.sleep(1_000).then(() => woken.push('first'));
  void clock.sleep(3_000).then(() => woken.push('third'));
  clock.advance(999);
  await turn();
  assert.deepEqual(woken, []);
  clock.advance(1_001);
  await turn();
  assert.deepEqual(woken, ['first', 'second']);
  assert.equal(clock.now().getTime() - wall.getTime(), 2_000);
  assert.equal(clock.monotonicMs() - monotonic, 2_000);
});

test('a sleep whose signal is aborted ends at once, also one that has not begun', async () => {
  const clock = createTestClock({ held: true });
  const stop = new AbortController();
  const slept = clock.sleep(1_000, stop.signal);
  stop.abort();
  await slept;
  await clock.sleep(1_000, stop.signal);
});

test('an interval goes on after each call and is called once for a long time; a timer is called once', () => {
  const clock = createTestClock({ held: true });
  const calls: string[] = [];
  const every = clock.interval(10, () => calls.push('interval'));
  const once = clock.timer(25, () => calls.push('timer'));
  clock.timer(5, () => every.cancel()).cancel();
  clock.advance(10);
  clock.advance(100);
  clock.advance(9);
  assert.deepEqual(calls, ['interval', 'interval', 'timer']);
  clock.advance(1);
  once.cancel();
  every.cancel();
  clock.advance(100);
  assert.deepEqual(calls, ['interval', 'interval', 'timer', 'interval']);
});

test('a timer that an earlier one has cancelled is not called', () => {
  const clock = createTestClock({ held: true });
  const late = clock.timer(2, () => assert.fail('it was cancelled'));
  clock.timer(1, () => late.cancel());
  clock.advance(10);
});

test('a clock that runs wakes a sleep by itself, and at once when it is advanced', async () => {
  const clock = createTestClock();
  const started = performance.now();
  await clock.sleep(20);
  assert.ok(performance.now() - started >= 15, 'it waited');
  const slept = clock.sleep(60_000);
  clock.advance(60_000);
  await slept;
});

test('backwards only the wall clock moves, so that no wait grows longer', async () => {
  const clock = createTestClock({ held: true });
  const before = clock.monotonicMs();
  const slept = clock.sleep(1_000);
  clock.advance(-3_600_000);
  assert.equal(clock.monotonicMs(), before);
  clock.set(new Date(clock.now().getTime() + 1_000));
  await slept;
});

test('a test can wait until somebody waits for so long', async () => {
  const clock = createTestClock({ held: true });
  const seen = clock.untilWaiting(500);
  clock.timer(400, () => undefined);
  let isSeen = false;
  void seen.then(() => (isSeen = true));
  await turn();
  assert.equal(isSeen, false);
  clock.timer(500, () => undefined);
  await seen;
  await clock.untilWaiting(500);
});
