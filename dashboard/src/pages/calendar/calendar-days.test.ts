import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, isDay, onDay, stepFrom, titleOf } from './calendar-days.ts';

test('a month is shown in whole weeks from Monday', () => {
  const december = daysOf('month', '2026-12-24');
  assert.deepEqual([december[0], december.at(-1), december.length], ['2026-11-30', '2027-01-03', 35]);
  assert.equal(daysOf('month', '2027-02-01').length, 28, 'a February of four weeks');
  assert.equal(daysOf('month', '2026-08-01').length, 42, 'a month that touches six weeks');
});

test('a week goes from Monday to Sunday, and a day is itself', () => {
  const week = daysOf('week', '2026-12-06');
  assert.deepEqual([week[0], week.at(-1)], ['2026-11-30', '2026-12-06']);
  assert.deepEqual(daysOf('day', '2026-12-06'), ['2026-12-06']);
});

test('a step goes to the next or the last month, week or day', () => {
  assert.equal(stepFrom('month', '2026-12-24', 1), '2027-01-01');
  assert.equal(stepFrom('month', '2026-03-31', -1), '2026-02-01');
  assert.equal(stepFrom('week', '2026-12-24', -1), '2026-12-14');
  assert.equal(stepFrom('day', '2026-12-31', 1), '2027-01-01');
});

test('the title names the month, the week or the day', () => {
  assert.equal(titleOf('month', '2026-12-24'), 'December 2026');
  assert.equal(titleOf('week', '2026-12-01'), 'Nov 30 – Dec 6, 2026');
  assert.equal(titleOf('day', '2026-12-01'), 'Tuesday, December 1');
});

test('only a day that exists is a day', () => {
  assert.deepEqual(['2026-02-28', '2026-02-30', '26-1-1', '', undefined].map(isDay), [
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('another day keeps the time of the clock, also across a change of the clocks', () => {
  assert.equal(onDay('2026-10-24T07:00:30Z', '2026-10-26', 'Europe/Berlin').toISOString(), '2026-10-26T08:00:30.000Z');
  // The clocks skip 02:30 on that day.
  assert.equal(onDay('2026-03-28T01:30:00Z', '2026-03-29', 'Europe/Berlin').toISOString(), '2026-03-29T01:30:00.000Z');
});
