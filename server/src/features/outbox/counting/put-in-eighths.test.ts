import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { foldTally } from '#platform/tally/fold-tally.ts';
import { readPeriods } from '#platform/time/periods.ts';
import { createTestDatabase, type TestDatabase } from '../../../../test/harness/database.ts';
import { createTestClock } from '../../../../test/harness/test-clock.ts';
import { type CountsAsked, countsTally, sumEmailCounts } from './email-counts-queries.ts';
import { moveCountsToHours } from './merge-old-counts-queries.ts';
import { putCountsInEighths } from './put-in-eighths.ts';

let t: TestDatabase;
before(async () => {
  t = await createTestDatabase();
});
after(() => t.close());

const QUARTER_MS = 900_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
// Over a change of the clocks in each zone: days of 23, 23.5 and 25 hours, and offsets of 30 and 45 minutes.
const SINCE = Date.UTC(2026, 9, 2);
const DAYS = 34;
const ZONES = ['UTC', 'Europe/Berlin', 'Asia/Kolkata', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'America/St_Johns'];
const now = new Date(SINCE + (DAYS + 1) * DAY_MS);
const NO_FILTER = { domainId: null, source: null, newsletterId: null, broadcastId: null, templateId: null };
const filter = { ...NO_FILTER, tag: null, mailboxProvider: null, withSystemMail: true, newsletterIds: [] };
const BY = { period: true, domain: false, newsletter: false, broadcast: false, template: false };

/** A generator with a seed, so that a failure can be had again. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}
const random = randomOf(20_261_123);

interface Change {
  quarter: number;
  source: string;
  tag: string;
  sent: number;
  deferred: number;
}

const aChange = (): Change => ({
  quarter: SINCE + random(DAYS * 96) * QUARTER_MS,
  source: ['api', 'issue'][random(2)] ?? 'api',
  tag: ['', '', 'kind:a', 'kind:b'][random(4)] ?? '',
  sent: random(9) - 2,
  deferred: random(3),
});

async function add(workspaceId: string, changes: readonly Change[]): Promise<void> {
  await sql`
    insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, tag, sent, deferred)
    select ${workspaceId}, to_timestamp(quarter / 1000), ${workspaceId}, source, ${workspaceId}, tag, sent, deferred
      from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb)
             as c (quarter bigint, source text, tag text, sent integer, deferred integer)`.execute(t.db);
}

async function put(at: Date, page?: number): Promise<void> {
  await sql`delete from rounds`.execute(t.db); // another hour
  await putCountsInEighths({ db: t.db, clock: createTestClock({ at }), ...(page ? { page } : {}) });
}

/** Each period, source and tag that has any, with its sums, from the changes themselves. */
function expected(changes: readonly Change[], bounds: readonly Date[], byTag: boolean): string[] {
  const sums = new Map<string, [number, number]>();
  for (const { quarter, source, tag, sent, deferred } of changes) {
    const next = bounds.findIndex((at) => at.getTime() > quarter);
    if (next < 1 || byTag === (tag === '')) continue;
    const key = `${next - 1} ${source} ${tag}`;
    const [a, b] = sums.get(key) ?? [0, 0];
    sums.set(key, [a + sent, b + deferred]);
  }
  return [...sums].flatMap(([key, [a, b]]) => (a === 0 && b === 0 ? [] : [`${key} ${a} ${b}`])).toSorted();
}

async function summed(asked: Pick<CountsAsked, 'workspaceId' | 'bounds'>, byTag: boolean): Promise<string[]> {
  const by = { ...BY, source: true, tag: byTag, mailbox_provider: false };
  const rows = await sumEmailCounts(t.db, { ...asked, by, filter, limit: 100_000 });
  return rows.map((row) => `${row.period} ${row.source} ${row.tag ?? ''} ${row.sent} ${row.deferred}`).toSorted();
}

const inEighths = async (workspaceId: string): Promise<number> => {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from email_counts where workspace_id = ${workspaceId} and in_eighths`.execute(t.db);
  return rows[0]?.n ?? 0;
};

test('the sums of each span and zone are those of the changes, whatever was put, folded, merged or told late', async () => {
  const workspaceId = newId();
  const changes: Change[] = [];
  for (let step = 0; step < 14; step += 1) {
    const more = Array.from({ length: 150 }, aChange);
    changes.push(...more);
    await add(workspaceId, more);
    const before = new Date(SINCE + random(DAYS) * DAY_MS + random(96) * QUARTER_MS);
    const doing = [
      () => foldTally(t.db, countsTally),
      () => put(new Date(before.getTime() + DAY_MS), 7 + random(200)),
      async () => {
        if (step < 8) return; // quarters are quarters first
        await moveCountsToHours(t.db, before, 10_000);
        for (const change of changes) {
          if (change.quarter < before.getTime()) change.quarter -= change.quarter % HOUR_MS;
        }
      },
    ];
    await doing[random(3)]?.();
    await doing[random(2)]?.();
    const [from, to] = [random(DAYS * 96), random(DAYS * 96)].toSorted((a, b) => a - b);
    const { bounds } = await readPeriods({
      start: new Date(SINCE + (from ?? 0) * QUARTER_MS).toISOString(),
      end: new Date(SINCE + ((to ?? 0) + 1) * QUARTER_MS).toISOString(),
      granularity: (['day', 'day', 'week', 'month', 'hour'] as const)[random(5)] ?? 'day',
      zone: ZONES[step % ZONES.length] ?? 'UTC',
      now,
    });
    for (const byTag of [false, true]) {
      assert.deepEqual(await summed({ workspaceId, bounds }, byTag), expected(changes, bounds, byTag), `step ${step}`);
      const whole = [bounds[0] ?? now, bounds.at(-1) ?? now];
      assert.deepEqual(await summed({ workspaceId, bounds: whole }, byTag), expected(changes, whole, byTag));
    }
  }
  assert.ok((await inEighths(workspaceId)) > 500, 'most rows are in eighths');
});

test('all but the last day is put into eighths, page by page, and a late change takes its row out for an hour', async () => {
  const workspaceId = newId();
  const changes = [25, 25, 30, 30, 23].map((hours, n) => ({
    quarter: now.getTime() - hours * HOUR_MS,
    source: `s${n % 2}`,
    tag: '',
    sent: 1,
    deferred: 0,
  }));
  await add(workspaceId, changes);
  await put(new Date(now.getTime() - DAY_MS)); // and those of the test before
  await foldTally(t.db, countsTally);
  await put(now, 1);
  assert.equal(await inEighths(workspaceId), 4);
  const eighths = async () =>
    (
      await sql`select eighth, source, sent from email_counts_by_eighth where workspace_id = ${workspaceId} and sent <> 0
                 order by 1, 2`.execute(t.db)
    ).rows.length;
  assert.equal(await eighths(), 4);
  await add(workspaceId, changes.slice(0, 1));
  await foldTally(t.db, countsTally);
  assert.deepEqual([await inEighths(workspaceId), await eighths()], [3, 3]);
  await put(now);
  assert.deepEqual([await inEighths(workspaceId), await eighths()], [4, 4]);
});

test('each count and each dimension of a row is in its eighth what it was before', async () => {
  const workspaceId = newId();
  const [bounds, by] = [
    [new Date(SINCE), new Date(SINCE + DAYS * DAY_MS)],
    { ...BY, domain: true, source: true, newsletter: true, broadcast: true, template: true },
  ];
  const sums = () =>
    sumEmailCounts(t.db, { workspaceId, bounds, by: { ...by, tag: false, mailbox_provider: true }, filter, limit: 10 });
  // Two quarters of one eighth: the second is added to the first.
  for (const quarter of [SINCE, SINCE + QUARTER_MS]) {
    await sql`
      insert into email_counts (workspace_id, quarter, domain_id, source, newsletter_id, broadcast_id, template_id, tag,
        delay, sent, delivered, opened, opened_machine, clicked, bounced, bounced_permanent, complained, unsubscribed,
        suppressed, failed, deferred)
      values (${workspaceId}, ${new Date(quarter)}, md5('d')::uuid, 'api', md5('n')::uuid, md5('b')::uuid,
        md5('t')::uuid, '@google', 4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)`.execute(t.db);
    const before = await sums();
    assert.equal(before.length, 1);
    await put(now);
    assert.deepEqual(await sums(), before);
  }
  assert.equal(await inEighths(workspaceId), 2);
});

test('a reader never sees a sum that was never true, while others count, fold and put into eighths', async () => {
  const workspaceId = newId();
  const some = (): Change => ({ ...aChange(), tag: '', sent: 1, deferred: 0 });
  await add(workspaceId, Array.from({ length: 100 }, some));
  let over = false;
  const seen: number[] = [];
  const bounds = [new Date(SINCE + HOUR_MS), new Date(SINCE + DAYS * DAY_MS + 5 * QUARTER_MS)];
  const all = async (): Promise<number> => {
    const by = { ...BY, period: false, source: false, tag: false, mailbox_provider: false };
    const [row] = await sumEmailCounts(t.db, { workspaceId, bounds, by, filter, limit: 10 });
    return row?.sent ?? 0;
  };
  const whileNotOver = async (act: () => Promise<unknown>): Promise<void> => {
    while (!over) await act();
  };
  const others = [
    whileNotOver(async () => seen.push(await all())),
    whileNotOver(() => foldTally(t.db, countsTally)),
    whileNotOver(() => foldTally(t.db, countsTally)),
    whileNotOver(() => put(now, 20)),
    whileNotOver(() => put(now, 20)),
  ];
  const write = async (): Promise<void> => {
    for (let n = 0; n < 40; n += 1)
      await add(workspaceId, [{ ...some(), quarter: SINCE + 2 * HOUR_MS + (n * DAY_MS) / 2 }]);
  };
  await Promise.all([write(), write()]).finally(() => {
    over = true;
  });
  await Promise.all(others);
  assert.ok(seen.length > 5, `${seen.length} sums were read`);
  assert.deepEqual(
    seen,
    seen.toSorted((a, b) => a - b),
    'a sum of changes that only add never falls',
  );
  const { rows } = await sql<{ sent: number }>`
    select sum(sent)::integer as sent from email_counts
     where workspace_id = ${workspaceId} and quarter >= ${bounds[0]} and quarter < ${bounds[1]}`.execute(t.db);
  assert.equal(await all(), rows[0]?.sent);
});
