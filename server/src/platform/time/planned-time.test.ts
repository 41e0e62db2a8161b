import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../errors/app-error.ts';
import { localTimeIn } from './local-time.ts';
import { type PlannedTime, readPlannedTime } from './planned-time.ts';
import { ZONE_RULES } from './wall-time.ts';
import { listZones } from './zones.ts';

const read = (text: string, timezone: string | null = null, zoneByDefault = 'UTC'): Promise<PlannedTime> =>
  readPlannedTime({ param: 'scheduled_for', text, timezone, zoneByDefault });

const refused = (param: string) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.deepEqual([error.name, error.extras.param, error.extras.unacceptable], ['validation_error', param, undefined]);
  return true;
};

test('an instant is what its offset says, whatever the zone', async () => {
  const at = new Date('2026-12-01T08:00:00Z');
  assert.deepEqual(await read('2026-12-01T09:00:00+01:00'), { at, timezone: null, note: null, wallTime: null });
  assert.deepEqual(await read('2026-12-01T09:00:00+01:00', 'Asia/Tokyo'), {
    at,
    timezone: 'Asia/Tokyo',
    note: null,
    wallTime: null,
  });
});

const WALL: readonly [text: string, zone: string, at: string, note: RegExp | null][] = [
  ['2026-12-01T09:00:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z', null],
  ['2026-12-01T09:00', 'Europe/Berlin', '2026-12-01T08:00:00.000Z', null],
  ['2026-07-01T09:00:00.5', 'Europe/Berlin', '2026-07-01T07:00:00.500Z', null],
  ['2026-11-01T01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z', /^01:30:00 comes twice on 2026-11-01 in /],
  ['2026-10-25T02:30:00', 'Europe/Berlin', '2026-10-25T00:30:00.000Z', /the first is used, at UTC\+02:00\.$/],
  ['2027-03-28T02:00:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z', /skip 02:00:00 on 2027-03-28; 03:00:00 is used/],
  ['2027-03-28T02:59:59', 'Europe/Berlin', '2027-03-28T01:59:59.000Z', /03:59:59 is used/],
  ['2027-03-28T03:00:00', 'Europe/Berlin', '2027-03-28T01:00:00.000Z', null],
  ['2026-10-04T02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z', /02:45:00 is used/],
  ['2026-12-01T09:00:00', 'Asia/Kathmandu', '2026-12-01T03:15:00.000Z', null],
  ['2026-02-28T23:59:59', 'Pacific/Kiritimati', '2026-02-28T09:59:59.000Z', null],
];

for (const [text, zone, at, note] of WALL) {
  test(`${text} in ${zone} is ${at}${note === null ? '' : ', with a note'}`, async () => {
    const planned = await read(text, zone);
    assert.equal(planned.at.toISOString(), at);
    assert.equal(planned.timezone, zone);
    if (note === null) assert.equal(planned.note, null);
    else assert.match(planned.note ?? '', note);
  });
}

test('a wall time without a zone is one of the zone by default, which is kept', async () => {
  assert.deepEqual(await read('2026-07-01T09:00:00', null, 'Asia/Kolkata'), {
    at: new Date('2026-07-01T03:30:00Z'),
    timezone: 'Asia/Kolkata',
    note: null,
    wallTime: { shown: '2026-07-01T09:00:00', rules: ZONE_RULES },
  });
});

const FROM_NOW = new Date('2026-10-24T22:00:00Z');
const readFromNow = (text: string) =>
  readPlannedTime({ param: 'scheduled_for', text, timezone: 'Europe/Berlin', zoneByDefault: 'UTC', now: FROM_NOW });

for (const [text, at] of [
  ['in 2 hours', '2026-10-25T00:00:00.000Z'],
  ['In 1 Hour', '2026-10-24T23:00:00.000Z'],
  ['in 90 seconds', '2026-10-24T22:01:30.000Z'],
  ['in 1 minute', '2026-10-24T22:01:00.000Z'],
  ['in 1 min', '2026-10-24T22:01:00.000Z'],
  ['in 30 secs', '2026-10-24T22:00:30.000Z'],
  ['in 2 hrs', '2026-10-25T00:00:00.000Z'],
  // 24 hours, although the clocks are set back that night.
  ['in 1 day', '2026-10-25T22:00:00.000Z'],
  ['in 2 weeks', '2026-11-07T22:00:00.000Z'],
] as const) {
  test(`${text} is counted from now`, async () => {
    assert.deepEqual(await readFromNow(text), {
      at: new Date(at),
      timezone: 'Europe/Berlin',
      note: null,
      wallTime: null,
    });
  });
}

for (const text of ['in an hour', 'in -1 hours', 'in 1.5 hours', 'in 2 months', '2 hours', 'in 9999999999 days']) {
  test(`${text} cannot be counted from now`, () => assert.rejects(readFromNow(text), refused('scheduled_for')));
}

test('a refusal names “in 2 hours” only where it can be used', async () => {
  const forms = 'such as 2026-12-01T09:00:00Z, or 2026-12-01T09:00:00 with a timezone';
  const message = `scheduled_for must be a time that exists, ${forms}`;
  await assert.rejects(readFromNow('tomorrow'), { message: `${message}, or "in 2 hours"` });
  await assert.rejects(read('tomorrow', 'UTC'), { message });
});

for (const text of [
  '2026-02-30T00:00:00',
  '2026-01-01T24:00:00',
  '2026-01-01T23:59:60',
  '2026-01-01',
  '2026-01-01T09',
  '2026-01-01T00:00:00+24:00',
  '2026-01-01T00:00:00 Europe/Berlin',
  'in 2 hours',
  '',
]) {
  test(`${JSON.stringify(text)} cannot be read`, () => assert.rejects(read(text, 'UTC'), refused('scheduled_for')));
}

test('a zone that is none is refused before the time is looked at, also beside an offset', async () => {
  await assert.rejects(read('nonsense', 'EST'), refused('timezone'));
  await assert.rejects(read('2026-12-01T09:00:00Z', ''), refused('timezone'));
});

// Zones with unusual changes, and some of every continent; POSTHORN_PROPERTY_RUNS takes all of them.
const ODD = [
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'America/Nuuk',
  'Asia/Gaza',
  'Pacific/Norfolk',
];
const zones =
  process.env['POSTHORN_PROPERTY_RUNS'] === undefined
    ? [...ODD, ...listZones().filter((_, index) => index % 10 === 3)]
    : listZones();

/** Milliseconds by which a zone is ahead of UTC, by Node's own calendar: nothing of the code under test. */
function offsetMsAt(zone: string, ms: number): number {
  return Date.parse(`${localTimeIn(zone, new Date(ms))}Z`) - Math.floor(ms / 1_000) * 1_000;
}

/** Every second at which the offset of a zone changes from 2025 to 2030. */
function changesOf(zone: string): number[] {
  const DAY = 86_400_000;
  const end = Date.UTC(2031, 0, 1);
  const found: number[] = [];
  for (let from = Date.UTC(2025, 0, 1); from < end; from += DAY) {
    const before = offsetMsAt(zone, from);
    if (before === offsetMsAt(zone, from + DAY)) continue;
    let [low, high] = [from / 1_000, (from + DAY) / 1_000];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (offsetMsAt(zone, middle * 1_000) === before) low = middle;
      else high = middle;
    }
    found.push(high * 1_000);
  }
  return found;
}

/** The instant by the rule, worked out by hand from the two offsets around a change. */
function expected(wallMs: number, before: number, after: number, change: number): { ms: number; isOdd: boolean } {
  const early = wallMs - before; // if the clocks had not changed yet
  const late = wallMs - after;
  const meant = [early < change ? early : null, late >= change ? late : null].filter((ms) => ms !== null);
  if (meant.length === 0) return { ms: early, isOdd: true }; // skipped: forward by what is skipped
  return { ms: Math.min(...meant), isOdd: meant.length === 2 };
}

test('around every change of the clocks from 2025 to 2030 a wall time is what the rule says', async () => {
  let checked = 0;
  for (const zone of zones) {
    for (const change of changesOf(zone)) {
      const [before, after] = [offsetMsAt(zone, change - 1_000), offsetMsAt(zone, change)];
      const edges = [change + before, change + after].flatMap((edge) => [edge - 1_000, edge, edge + 1_000]);
      const middle = change + (before + after) / 2;
      for (const wallMs of [...edges, middle]) {
        const wall = new Date(wallMs).toISOString().slice(0, 19);
        const planned = await read(wall, zone);
        const want = expected(wallMs, before, after, change);
        const where = `${wall} in ${zone}`;
        assert.equal(planned.at.toISOString(), new Date(want.ms).toISOString(), where);
        assert.equal(planned.note !== null, want.isOdd, `${where}: ${planned.note}`);
        checked += 1;
      }
    }
  }
  assert.ok(checked > 1_000, `${checked} wall times`);
});
