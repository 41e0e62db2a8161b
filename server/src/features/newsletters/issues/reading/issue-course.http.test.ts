/** When an issue was opened and clicked: each recipient once, in the period of their first time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type Body, createIssuesApp, type IssuesApp } from '../test-kit.ts';

const READERS = 8;
const HOUR_MS = 3_600_000;

let t: IssuesApp;
let newsletterId: string;
let issueId: string;
before(async () => {
  t = await createIssuesApp({ worker: true, env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' } });
  // Times in the past are counted, too.
  await sql`update email_counting set since = '2020-01-01'`.execute(t.app.db);
  newsletterId = await t.list(READERS);
  issueId = (await t.draft(newsletterId)).id;
  assert.deepEqual((await course()).data, [], 'before it is sent');
  assert.equal((await t.call('POST', `/${newsletterId}/issues/${issueId}/send`)).status, 202);
  await t.until('all are sent', async () => {
    const { body } = await t.call('GET', `/${newsletterId}/issues/${issueId}/stats`);
    return body.sent === READERS;
  });
});
after(() => t.close());

async function course(query = ''): Promise<Body> {
  const { status, body, text } = await t.call('GET', `/${newsletterId}/issues/${issueId}/course${query}`);
  assert.equal(status, 200, text);
  return body;
}
/** Gives a person this first time, so many hours after the beginning, which lies at a full hour. */
const first = (column: 'first_opened_at' | 'first_clicked_at', place: number, hours: number) =>
  sql`update emails e set ${sql.ref(column)} = i.started_at + make_interval(hours => ${hours}, mins => 20), open_count = open_count + ${column === 'first_opened_at' ? 1 : 0}
        from issues i, (select id from emails where workspace_id = ${t.app.workspaceId} and lane = 2
                         order by id limit 1 offset ${place}) as one
       where i.workspace_id = ${t.app.workspaceId} and i.id = ${issueId}
         and e.workspace_id = ${t.app.workspaceId} and e.id = one.id`.execute(t.app.db);
const beganHoursAgo = (hours: number) => {
  const at = new Date(Math.floor(t.app.clock.now().getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS);
  return sql`update issues set started_at = ${at} where workspace_id = ${t.app.workspaceId} and id = ${issueId}`.execute(
    t.app.db,
  );
};
const shown = ({ data }: Body): [number, number, number][] =>
  data.flatMap(({ opened, clicked }: Body, index: number) =>
    opened + clicked === 0 ? [] : [[index, opened, clicked]],
  );

test('200: each recipient is counted once in the hour of the first open and the first click, folded or not', async () => {
  await beganHoursAgo(30);
  await first('first_opened_at', 0, 0);
  await first('first_opened_at', 1, 0);
  await first('first_opened_at', 2, 5);
  await first('first_clicked_at', 0, 5);
  await first('first_opened_at', 3, 29);
  // Opened again and counted as a click of a machine: nothing changes.
  await sql`update emails set open_count = open_count * 2, first_machine_opened_at = now()
    where workspace_id = ${t.app.workspaceId}`.execute(t.app.db);
  const before = await course('?timezone=UTC');
  assert.equal(before.granularity, 'hour', 'in the first 72 hours');
  assert.deepEqual(shown(before), [
    [0, 2, 0],
    [5, 1, 1],
    [29, 1, 0],
  ]);
  assert.deepEqual([before.data.length, before.totals, before.timezone], [31, { opened: 4, clicked: 1 }, 'UTC']);
  assert.equal(before.uncounted, 0);
  t.app.clock.advance(1_100);
  await t.until('the changes are folded', async () => {
    const { rows } = await sql`select from send_courses
      where workspace_id = ${t.app.workspaceId} and not folded limit 1`.execute(t.app.db);
    return rows.length === 0;
  });
  assert.deepEqual(await course('?timezone=UTC'), before);
});

test('200: days are days of the zone, and what came behind the hours is in the totals', async () => {
  await beganHoursAgo(30 + 24 * 4);
  const days = await course('?timezone=Asia/Kathmandu');
  assert.equal(days.granularity, 'day', 'after the first 72 hours');
  assert.match(days.data[0].period, /^\d{4}-\d\d-\d\d$/);
  assert.equal(
    days.data.reduce((sum: number, { opened }: Body) => sum + opened, 0),
    4,
  );
  const hours = await course('?granularity=hour');
  assert.deepEqual([hours.data.length, shown(hours), hours.totals], [72, [], { opened: 4, clicked: 1 }]);
});

test('200: opens from before this was counted are told apart', async () => {
  await sql`delete from send_courses where workspace_id = ${t.app.workspaceId} and opened > 1`.execute(t.app.db);
  const { totals, uncounted } = await course();
  assert.deepEqual([totals.opened, uncounted], [2, 2]);
});

test('400 names the parameter that is wrong, and 404 is for an issue of another newsletter', async () => {
  for (const [query, param] of [
    ['granularity=week', 'granularity'],
    ['timezone=Mars/Base', 'timezone'],
  ]) {
    const { status, body } = await t.call('GET', `/${newsletterId}/issues/${issueId}/course?${query}`);
    assert.deepEqual([status, body.param], [400, param], query);
  }
  const other = await t.list(0);
  assert.equal((await t.call('GET', `/${other}/issues/${issueId}/course`)).status, 404);
});
