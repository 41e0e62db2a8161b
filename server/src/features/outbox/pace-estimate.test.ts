import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rateNow, timeOfRest, timeToLeave, timeToLeaveInParts } from './pace-estimate.ts';

const now = new Date('2026-11-20T10:00:00Z');
const seconds = (at: Date | null): number => ((at?.getTime() ?? Number.NaN) - now.getTime()) / 1_000;

/** The same by steps of a hundredth of a second. */
function stepByStep(stretch: number, emails: number): number {
  let [left, t] = [emails, 0];
  for (; left > 0; t += 0.01) left -= (12 / Math.max(1, stretch - t / 30)) * 0.01;
  return t;
}

test('without a throttle, emails leave at the full rate', () => {
  const pace = { fullRate: 12, stretch: 1, pausedUntil: null, heldSince: null };
  assert.deepEqual([rateNow(pace), seconds(timeToLeave(pace, now, 24))], [12, 2]);
});

test('a stretched pace is slow now and comes back while emails leave', () => {
  const pace = { fullRate: 12, stretch: 3, pausedUntil: null, heldSince: null };
  assert.equal(rateNow(pace), 4);
  for (const emails of [0, 12, 200, 2_000]) {
    const expected = stepByStep(3, emails);
    const told = seconds(timeToLeave(pace, now, emails));
    assert.ok(Math.abs(told - expected) < 0.1, `${emails} emails: ${told} s, by steps ${expected} s`);
  }
});

test('during a pause nothing leaves, and the pace comes back', () => {
  const pausedUntil = new Date(now.getTime() + 60_000);
  assert.equal(seconds(timeToLeave({ fullRate: 12, stretch: 3, pausedUntil, heldSince: null }, now, 24)), 62);
});

test('a pause of any length is added to the millisecond', () => {
  for (let pauseMs = 1; pauseMs < 600_000_000; pauseMs = pauseMs * 2 + 1) {
    const pausedUntil = new Date(now.getTime() + pauseMs);
    const leaves = timeToLeave({ fullRate: 12, stretch: 1, pausedUntil, heldSince: null }, now, 12);
    assert.equal((leaves?.getTime() ?? 0) - pausedUntil.getTime(), 1_000, `a pause of ${pauseMs} ms`);
  }
});

test('while sending is held nobody knows when emails leave', () => {
  assert.equal(timeToLeave({ fullRate: 12, stretch: 1, pausedUntil: null, heldSince: now }, now, 12), null);
});

test('parts leave at their times and one after another; a pause of now holds up those that begin before it ends', () => {
  const pace = { fullRate: 12, stretch: 1, pausedUntil: new Date(now.getTime() + 10_000), heldSince: null };
  const at = (after: number): Date => new Date(now.getTime() + after * 1_000);
  const parts = [
    { at: now, emails: 120 },
    { at: at(15), emails: 12 },
    { at: at(60), emails: 24 },
  ];
  assert.equal(seconds(timeToLeaveInParts(pace, now, parts.slice(0, 2))), 21);
  assert.equal(seconds(timeToLeaveInParts(pace, now, parts)), 62);
  assert.equal(timeToLeaveInParts({ ...pace, heldSince: now }, now, parts), null);
});

test('a stretched pace holds for every part that leaves before it has come back', () => {
  const pace = { fullRate: 12, stretch: 3, pausedUntil: null, heldSince: null };
  const later = new Date(now.getTime() + 3_600_000);
  const behindQueue = [
    { at: now, emails: 12 },
    { at: now, emails: 120 },
    { at: new Date(now.getTime() + 5_000), emails: 60 },
  ];
  const told = seconds(timeToLeaveInParts(pace, now, behindQueue));
  assert.ok(Math.abs(told - stepByStep(3, 192)) < 0.1, `${told} s, by steps ${stepByStep(3, 192)} s`);
  assert.equal(seconds(timeToLeaveInParts(pace, now, [...behindQueue, { at: later, emails: 12 }])), 3_601);
});

test('the rest of a send in parts leaves with its last part; what is over of the parts that have begun leaves first', () => {
  const pace = { fullRate: 12, stretch: 1, pausedUntil: null, heldSince: null };
  const parts = [
    { at: new Date(now.getTime() - 1_000), recipients: 500 },
    { at: new Date(now.getTime() + 60_000), recipients: 12 },
  ];
  assert.equal(seconds(timeOfRest(pace, now, { ahead: 12, waiting: 36, parts })), 61);
  assert.equal(seconds(timeOfRest(pace, now, { ahead: 12, waiting: 1_212, parts })), 102);
  assert.equal(seconds(timeOfRest(pace, now, { ahead: 12, waiting: 36, parts: null })), 4);
});
