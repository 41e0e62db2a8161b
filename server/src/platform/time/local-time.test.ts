import assert from 'node:assert/strict';
import { test } from 'node:test';
import { localTimeIn } from './local-time.ts';

for (const [zone, at, shown] of [
  ['UTC', '2026-12-01T00:00:00.999Z', '2026-12-01T00:00:00'],
  ['Europe/Berlin', '2026-12-01T08:00:00Z', '2026-12-01T09:00:00'],
  ['Europe/Berlin', '2026-07-01T22:00:00Z', '2026-07-02T00:00:00'],
  ['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T01:30:00'],
  ['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T01:30:00'],
  ['Asia/Kathmandu', '2026-12-31T18:15:00Z', '2027-01-01T00:00:00'],
] as const) {
  test(`at ${at} a clock in ${zone} shows ${shown}`, () => assert.equal(localTimeIn(zone, new Date(at)), shown));
}

test('more zones than are kept in mind are told right too', () => {
  const zones = Intl.supportedValuesOf('timeZone').slice(0, 200);
  const at = new Date('2026-12-01T08:00:00Z');
  const first = zones.map((zone) => localTimeIn(zone, at));
  assert.deepEqual(
    zones.map((zone) => localTimeIn(zone, at)),
    first,
  );
});
