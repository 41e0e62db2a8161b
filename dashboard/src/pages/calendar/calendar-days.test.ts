import assert from 'node:assert/strict';
import { test } from 'node:test';
import { daysOf, isDay, movedTo, stepFrom, titleOf } from './calendar-days.ts';

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
  const asked = (scheduled_for: string, day: string) =>
    movedTo({ scheduled_for, timezone: 'Asia/Tokyo', wall_time: null }, day, 'Europe/Berlin').asked;
  assert.equal(asked('2026-10-24T07:00:30Z', '2026-10-26'), '2026-10-26T08:00:30.000Z');
  // The clocks skip 02:30 on that day.
  assert.equal(asked('2026-03-28T01:30:00Z', '2026-03-29'), '2026-03-29T01:30:00.000Z');
});

test('a local time that was asked for stays this local time in its own zone, whatever the calendar shows', () => {
  // 18:00 in New York is in the night of the next day in Berlin.
  const item = {
    scheduled_for: '2026-10-30T22:00:00Z',
    timezone: 'America/New_York',
    wall_time: '2026-10-30T18:00:00',
  };
  const moved = movedTo(item, '2026-11-02', 'Europe/Berlin');
  assert.deepEqual([moved.asked, moved.at.toISOString()], ['2026-11-02T18:00:00', '2026-11-02T23:00:00.000Z']);
  const inTokyo = movedTo(item, '2026-11-02', 'Asia/Tokyo');
  assert.equal(inTokyo.asked, '2026-11-01T18:00:00', 'two days after the 31st in Tokyo');
  assert.deepEqual(movedTo(item, '2026-10-30', 'Europe/Berlin').at.toISOString(), '2026-10-30T22:00:00.000Z');
});
