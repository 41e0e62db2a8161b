import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RememberedStart, RememberedStarts } from './remembered-start.ts';

const at = (second: number): Date => new Date(Date.UTC(2026, 10, 22, 12, 0, second));

function aStart(): { start: RememberedStart; pass(seconds: number): void } {
  let nowMs = 0;
  const start = new RememberedStart({ monotonicMs: () => nowMs });
  return { start, pass: (seconds) => void (nowMs += seconds * 1_000) };
}

test('looks begin where the last one ended, and at the lowest entry every ten seconds', () => {
  const { start, pass } = aStart();
  assert.equal(start.from, null);
  start.seenUpTo(at(20), null);
  pass(9);
  start.seenUpTo(at(29), start.from);
  assert.deepEqual(start.from, at(29));
  pass(1);
  assert.equal(start.from, null);
});

test('rows that were stored keep the start low until they have been held back for ten seconds', () => {
  const { start, pass } = aStart();
  start.seenUpTo(at(20), null);
  start.lowerTo(at(3));
  assert.deepEqual(start.from, at(3));
  start.seenUpTo(at(21), at(3));
  assert.deepEqual(start.from, at(3), 'not due yet');
  pass(10);
  assert.equal(start.from, null);
  start.seenUpTo(at(31), null);
  assert.deepEqual(start.from, at(3));
  pass(10);
  start.seenUpTo(at(41), null);
  assert.deepEqual(start.from, at(41));
});

test('rows that were stored during a look are below where the next one begins', () => {
  const { start } = aStart();
  assert.equal(start.from, null);
  start.lowerTo(at(3));
  start.seenUpTo(at(20), null);
  assert.deepEqual(start.from, at(3));
});

test('ten seconds that pass during a look still lead to a look from the lowest entry', () => {
  const { start, pass } = aStart();
  start.seenUpTo(at(20), start.from);
  const from = start.from;
  pass(10);
  start.seenUpTo(at(30), from);
  assert.equal(start.from, null);
});

test('each key has a start of its own, and those that were asked for last are remembered', () => {
  const starts = new RememberedStarts<string>({ monotonicMs: () => 0 }, 2);
  for (const key of ['a', 'b']) starts.of(key).seenUpTo(`${key}1`, null);
  assert.deepEqual([starts.of('b').from, starts.of('a').from], ['b1', 'a1']);
  starts.of('c');
  assert.deepEqual([starts.of('a').from, starts.of('b').from], ['a1', null]);
});
