import assert from 'node:assert/strict';
import { test } from 'node:test';
import { firstWallTime, wallClock, wallTimes } from './wall-time.ts';

const instants = (local: string, zone: string) => wallTimes(local, zone).map((at) => new Date(at).toISOString());

test('a local time is one instant, none where clocks skip it, and two where clocks repeat it', () => {
  assert.deepEqual(instants('2026-12-01T09:00', 'Europe/Berlin'), ['2026-12-01T08:00:00.000Z']);
  assert.deepEqual(instants('2026-12-01T09:00', 'Asia/Kathmandu'), ['2026-12-01T03:15:00.000Z']);
  assert.deepEqual(instants('2026-03-29T02:30', 'Europe/Berlin'), []);
  assert.deepEqual(instants('2026-10-25T02:30', 'Europe/Berlin'), [
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
  ]);
  assert.deepEqual(instants('nonsense', 'Europe/Berlin'), []);
});

test('a field shows the clock of the zone, and what is typed is the first instant that it means', () => {
  const at = Date.parse('2026-12-01T08:00:00.000Z');
  assert.equal(wallClock(at, 'Europe/Berlin'), '2026-12-01T09:00');
  assert.equal(firstWallTime('2026-12-01T09:00', 'Europe/Berlin'), at);
  assert.equal(firstWallTime('2026-10-25T02:30', 'Europe/Berlin'), Date.parse('2026-10-25T00:30:00.000Z'));
  assert.equal(firstWallTime('2026-03-29T02:30', 'Europe/Berlin'), Date.parse('2026-03-29T01:30:00.000Z'));
});
