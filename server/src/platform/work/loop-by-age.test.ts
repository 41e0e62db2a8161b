import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { until } from '../../../test/harness/until.ts';
import { systemClock } from '../clock.ts';
import type { Service } from '../lifecycle.ts';
import { createLog } from '../log.ts';
import { loopByAge, trustInAges } from './loop-by-age.ts';

const DAY_MS = 86_400_000;

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase({ migrated: false });
});
after(() => t.close());

/** As much as the clock of the database is ahead of the monotonic one, and of the wall clock of this process. */
let ahead: { ofMonotonicMs: number; ofWallMs: number };
beforeEach(() => {
  ahead = { ofMonotonicMs: 0, ofWallMs: 0 };
});
const clock = {
  ...systemClock,
  monotonicMs: () => performance.now() - ahead.ofMonotonicMs,
  now: () => new Date(Date.now() - ahead.ofWallMs),
};
const ports = () => ({ db: t.db, clock, log: createLog({ level: 'silent' }), name: 'this test' });

test('after a step of the clock by months nothing is deleted by its age for a day', async () => {
  const isTrusted = trustInAges(ports());
  assert.equal(await isTrusted(), true);
  ahead.ofMonotonicMs = 90 * DAY_MS;
  assert.equal(await isTrusted(), false);
  ahead.ofMonotonicMs -= DAY_MS - 3_600_000; // almost a day later
  assert.equal(await isTrusted(), false);
  ahead.ofMonotonicMs -= 7_200_000;
  assert.equal(await isTrusted(), true);
});

test('a step that is taken back has deleted nothing, and the next round goes on', async () => {
  const isTrusted = trustInAges(ports());
  await isTrusted();
  ahead.ofMonotonicMs = 90 * DAY_MS;
  assert.equal(await isTrusted(), false);
  ahead.ofMonotonicMs = 0;
  assert.equal(await isTrusted(), true);
});

test('nothing is deleted while the clocks of the database and of this machine are more than an hour apart', async () => {
  const isTrusted = trustInAges(ports());
  for (const hours of [-2, 2]) {
    ahead.ofWallMs = hours * 3_600_000;
    assert.equal(await isTrusted(), false);
  }
  ahead.ofWallMs = 1_800_000;
  assert.equal(await isTrusted(), true);
});

/** How many of its rounds delete after so many began. */
async function deletionsOf(stepMs: number): Promise<number> {
  let deletions = 0;
  let looks = 0;
  const watched = {
    ...clock,
    monotonicMs: () => {
      looks += 1;
      return clock.monotonicMs();
    },
  };
  const service: Service = loopByAge({
    ...ports(),
    clock: watched,
    everyMs: 1,
    failure: 'this test fails',
    async round() {
      deletions += 1;
    },
  });
  await service.start();
  ahead.ofMonotonicMs = stepMs;
  const begun = looks;
  await until('several rounds', async () => looks > begun + 20 || undefined);
  await service.stop();
  return deletions;
}

test('a loop leaves its rounds out from its first one, when the step came after its start', async () => {
  assert.equal(await deletionsOf(90 * DAY_MS), 0);
  ahead.ofMonotonicMs = 0;
  assert.ok((await deletionsOf(0)) > 0);
});
