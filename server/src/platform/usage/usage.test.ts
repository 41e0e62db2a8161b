import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { aWorkspace } from '../../../test/harness/builders.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/harness/database.ts';
import { createTestClock } from '../../../test/harness/test-clock.ts';
import { inTransaction } from '../db/database.ts';
import { newId } from '../ids.ts';
import { type Tier, windowOf } from '../utc-windows.ts';
import { lockRoom } from './paged-limits.ts';
import { listUsage } from './queries.ts';
import { takeUsage } from './take-usage.ts';
import { sweepUsage } from './usage-sweeper.ts';

let t: TestDatabase;
let workspaceId: string;
const key = newId();
before(async () => {
  t = await createTestDatabase();
  workspaceId = await aWorkspace(t.db);
});
after(() => t.close());
beforeEach(() => sql`delete from usage_windows`.execute(t.db));

type UsedWindow = [tier: Tier, start: string, used: number];

const use = async (windows: readonly UsedWindow[], subjectId = key): Promise<void> => {
  for (const [tier, start, used] of windows)
    await sql`insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
      values (${workspaceId}, ${subjectId}, ${tier}, ${start}, ${used})`.execute(t.db);
};

const left = async (): Promise<string[]> => {
  const { rows } = await sql<{ tier: string; start: Date }>`
    select tier, window_start as start from usage_windows order by tier, window_start`.execute(t.db);
  return rows.map(({ tier, start }) => `${tier} ${start.toISOString().slice(0, 13)}`);
};

const sweepAt = (at: string) => sweepUsage({ db: t.db, clock: createTestClock({ held: true, at: new Date(at) }) });

test('the current hour, day and month are kept, also on the last day of a month; what nobody reads any more is deleted', async () => {
  await use([
    ['hourly', '2026-10-29T23:00:00Z', 1],
    ['hourly', '2026-10-31T23:00:00Z', 1],
    ['daily', '2026-09-20T00:00:00Z', 1],
    ['daily', '2026-10-28T00:00:00Z', 1],
    ['daily', '2026-10-31T00:00:00Z', 1],
    ['monthly', '2026-09-01T00:00:00Z', 1],
    ['monthly', '2026-10-01T00:00:00Z', 1],
  ]);
  await sweepAt('2026-10-31T23:30:00Z');
  assert.deepEqual(await left(), [
    'daily 2026-10-28T00',
    'daily 2026-10-31T00',
    'hourly 2026-10-31T23',
    'monthly 2026-10-01T00',
  ]);
});

test('all old windows go, however many pages they are', async () => {
  await sql`insert into usage_windows (workspace_id, subject_id, tier, window_start, used)
    select ${workspaceId}, gen_random_uuid(), 'hourly', '2026-01-01T00:00:00Z', 1 from generate_series(1, 5100)`.execute(
    t.db,
  );
  await sweepAt('2026-10-31T23:30:00Z');
  assert.deepEqual(await left(), []);
});

test('a window counts for its own tier, its own start and its own subject', async () => {
  const midnight = '2026-10-31T00:00:00Z';
  await use([
    ['hourly', midnight, 1],
    ['daily', midnight, 2],
    ['daily', '2026-10-30T00:00:00Z', 4],
  ]);
  await use([['daily', midnight, 8]], newId());
  const asked = { tier: 'daily' as const, windowStart: new Date(midnight) };
  assert.deepEqual(await listUsage(t.db, workspaceId, key, [asked]), [{ tier: 'daily', used: 2 }]);
});

test('a page of a bulk send and a send of the API take new windows without a deadlock', async () => {
  const [quota = '', domain = ''] = [newId(), newId()].sort();
  const { rows } = await sql<{ now: Date }>`select now()`.execute(t.db);
  const take = (subjectId: string, tier: 'daily' | 'monthly') => ({
    workspaceId,
    subjectId,
    tier,
    windowStart: windowOf(tier, rows[0]?.now ?? new Date(0)).start,
    cap: 5,
    count: 1,
    refuse: () => new Error('full'),
  });
  const limits = [
    { workspaceId, subjectId: domain, tier: 'daily' as const, cap: 5 },
    { workspaceId, subjectId: quota, tier: 'monthly' as const, cap: 5 },
  ];
  const lockWaits = async () =>
    (
      await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        t.db,
      )
    ).rows.length;
  await takeUsage(t.db, [take(quota, 'monthly')]);
  let page: Promise<{ places: number | null }> | undefined;
  let runs = 0; // a transaction that ends in a deadlock is begun again
  await inTransaction(t.db, async (tx) => {
    await sql`select from usage_windows where subject_id = ${quota} for update`.execute(tx);
    runs += 1;
    page ??= inTransaction(t.db, (other) => {
      runs += 1;
      return lockRoom(other, limits);
    });
    while ((await lockWaits()) === 0) await new Promise(setImmediate);
    await takeUsage(tx, [take(domain, 'daily')]);
  });
  assert.deepEqual([(await page)?.places, runs], [4, 2]);
});
