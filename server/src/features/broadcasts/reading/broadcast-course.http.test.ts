/** When a broadcast was opened and clicked: each recipient once, in the period of their first time. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { aWorkspace } from '../../../../test/harness/builders.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp, DRAFT } from '../test-kit.ts';

const READERS = 5;
const HOUR_MS = 3_600_000;

let t: BroadcastsApp;
let id: string;
let other: string;
before(async () => {
  t = await createBroadcastsApp({
    worker: true,
    env: { POSTHORN_SEND_RATE: '500', POSTHORN_PROVIDER_CEILING: '600' },
  });
  // Times in the past are counted, too.
  await sql`update email_counting set since = '2020-01-01'`.execute(t.app.db);
  id = await sentTo('reader');
  other = await sentTo('other');
  await startedHoursAgo(30);
  await first('first_opened_at', 0, 0);
  await first('first_opened_at', 1, 0);
  await first('first_opened_at', 2, 29);
  await first('first_clicked_at', 1, 5);
});
after(() => t.close());

async function sentTo(prefix: string): Promise<string> {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(READERS, prefix) } });
  assert.equal((await t.call('POST', `/${made.id}/send`)).status, 202);
  await t.until('all are sent', async () => (await t.call('GET', `/${made.id}/stats`)).body.sent === READERS);
  return made.id;
}
/** It began at a full hour. */
async function startedHoursAgo(hours: number): Promise<void> {
  const at = new Date(Math.floor(t.app.clock.now().getTime() / HOUR_MS) * HOUR_MS - hours * HOUR_MS);
  await sql`update broadcasts set started_at = ${at}
    where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
}
/** Gives a contact this first time, so many hours after the beginning. */
async function first(column: 'first_opened_at' | 'first_clicked_at', place: number, hours: number): Promise<void> {
  const opens = column === 'first_opened_at' ? 1 : 0;
  await sql`update emails e set ${sql.ref(column)} = b.started_at + make_interval(hours => ${hours}, mins => 20),
           open_count = open_count + ${opens}
      from broadcasts b
     where b.workspace_id = ${t.app.workspaceId} and b.id = ${id} and e.workspace_id = b.workspace_id
       and e.send_id = b.send_id and e.recipient = ${`reader-0000${place}@example.com`}`.execute(t.app.db);
}
async function course(of: string, query = ''): Promise<Body> {
  const { status, body, text } = await t.call('GET', `/${of}/course${query}`);
  assert.equal(status, 200, text);
  return body;
}
const shown = ({ data }: Body): [number, number, number][] =>
  data.flatMap(({ opened, clicked }: Body, index: number) =>
    opened + clicked === 0 ? [] : [[index, opened, clicked]],
  );

test('200: each contact is counted once in the hour of the first open and the first click, of this broadcast alone', async () => {
  const hours = await course(id, '?timezone=UTC');
  assert.deepEqual([hours.granularity, hours.timezone, hours.data.length], ['hour', 'UTC', 31]);
  assert.deepEqual(shown(hours), [
    [0, 2, 0],
    [5, 0, 1],
    [29, 1, 0],
  ]);
  assert.deepEqual([hours.totals, hours.uncounted], [{ opened: 3, clicked: 1 }, 0]);
  const nothing = await course(other);
  assert.deepEqual([shown(nothing), nothing.totals], [[], { opened: 0, clicked: 0 }]);
});

test('200 with days of the zone, by the path below /v1, too', async () => {
  const { status, body } = await t.app.request({
    method: 'GET',
    url: `/v1/broadcasts/${id}/course?granularity=day&timezone=Asia/Kathmandu`,
  });
  const days: Body = body;
  assert.equal(status, 200);
  assert.match(days.data[0].period, /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual(
    [days.granularity, days.timezone, days.totals],
    ['day', 'Asia/Kathmandu', { opened: 3, clicked: 1 }],
  );
  assert.equal(
    days.data.reduce((sum: number, { opened }: Body) => sum + opened, 0),
    3,
  );
});

test('200 without periods for a draft', async () => {
  const { data, totals, start, end } = await course((await t.draft()).id);
  assert.deepEqual([data, totals, start, end], [[], { opened: 0, clicked: 0 }, null, null]);
});

test('400 names the parameter that is wrong', async () => {
  for (const [query, param] of [
    ['granularity=week', 'granularity'],
    ['timezone=Mars/Base', 'timezone'],
  ]) {
    const { status, body } = await t.call('GET', `/${id}/course?${query}`);
    assert.deepEqual([status, body.param], [400, param], query);
  }
});

test('403 for a key without the scope', async () => {
  const key = await t.key({ scopes: ['issues:read'] });
  assert.equal((await t.call('GET', `/${id}/course`, { key })).status, 403);
});

test('404 for a broadcast that is not there, and the same for one of another workspace', async () => {
  const foreign = newId();
  await sql`insert into broadcasts (workspace_id, id, name, audience)
    values (${await aWorkspace(t.app.db)}, ${foreign}, ${DRAFT.name}, '{}')`.execute(t.app.db);
  for (const unknown of [foreign, newId()]) {
    const { status, body } = await t.call('GET', `/${unknown}/course`);
    assert.deepEqual([status, body.message], [404, `No broadcast with id ${unknown}.`]);
  }
});
