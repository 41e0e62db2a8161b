/**
 * Every change of the clocks from 2025 to 2030, against two other implementations: the calendar of Node
 * (Intl) and PostgreSQL. Of a wall time that comes twice PostgreSQL means the second, and we the first (RFC 5545
 * §3.3.5); nothing else differs.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Temporal } from 'temporal-polyfill';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { localTimeIn } from './local-time.ts';
import { readPlannedTime } from './planned-time.ts';
import { listZones } from './zones.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

/** Their rules of September 2026 are in the data of Node, and not yet in that of PostgreSQL. */
const NEWER_HERE = new Set(['Africa/Casablanca', 'Africa/El_Aaiun']);
/** POSTHORN_PROPERTY_RUNS takes all: 9,000 wall times. */
const ODD = [...NEWER_HERE, 'Africa/Cairo', 'America/Nuuk', 'Asia/Gaza', 'Australia/Lord_Howe', 'Pacific/Norfolk'];
const zones =
  process.env['POSTHORN_PROPERTY_RUNS'] === undefined
    ? [...ODD, ...listZones().filter((_, index) => index % 10 === 7)]
    : listZones();

interface Moment {
  zone: string;
  wall: string;
  at: Date;
  note: string | null;
}

/** A second before, at and after both edges of each change, its middle, and noon of the day. */
async function momentsOf(zone: string): Promise<Moment[]> {
  const moments: Moment[] = [];
  let at = Temporal.Instant.from('2025-01-01T00:00:00Z').toZonedDateTimeISO(zone);
  const end = Temporal.Instant.from('2031-01-01T00:00:00Z').epochMilliseconds;
  for (;;) {
    const next = at.getTimeZoneTransition('next');
    if (next === null || next.epochMilliseconds >= end) return moments;
    const shown = next.toPlainDateTime();
    const before = next.subtract({ seconds: 1 }).toPlainDateTime().add({ seconds: 1 });
    const middle = shown.add({ seconds: Math.round(before.since(shown).total('seconds') / 2) });
    const edges = [shown, before].flatMap((edge) => [-1, 0, 1].map((seconds) => edge.add({ seconds })));
    for (const plain of [...edges, middle, shown.with({ hour: 12, minute: 0, second: 0 })]) {
      const wall = plain.toString({ smallestUnit: 'second' });
      const given = { param: 'scheduled_for', text: wall, timezone: zone, zoneByDefault: 'UTC' };
      moments.push({ zone, wall, ...(await readPlannedTime(given)) });
    }
    at = next;
  }
}

test('a wall time is the same instant to Intl and to PostgreSQL, in every zone and at every change', async (c) => {
  const moments = (await Promise.all(zones.map(momentsOf))).flat();
  const changed = new Set(moments.map(({ zone }) => zone)).size;
  assert.ok(moments.length > 500 && changed > 10, `${moments.length} wall times in ${changed} zones`);

  const { rows } = await sql<{ at: Date }>`
    select g.wall::timestamp at time zone g.zone as at
      from unnest(${moments.map(({ wall }) => wall)}::text[], ${moments.map(({ zone }) => zone)}::text[])
             with ordinality as g (wall, zone, n)
     order by g.n`.execute(t.db);
  const unexplained: string[] = [];
  let twice = 0;
  for (const [index, { zone, wall, at, note }] of moments.entries()) {
    const there = rows[index]?.at;
    assert.ok(there !== undefined);
    const where = `${wall} in ${zone}: ${at.toISOString()}, PostgreSQL ${there.toISOString()}, ${note}`;
    const isSkipped = note?.includes(' skip ') === true;
    // The calendar of Node shows the wall time at that instant, and at no earlier one.
    if (!isSkipped && localTimeIn(zone, at) !== wall) unexplained.push(`Intl: ${where}`);
    const isSame = there.getTime() === at.getTime();
    const isSecond = note?.includes('comes twice') === true && there > at && localTimeIn(zone, there) === wall;
    if (isSecond) twice += 1;
    if (!isSame && !isSecond && !NEWER_HERE.has(zone)) unexplained.push(`PostgreSQL: ${where}`);
  }
  assert.deepEqual(unexplained, []);
  c.diagnostic(`${moments.length} wall times in ${changed} zones; ${twice} come twice, and differ for that alone`);
});
