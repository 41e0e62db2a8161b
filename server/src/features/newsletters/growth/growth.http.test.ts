/** The growth of a newsletter: every way in and out is counted on its day, and the newest total is exact. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { addSuppression, type SuppressionReason } from '#features/suppressions';
import { foldTally } from '#platform/tally/fold-tally.ts';
import { addSubscribers, type Body, createIssuesApp, type IssuesApp } from '../issues/test-kit.ts';
import { growthTally } from './growth-queries.ts';

let t: IssuesApp;
before(async () => {
  t = await createIssuesApp();
});
after(() => t.close());

const DAY_MS = 86_400_000;
const dayOf = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

async function growthOf(id: string, query = ''): Promise<Body> {
  const url = `/${id}/growth?start=${dayOf(-3)}&end=${dayOf(1)}&timezone=UTC${query}`;
  const { status, body, text } = await t.call('GET', url);
  assert.equal(status, 200, text);
  return body;
}
/** The counts of each day: came, left, bounced, complained, removed, net, total. */
const daysOf = async (id: string): Promise<number[][]> =>
  (await growthOf(id)).data.map((day: Body) => [
    day.confirmed,
    day.unsubscribed,
    day.bounced,
    day.complained,
    day.removed,
    day.net,
    day.total,
  ]);
/** All that was counted so far happened a day earlier. */
const oneDayLater = (id: string) =>
  sql`update subscriber_growth set quarter = quarter - interval '1 day', folded = false
       where workspace_id = ${t.app.workspaceId} and newsletter_id = ${id}`.execute(t.app.db);

async function peopleOf(id: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; email: string }>`
    select id, email from subscribers where workspace_id = ${t.app.workspaceId} and newsletter_id = ${id}`.execute(
    t.app.db,
  );
  return new Map(rows.map((row) => [row.email, row.id]));
}
const suppress = (identity: string, reason: SuppressionReason) =>
  addSuppression({ db: t.app.db, workspaceId: t.app.workspaceId }, { identity, reason });

test('200: each way in and out is counted on its day, and totals are those of the ends of the days', async () => {
  const id = await t.list(8);
  await addSubscribers(t.app, id, 2, 'pending', 'later');
  await oneDayLater(id);
  const people = await peopleOf(id);
  const reader = (n: number): string => `reader-${n}@example.com`;
  const one = (email: string): string => `/${id}/subscribers/${people.get(email)}`;

  assert.equal((await t.call('POST', `${one(reader(0))}/unsubscribe`)).status, 200);
  await suppress(reader(1), 'hard_bounce');
  await suppress(reader(2), 'complaint');
  await suppress(reader(3), 'manual');
  await suppress('later-0@example.com', 'hard_bounce');
  assert.equal((await t.call('DELETE', one(reader(4)))).status, 200);
  assert.equal((await t.call('DELETE', one('later-1@example.com'))).status, 200);
  await foldTally(t.app.db, growthTally);
  await oneDayLater(id);

  await sql`update subscribers set status = 'active' where workspace_id = ${t.app.workspaceId}
    and newsletter_id = ${id} and email in (${reader(0)}, ${reader(1)})`.execute(t.app.db);
  await sql`update subscribers set last_opened_at = now() where workspace_id = ${t.app.workspaceId}
    and newsletter_id = ${id}`.execute(t.app.db);
  // One statement that moves people in both directions counts both.
  await sql`update subscribers set status = case when email = ${reader(5)} then 'unsubscribed' else 'active' end,
      metadata = '{"unsubscribe_reason": "user"}'
    where workspace_id = ${t.app.workspaceId} and newsletter_id = ${id} and email in (${reader(5)}, ${reader(2)})`.execute(
    t.app.db,
  );
  const expected = [
    [0, 0, 0, 0, 0, 0, 0],
    [8, 0, 0, 0, 0, 8, 8],
    [0, 2, 1, 1, 1, -5, 3],
    [3, 1, 0, 0, 0, 2, 5],
  ];
  assert.deepEqual(await daysOf(id), expected);
  await foldTally(t.app.db, growthTally);
  assert.deepEqual(await daysOf(id), expected, 'folded');
  const { totals, timezone } = await growthOf(id);
  assert.deepEqual([totals.confirmed, totals.net, totals.total, timezone], [11, 5, 5, 'UTC']);
  assert.equal((await t.call('GET', `/${id}`)).body.subscriber_counts.active, 5);
  const week = (await growthOf(id, '&granularity=month')).data.at(-1);
  assert.equal(week.total, 5);
});

test('200: a newsletter that nobody joined has zeros, and another newsletter has its own', async () => {
  const id = await t.list(0);
  assert.deepEqual(
    await daysOf(id),
    Array.from({ length: 4 }, () => [0, 0, 0, 0, 0, 0, 0]),
  );
});

test('the migration counts the people of before by what their rows tell, and nothing that was counted already', async () => {
  const id = await t.list(0);
  const at = (days: number): string => `${dayOf(days)}T10:00:00Z`;
  const rows: [status: string, confirmed: string | null, left: string | null, reason: string][] = [
    ['active', at(-3), null, ''],
    ['active', at(-2), null, ''],
    ['unsubscribed', at(-3), at(-1), 'user'],
    ['unsubscribed', at(-3), at(-1), 'soft_bounce'],
    ['unsubscribed', at(-2), at(-1), 'complaint'],
    ['unsubscribed', null, at(-1), 'manual'],
    ['pending', null, null, ''],
  ];
  for (const [n, [status, confirmed, left, reason]] of rows.entries()) {
    await sql`insert into subscribers (workspace_id, id, newsletter_id, email, status, confirmed_at, unsubscribed_at, metadata)
      values (${t.app.workspaceId}, ph_uuidv7(), ${id}, ${`${n}@example.com`}, ${status}, ${confirmed}, ${left},
        jsonb_build_object('unsubscribe_reason', ${reason}::text))`.execute(t.app.db);
  }
  await sql`delete from subscriber_growth where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  await sql`update subscriber_growth_counting set since = ${at(0).slice(0, 10)}::timestamptz`.execute(t.app.db);
  const folder = join(import.meta.dirname, '../../../../migrations');
  await sql.raw(await readFile(join(folder, '0064_earlier_subscriber_growth.sql'), 'utf8')).execute(t.app.db);
  assert.deepEqual(await daysOf(id), [
    [3, 0, 0, 0, 0, 3, 3],
    [2, 0, 0, 0, 0, 2, 5],
    [0, 1, 1, 1, 0, -3, 2],
    [0, 0, 0, 0, 0, 0, 2],
  ]);
});

test('400 names the parameter that is wrong, and 404 is for a newsletter of nobody', async () => {
  const id = await t.list(0);
  for (const [query, param] of [
    ['start=2026-02-30', 'start'],
    ['granularity=minute', 'granularity'],
    ['timezone=Mars/Base', 'timezone'],
    ['start=2020-01-01&granularity=hour', 'granularity'],
  ]) {
    const { status, body } = await t.call('GET', `/${id}/growth?${query}`);
    assert.deepEqual([status, body.param], [400, param], query);
  }
  assert.equal((await t.call('GET', '/0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11/growth')).status, 404);
});
