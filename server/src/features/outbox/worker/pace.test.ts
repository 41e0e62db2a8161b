import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { systemClock } from '#platform/clock.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createPace } from './pace.ts';
import { providerAccount } from './provider-account.ts';
import { chargeSlots, pausePace, reserveSlots, stretchPace } from './queries/pace.ts';
import { aWorkspace, people, queued } from '../test-kit.ts';

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
/** When the next slot is that nobody has, from now on by the clock of the database. */
const nextInMs = async (): Promise<number> => {
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from next_slot - clock_timestamp())::double precision * 1000 as ms from send_pace`.execute(
    t.db,
  );
  return rows[0]?.ms ?? 0;
};
/** By how much a charge moves the next slot, which is too far ahead for the time of the statements to count. */
const movedBy = async (slots: number, ratePerSecond: number): Promise<number> => {
  await sql`update send_pace set next_slot = '2999-01-01T00:00:00Z'`.execute(t.db);
  await chargeSlots(t.db, slots, ratePerSecond);
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from next_slot - '2999-01-01T00:00:00Z')::double precision * 1000 as ms from send_pace`.execute(
    t.db,
  );
  return rows[0]?.ms ?? 0;
};
/** Stands still until it is moved. */
const heldClock = () => {
  const held = { nowMs: 1_000 };
  return { held, clock: { ...systemClock, monotonicMs: () => held.nowMs } };
};
const near = (actual: number, expected: number, tolerance: number): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual} is not ${expected} ± ${tolerance}`);

test('slots are evenly spaced and reach half a second ahead, no further', async () => {
  const grant = await reserve(1_000);
  assert.equal(grant.granted, 7);
  near(grant.firstInMs, 0, 1);
  near(grant.stepMs, 83.33, 0.01);
});

test('two processes never get the same slot: the second is told to wait, or gets those behind', async () => {
  const [first, second] = await Promise.all([reserve(1_000, 0.1), reserve(1_000, 0.1)]);
  assert.deepEqual([first.granted, second.granted].sort(), [0, 1]);
  const leftMs = await nextInMs();
  const third = await reserve(1_000, 0.1);
  // Slots are given out half a second ahead.
  assert.ok(third.granted === 0 && third.waitMs <= leftMs - 500, `${third.waitMs} of ${leftMs} ms`);
  assert.ok(third.waitMs > (await nextInMs()) - 501);
  const { rows } = await sql<{ from: string }>`
    update send_pace set slot = 7, next_slot = clock_timestamp() + interval '300 milliseconds'
    returning next_slot::text as from`.execute(t.db);
  const behind = await reserve(1_000);
  assert.equal(behind.firstSlot, 8);
  assert.ok(behind.firstInMs <= 300);
  const taken = await sql<{ ms: number }>`
    select extract(epoch from next_slot - ${rows[0]?.from}::timestamptz)::double precision * 1000 as ms
      from send_pace`.execute(t.db);
  assert.ok((taken.rows[0]?.ms ?? 0) > behind.granted * behind.stepMs - 0.1, 'one of them was somebody else’s');
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

test('after the clock of the database was set back, slots begin again a second later, and do not burst', async () => {
  await sql`update send_pace set next_slot = clock_timestamp() + interval '1 hour'`.execute(t.db);
  const grant = await reserve(1_000);
  assert.equal(grant.granted, 0);
  near(grant.waitMs, 500, 50);
  const leftMs = await nextInMs();
  assert.ok(leftMs <= 1_000, `the next slot is ${leftMs} ms ahead`);
  // Half a second later.
  await sql`update send_pace set next_slot = next_slot - interval '600 milliseconds'`.execute(t.db);
  assert.ok((await reserve(1_000)).granted > 0);
});

test('after the clock was set back, neither a short pause nor a slower pace lasts for an hour', async () => {
  await sql`update send_pace set stretch = 3, stretched_at = clock_timestamp() + interval '1 hour',
      paused_until = clock_timestamp() + interval '1 hour', pause_reason = 'throttled'`.execute(t.db);
  const grant = await reserve(1);
  assert.equal(grant.granted, 1);
  near(grant.stepMs, 83.33 * 3, 0.01);
  const { rows } = await sql<{ behind: boolean; paused: Date | null }>`
    select stretched_at <= clock_timestamp() as behind, paused_until as paused from send_pace`.execute(t.db);
  assert.deepEqual(rows, [{ behind: true, paused: null }]);
});

test('after the clock was set back, a provider that throttles is still heard', async () => {
  await sql`update send_pace set stretched_at = clock_timestamp() + interval '1 hour'`.execute(t.db);
  await stretchPace(t.db);
  const { rows } = await sql<{ stretch: number; isPaused: boolean }>`
    select stretch, paused_until > clock_timestamp() as "isPaused" from send_pace`.execute(t.db);
  assert.deepEqual(rows, [{ stretch: 1.5, isPaused: true }]);
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
  const { held, clock } = heldClock();
  const pace = createPace({ db: t.db, clock, ratePerSecond: 12 });
  await pace.reserve({ wanted: 5, pledged: 0 });
  held.nowMs += 83 + 60;
  pace.giveUpMissed();
  assert.equal(pace.held.length, 3);
});

test('a database clock that was set forward does not give the same moments out twice', async () => {
  const { clock } = heldClock();
  const pace = createPace({ db: t.db, clock, ratePerSecond: 12 });
  await pace.reserve({ wanted: 7, pledged: 0 });
  const last = pace.held.at(-1)?.at ?? 0;
  await sql`update send_pace set next_slot = clock_timestamp() - interval '1 hour'`.execute(t.db);
  await pace.reserve({ wanted: 7, pledged: 0 });
  near((pace.held[7]?.at ?? 0) - last, 83.33, 0.01);
});

test('a message to several people moves everybody’s next slot back', async () => {
  near(await movedBy(11, 12), 11 * 83.33, 0.1);
  await sql`update send_pace set next_slot = 'epoch'`.execute(t.db);
  assert.equal((await reserve(1, 0.1)).granted, 1);
  await chargeSlots(t.db, 11, 0.1);
  const { granted, waitMs } = await reserve(1, 0.1);
  assert.ok(granted === 0 && waitMs > 100_000, `${waitMs} ms`);
});

test('throttle answers of one second stretch the interval once and pause everybody', async () => {
  await Promise.all([stretchPace(t.db), stretchPace(t.db)]);
  await stretchPace(t.db);
  const { rows } = await sql<{ stretch: number; pause: number }>`
    select stretch, extract(epoch from paused_until - stretched_at)::double precision as pause from send_pace`.execute(
    t.db,
  );
  assert.deepEqual(rows, [{ stretch: 1.5, pause: 1 }]);
  await sql`update send_pace set paused_until = paused_until + interval '1 minute'`.execute(t.db);
  const paused = await reserve(10);
  assert.equal(paused.granted, 0);
  assert.equal(paused.pauseReason, 'throttled');
  near(paused.waitMs, 61_000, 10_000);
  await sql`update send_pace set paused_until = clock_timestamp(), stretched_at = null`.execute(t.db);
  near((await reserve(1)).stepMs, 125, 0.01);
});

test('a stretched interval creeps back to the setting and never below it', async () => {
  await sql`update send_pace set stretch = 1.5, stretched_at = clock_timestamp() - interval '6 seconds'`.execute(t.db);
  // Two seconds more or less change it by 6 ms; from 125 or to 83 it is further.
  near((await reserve(1)).stepMs, 83.33 * 1.3, 6);
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
  await providerAccount.noteProviderRate(t.db, 2);
  near((await reserve(1)).stepMs, 500, 0.01);
  await providerAccount.noteProviderRate(t.db, 14);
  near((await reserve(1)).stepMs, 83.33, 0.01);
  for (const none of [null, 0, -1]) {
    await providerAccount.noteProviderRate(t.db, none);
    near((await reserve(1)).stepMs, 83.33, 0.01);
  }
});

test('a message that costs more than its slot is charged at the rate of the provider', async () => {
  await providerAccount.noteProviderRate(t.db, 2);
  near(await movedBy(4, 12), 2_000, 0.1);
  await sql`update send_pace set provider_rate = 100`.execute(t.db);
  near(await movedBy(4, 12), 333.33, 0.1);
});
