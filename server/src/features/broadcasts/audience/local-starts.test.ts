import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listZones } from '#platform/time/zones.ts';
import type { Schedule } from '../schedule-time.ts';
import { localStarts } from './local-starts.ts';

const at = (instant: string, timezone: string, shown: string | null): Schedule => ({
  scheduledFor: new Date(instant),
  timezone,
  scheduleNote: null,
  wallTime: shown === null ? null : { shown, rules: '2026a' },
});

/** When it leaves in a zone, beginning long before all of them. */
async function startsOf(schedule: Schedule, now = '2026-01-01T00:00:00Z') {
  const among = [...listZones(), 'Europe/Kiev', 'Mars/Phobos'];
  const { times, partOfZone, partOfOthers } = await localStarts(schedule, { among, now: new Date(now) });
  assert.deepEqual(
    times.map(Number),
    times.map(Number).toSorted((a, b) => a - b),
  );
  return (zone: string | null): string | undefined => {
    const part = zone === null ? partOfOthers : partOfZone.get(zone);
    return part === undefined ? undefined : times[part]?.toISOString();
  };
}

test('a local time is one instant in each zone, of whatever offset; nobody knows an unknown zone', async () => {
  const start = await startsOf(at('2026-12-01T08:00:00Z', 'Europe/Berlin', '2026-12-01T09:00:00'));
  assert.equal(start('Pacific/Kiritimati'), '2026-11-30T19:00:00.000Z');
  assert.equal(start('Asia/Kathmandu'), '2026-12-01T03:15:00.000Z');
  assert.equal(start('Europe/Kiev'), '2026-12-01T07:00:00.000Z', 'by the name of before');
  assert.equal(start('America/New_York'), '2026-12-01T14:00:00.000Z');
  assert.equal(start('Mars/Phobos'), undefined);
  assert.equal(start(null), '2026-12-01T08:00:00.000Z');
});

test('a local time that a zone skips moves forward there, and of one that comes twice the first is used', async () => {
  const gap = await startsOf(at('2027-03-14T02:30:00Z', 'UTC', '2027-03-14T02:30:00'));
  assert.equal(gap('America/New_York'), '2027-03-14T07:30:00.000Z', '03:30 of summer');
  const overlap = await startsOf(at('2027-11-07T01:30:00Z', 'UTC', '2027-11-07T01:30:00'));
  assert.equal(overlap('America/New_York'), '2027-11-07T05:30:00.000Z', 'still in summer');
  const skippedAtHome = await startsOf(at('2027-03-14T07:30:00Z', 'America/New_York', '2027-03-14T02:30:00'));
  assert.equal(skippedAtHome('UTC'), '2027-03-14T02:30:00.000Z', 'only that zone skips it');
});

test('an instant means the local time that it shows in its zone, where it stays this instant', async () => {
  const second = await startsOf(at('2027-11-07T06:30:00Z', 'America/New_York', null));
  assert.equal(second('America/New_York'), '2027-11-07T06:30:00.000Z', 'the second 01:30 of that night');
  assert.equal(second('UTC'), '2027-11-07T01:30:00.000Z');
});

test('all zones in which the time has passed are one part that begins now', async () => {
  const now = '2026-12-01T05:00:00.000Z';
  const start = await startsOf(at('2026-12-01T08:00:00Z', 'Europe/Berlin', '2026-12-01T09:00:00'), now);
  assert.deepEqual([start('Pacific/Kiritimati'), start('Asia/Kathmandu')], [now, now]);
  assert.equal(start('Europe/Berlin'), '2026-12-01T08:00:00.000Z');
});
