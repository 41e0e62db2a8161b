import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { systemClock } from '../clock.ts';
import { createLog } from '../log.ts';
import { DatabaseClock } from './database-clock.ts';

const HOUR_MS = 3_600_000;
/** The time of a look is that of the database at its answer and a second; statements take time on a busy machine. */
const NEAR_MS = 20_000;

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ migrated: false });
});
after(() => t.close());

/** As much as the clock of the database is ahead of the monotonic one, and of the wall clock of this process. */
let ahead: { ofMonotonicMs: number; ofWallMs: number };
let said: string[];
let databaseClock: DatabaseClock;
beforeEach(() => {
  ahead = { ofMonotonicMs: 0, ofWallMs: 0 };
  said = [];
  const clock = {
    ...systemClock,
    monotonicMs: () => performance.now() - ahead.ofMonotonicMs,
    now: () => new Date(Date.now() - ahead.ofWallMs),
  };
  const log = createLog({ level: 'warn', destination: { write: (line) => void said.push(line) } });
  databaseClock = new DatabaseClock({ db: t.db, clock, log, holds: 'this test' });
});

/** How far the time of a look is from that of the database; and whether the clock was set back. */
async function look(): Promise<{ aheadMs: number; wasSetBack: boolean }> {
  const { until, wasSetBack } = await databaseClock.look();
  return { aheadMs: until.getTime() - Date.now(), wasSetBack };
}
const isNear = (actual: number, expected: number): void =>
  assert.ok(Math.abs(actual - expected) < NEAR_MS, `${actual} is not about ${expected}`);

test('the clock of the database is believed while it runs as the monotonic one', async () => {
  for (const isFirst of [true, false, false]) {
    const { aheadMs, wasSetBack } = await look();
    isNear(aheadMs, 1_000);
    assert.equal(wasSetBack, isFirst, 'the first look knows nothing of the time before');
  }
  assert.deepEqual(said, []);
});

test('after a step forward nothing is due by the new time; when the step is taken back, everything is as before', async () => {
  await look();
  ahead.ofMonotonicMs += HOUR_MS;
  isNear((await look()).aheadMs, -HOUR_MS);
  isNear((await look()).aheadMs, -HOUR_MS);
  assert.equal(said.filter((line) => line.includes('went forward')).length, 1, 'it is said once');
  ahead.ofMonotonicMs -= HOUR_MS;
  const back = await look();
  isNear(back.aheadMs, 1_000);
  assert.ok(back.wasSetBack);
});

test('a new time that agrees with the clock of this machine for a minute is believed', async () => {
  await look();
  ahead.ofMonotonicMs += HOUR_MS;
  await look();
  ahead.ofMonotonicMs -= 30_000; // the monotonic clock goes on
  isNear((await look()).aheadMs, -HOUR_MS + 30_000);
  ahead.ofMonotonicMs -= 31_000;
  isNear((await look()).aheadMs, 1_000);
  assert.equal(said.filter((line) => line.includes('is believed')).length, 1);
  isNear((await look()).aheadMs, 1_000);
});

test('a new time that differs from the clock of this machine is not believed, and this is said every minute', async () => {
  await look();
  ahead = { ofMonotonicMs: HOUR_MS, ofWallMs: HOUR_MS };
  await look();
  for (const minute of [1, 2]) {
    ahead.ofMonotonicMs -= 61_000;
    isNear((await look()).aheadMs, -HOUR_MS + minute * 61_000);
  }
  assert.equal(said.filter((line) => line.includes('differ')).length, 2);
  ahead.ofWallMs = 0; // somebody set the clock of this machine right
  ahead.ofMonotonicMs -= 61_000;
  isNear((await look()).aheadMs, 1_000);
});

test('a step back is believed at once, and told once', async () => {
  await look();
  ahead.ofMonotonicMs -= HOUR_MS;
  const first = await look();
  isNear(first.aheadMs, 1_000);
  assert.ok(first.wasSetBack);
  assert.equal((await look()).wasSetBack, false);
});

test('a step of less than half a minute is believed: slow answers look like it', async () => {
  await look();
  ahead.ofMonotonicMs += 20_000;
  isNear((await look()).aheadMs, 1_000);
  ahead.ofMonotonicMs -= 20_000;
  assert.equal((await look()).wasSetBack, false);
  assert.deepEqual(said, []);
});
