import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeTimings, sampleSlowness, tellOutside } from './test-time.ts';
import type { Timing } from './timings-reporter.ts';

const aFile = (seconds: number): Timing => ({ name: 'a.test.ts', ms: seconds * 1_000, nesting: 0, file: 'a.test.ts' });
const aTest = (name: string, seconds: number): Timing => ({ name, ms: seconds * 1_000, nesting: 1, file: 'a.test.ts' });

test('a run whose files take longer together than the budget fails, and says so', () => {
  const { isOverBudget, report } = judgeTimings([aFile(2_000), aFile(1_100)], { slowness: 1, kind: 'test' });
  assert.equal(isOverBudget, true);
  assert.match(report, /longer than their budget/);
});

test('a run within the budget passes; tests count once, with their file', () => {
  const timings = [aFile(200), aTest('one', 150), aTest('two', 50)];
  assert.equal(judgeTimings(timings, { slowness: 1, kind: 'test' }).isOverBudget, false);
});

test('the budget grows by as much as the machine is slower', () => {
  assert.equal(judgeTimings([aFile(4_000)], { slowness: 2, kind: 'test' }).isOverBudget, false);
});

test('a run of some files has no budget', () => {
  assert.equal(judgeTimings([aFile(9_000)], { slowness: 1, kind: undefined }).isOverBudget, false);
});

test('the 20 slowest tests are shown, slowest first', () => {
  const timings = Array.from({ length: 30 }, (_, index) => aTest(`number ${index}`, index));
  const shown = [...judgeTimings(timings, { slowness: 1, kind: undefined }).report.matchAll(/number (\d+)/g)];
  assert.deepEqual(
    shown.map((match) => Number(match[1])),
    Array.from({ length: 20 }, (_, index) => 29 - index),
  );
});

test('slowness is never below one, so that a faster machine does not tighten the budget', () => {
  assert.ok(sampleSlowness().stop() >= 1);
});

test('an error that no test was running for is told once, however often it came; without one nothing is told', () => {
  assert.deepEqual(tellOutside([]), []);
  assert.deepEqual(tellOutside(['Error: one', 'Error: two', 'Error: one']).slice(1), ['Error: one', 'Error: two']);
});
