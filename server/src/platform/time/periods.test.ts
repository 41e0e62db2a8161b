import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Granularity, PERIODS_MAX, readPeriods } from './periods.ts';

const now = new Date('2026-11-22T10:07:00Z');

/** The labels, and the length of each in hours. */
async function cut(zone: string, granularity: Granularity, start?: string, end?: string) {
  const { bounds, labels } = await readPeriods({ start, end, granularity, zone, now });
  assert.equal(bounds.length, labels.length + 1);
  return labels.map((label, at) => [label, (Number(bounds[at + 1]) - Number(bounds[at])) / 3_600_000]);
}

test('the days around a change of the clocks have 23 and 25 hours, and midnight may not exist', async () => {
  assert.deepEqual(await cut('Europe/Berlin', 'day', '2026-03-28', '2026-03-31'), [
    ['2026-03-28', 24],
    ['2026-03-29', 23],
    ['2026-03-30', 24],
  ]);
  assert.deepEqual(await cut('Europe/Berlin', 'day', '2026-10-25', '2026-10-26'), [['2026-10-25', 25]]);
  assert.deepEqual(
    (await cut('America/Sao_Paulo', 'day', '2018-11-03', '2018-11-06')).map(([, hours]) => hours),
    [24, 23, 24],
  );
});

test('an hour that the clocks repeat is two periods, told apart by their offsets', async () => {
  const hours = await cut('Europe/Berlin', 'hour', '2026-10-25T00:00:00Z', '2026-10-25T02:00:00Z');
  assert.deepEqual(hours, [
    ['2026-10-25T02:00+02:00', 1],
    ['2026-10-25T02:00+01:00', 1],
  ]);
});

test('the hours of a zone with half an hour, and of one with three quarters, begin in its own time', async () => {
  assert.deepEqual(await cut('Asia/Kolkata', 'hour', '2026-11-20T00:00:00Z', '2026-11-20T02:00:00Z'), [
    ['2026-11-20T05:00+05:30', 0.5],
    ['2026-11-20T06:00+05:30', 1],
    ['2026-11-20T07:00+05:30', 0.5],
  ]);
  assert.deepEqual(await cut('Asia/Kathmandu', 'day', '2026-11-20', '2026-11-21'), [['2026-11-20', 24]]);
  const lordHowe = await cut('Australia/Lord_Howe', 'hour', '2026-04-04T14:00:00Z', '2026-04-04T16:00:00Z');
  assert.deepEqual(lordHowe, [
    ['2026-04-05T01:00+11:00', 1],
    ['2026-04-05T01:30+10:30', 0.5],
    ['2026-04-05T02:00+10:30', 0.5],
  ]);
});

test('weeks begin on Monday, months with their first day, and the span cuts the first and the last', async () => {
  assert.deepEqual(await cut('UTC', 'week', '2026-11-18', '2026-11-24'), [
    ['2026-11-16', 120],
    ['2026-11-23', 24],
  ]);
  assert.deepEqual(await cut('UTC', 'month', '2026-01-31', '2026-03-01'), [
    ['2026-01', 24],
    ['2026-02', 672],
  ]);
});

test('without start and end, the last thirty days to the end of this quarter of an hour', async () => {
  const days = await cut('Europe/Berlin', 'day');
  assert.equal(days.length, 30);
  assert.deepEqual([days[0]?.[0], days.at(-1)], ['2026-10-24', ['2026-11-22', 11.25]]);
});

test('more than two thousand periods are refused', async () => {
  const span = { zone: 'UTC', granularity: 'hour' as const, now };
  const { labels } = await readPeriods({ ...span, start: '2026-01-01', end: '2026-03-25T08:00:00Z' });
  assert.equal(labels.length, PERIODS_MAX);
  await assert.rejects(readPeriods({ ...span, start: '2026-01-01', end: '2026-03-25T09:00:00Z' }), /more than 2000/);
});
