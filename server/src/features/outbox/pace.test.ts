import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createPace } from './pace.ts';
import { noteProviderRate } from './provider-account.ts';
import { chargeSlots, pausePace, reserveSlots, stretchPace } from './queries/pace.ts';
import { aWorkspace, people, queued } from './test-kit.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
  await queued(t.db, await aWorkspace(t.db), 'bulk', people(50));
});
after(() => t.close());
beforeEach(() =>
  sql`update send_pace set next_slot = 'epoch', slot = 0, stretch = 1, stretched_at = null, paused_until = null,
      pause_reason = null, provider_rate = null`.execute(t.db),
);

const reserve = (wanted: number, ratePerSecond = 12): ReturnType<typeof reserveSlots> =>
  reserveSlots(t.db, { wanted, pledged: 0, ratePerSecond });
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

test('slots are evenly spaced and reach half a second ahead, no further', async () => {
  const grant = await reserve(1_000);
  assert.equal(grant.granted, 7);
  near(grant.firstInMs, 0, 1);
  near(grant.stepMs, 83.33, 0.01);
});

test('two processes never get the same slot: the second is told to wait', async () => {
  await reserve(1_000);
  const second = await reserve(1_000);
  assert.equal(second.granted, 0);
  near(second.waitMs, 83, 30);
  await sql`update send_pace set next_slot = clock_timestamp() + interval '300 milliseconds'`.execute(t.db);
  const third = await reserve(1_000);
  near(third.firstInMs, 300, 20);
  assert.equal(third.firstSlot, 8);
});

test('no slot is taken while nothing is due', async () => {
  const empty = await createTestDatabase();
  try {
    const grant = await reserveSlots(empty.db, { wanted: 10, pledged: 0, ratePerSecond: 12 });
    assert.equal(grant.granted, 0);
    assert.equal(grant.due, 0);
    const { rows } = await sql<{ slot: number }>`select slot from send_pace`.execute(empty.db);
    assert.equal(rows[0]?.slot, 0);
  } finally {
    await empty.close();
  }
});

test('no more slots are taken than emails are due', async () => {
  const grant = await reserve(1_000, 100_000);
  assert.equal(grant.granted, 50);
});

test('time in which nothing was due is not made good for by a burst', async () => {
  await sql`update send_pace set next_slot = clock_timestamp() - interval '1 hour'`.execute(t.db);
  const grant = await reserve(1_000);
  assert.equal(grant.granted, 7);
  near(grant.firstInMs, 0, 1);
});

test('a database clock that was set back stops nothing for longer than a second, and bursts nothing', async () => {
  await sql`update send_pace set next_slot = clock_timestamp() + interval '1 hour'`.execute(t.db);
  const grant = await reserve(1_000);
  assert.equal(grant.granted, 0);
  near(grant.waitMs, 500, 50);
});

test('every fifth slot of the shared count asks bulk first, whoever takes it', async () => {
  const pace = createPace({ db: t.db, clock: systemClock, ratePerSecond: 1_000 });
  const other = createPace({ db: t.db, clock: systemClock, ratePerSecond: 1_000 });
  await pace.reserve({ wanted: 3, pledged: 0 });
  await other.reserve({ wanted: 9, pledged: 0 });
  const prefers = [...pace.held, ...other.held].map((slot) => slot.prefersBulk);
  assert.deepEqual(
    prefers,
    [4, 9].reduce((list, at) => list.with(at, true), Array(12).fill(false)),
  );
});

test('a slot missed by more than 50 ms is given up', async () => {
  let skew = 0;
  const clock = { ...systemClock, monotonicMs: () => systemClock.monotonicMs() + skew };
  const pace = createPace({ db: t.db, clock, ratePerSecond: 12 });
  await pace.reserve({ wanted: 5, pledged: 0 });
  skew = 83 + 60;
  pace.giveUpMissed();
  assert.equal(pace.held.length, 3);
});

test('a database clock that was set forward does not give the same moments out twice', async () => {
  const pace = createPace({ db: t.db, clock: systemClock, ratePerSecond: 12 });
  await pace.reserve({ wanted: 7, pledged: 0 });
  const last = pace.held.at(-1)?.at ?? 0;
  await sql`update send_pace set next_slot = clock_timestamp() - interval '1 hour'`.execute(t.db);
  await pace.reserve({ wanted: 7, pledged: 0 });
  near((pace.held[7]?.at ?? 0) - last, 83, 51);
});

test('a message to several people moves everybody’s next slot back', async () => {
  await reserve(1);
  await chargeSlots(t.db, 11, 12);
  const grant = await reserve(1);
  assert.equal(grant.granted, 0);
  near(grant.waitMs, 500, 30);
});

test('throttle answers of one second stretch the interval once and pause everybody', async () => {
  await Promise.all([stretchPace(t.db), stretchPace(t.db)]);
  await stretchPace(t.db);
  const paused = await reserve(10);
  assert.equal(paused.granted, 0);
  assert.equal(paused.pauseReason, 'throttled');
  near(paused.waitMs, 1_000, 100);
  await sql`update send_pace set paused_until = clock_timestamp()`.execute(t.db);
  near((await reserve(1)).stepMs, 125, 1);
});

test('a stretched interval creeps back to the setting and never below it', async () => {
  await sql`update send_pace set stretch = 1.5, stretched_at = clock_timestamp() - interval '6 seconds'`.execute(t.db);
  near((await reserve(1)).stepMs, 83.33 * 1.3, 1);
  await sql`update send_pace set next_slot = 'epoch', stretched_at = clock_timestamp() - interval '1 hour'`.execute(
    t.db,
  );
  near((await reserve(1)).stepMs, 83.33, 0.01);
});

test('a pause says why, and the longer of two holds', async () => {
  await pausePace(t.db, 600, 'quota: Daily message quota exceeded');
  await pausePace(t.db, 60, 'credentials: 535');
  const grant = await reserve(10);
  assert.equal(grant.granted, 0);
  near(grant.waitMs, 600_000, 1_000);
});

test('a provider that allows less than the setting makes the steps longer; one that allows more changes nothing', async () => {
  await noteProviderRate(t.db, 2);
  near((await reserve(1)).stepMs, 500, 0.01);
  await noteProviderRate(t.db, 14);
  near((await reserve(1)).stepMs, 83.33, 0.01);
  for (const none of [null, 0, -1]) {
    await noteProviderRate(t.db, none);
    near((await reserve(1)).stepMs, 83.33, 0.01);
  }
});

test('what a message costs besides its slot is charged at the rate of the provider', async () => {
  const inMs = async (): Promise<number> => {
    const { rows } = await sql<{ ms: number }>`
      select extract(epoch from next_slot - clock_timestamp())::double precision * 1000 as ms from send_pace`.execute(
      t.db,
    );
    return rows[0]?.ms ?? 0;
  };
  await noteProviderRate(t.db, 2);
  await chargeSlots(t.db, 4, 12);
  near(await inMs(), 2_000, 100);
  await sql`update send_pace set next_slot = 'epoch', provider_rate = 100`.execute(t.db);
  await chargeSlots(t.db, 4, 12);
  near(await inMs(), 333, 100);
});
