import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createAuditFeature } from '#features/audit';
import { newId } from '#platform/ids.ts';
import { createLog } from '#platform/log.ts';
import { localTimeIn } from '#platform/time/local-time.ts';
import { countZones } from '../audience/zones-queries.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { listDue } from './move-queries.ts';
import { startDue } from './start-due.ts';

let t: BroadcastsApp;
let wiring: BroadcastsWiring;
before(async () => {
  t = await createBroadcastsApp();
  const { db, clock, settings, secrets } = t.app;
  const log = createLog({ level: 'error', destination: { write: () => undefined } });
  wiring = { db, clock, log, settings, secrets, audit: createAuditFeature({ db, clock, log }).auditLog };
});
after(async () => {
  await wiring.audit.stop();
  await t.close();
});

const HOUR_MS = 3_600_000;
/** No zone is further behind UTC among those of people. */
const LAST = 'Pacific/Pago_Pago';
const start = (id: string) => startDue(wiring, { workspaceId: t.app.workspaceId, id });

/** One at a local time to a contact in a zone, scheduled. */
async function scheduled(zone: string, { name }: { name: string }): Promise<Body> {
  const [contact = ''] = await t.contacts(1, name);
  await sql`update contacts set timezone = ${zone}
    where workspace_id = ${t.app.workspaceId} and id = ${contact}`.execute(t.app.db);
  const made = await t.draft({ audience: { contact_ids: [contact] }, recipient_timezone: true });
  const body = { scheduled_for: localTimeIn('UTC', new Date(Date.now() + 2 * HOUR_MS)), timezone: 'UTC' };
  const sent = await t.call('POST', `/${made.id}/send`, { body });
  assert.equal(sent.status, 202, sent.text);
  return sent.body;
}

/** Moves its time, and lets the worker look since then. */
const moveTime = (id: string, hours: number, look = hours) =>
  sql`
  update broadcasts
     set scheduled_for = now() + make_interval(hours => ${hours}::integer),
         starts_at = now() + make_interval(hours => ${look}::integer), wall_time = null
   where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);

test('how late it is counts from its time or the first local time of its audience, not from the first look', async () => {
  const home = await scheduled('UTC', { name: 'home' });
  await moveTime(home.id, -20, -34);
  assert.equal(await start(home.id), true);
  const behind = await scheduled(LAST, { name: 'behind' });
  await moveTime(behind.id, -30, -44);
  assert.equal(await start(behind.id), true);
  assert.deepEqual([(await t.read(home.id)).status, (await t.read(behind.id)).status], ['sending', 'sending']);
  const missed = await scheduled('UTC', { name: 'missed' });
  await moveTime(missed.id, -25, -1);
  assert.equal(await start(missed.id), true);
  assert.equal((await t.read(missed.id)).error_code, 'missed_window');
  assert.equal((await t.stored(missed.id)).sends, 0);
});

test('a fault at an early look is told once and may be mended until the time; then the broadcast has failed', async () => {
  const filter = { match: 'all', conditions: [{ field: 'email', op: 'contains', value: 'missing' }] };
  const segment = (await t.app.request({ url: '/v1/segments', body: { name: 'Missing', filter } })).body as Body;
  const { id } = await scheduled('UTC', { name: 'missing' });
  const { status } = await t.call('PATCH', `/${id}`, { body: { audience: { segment_id: segment.id } } });
  assert.equal(status, 200);
  assert.equal((await t.app.request({ method: 'DELETE', url: `/v1/segments/${segment.id}` })).status, 200);
  await moveTime(id, 2, -1);
  assert.equal(await start(id), false);
  const look = async (): Promise<number> => {
    const { rows } = await sql<{ minutes: number }>`
      select extract(epoch from starts_at - now())::double precision / 60 as minutes from broadcasts
       where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
    return Math.round(rows[0]?.minutes ?? 0);
  };
  assert.deepEqual([(await t.read(id)).status, await look()], ['scheduled', 60]);
  await wiring.audit.flush();
  await moveTime(id, 2, -1);
  const { db, clock, log } = wiring;
  const ofOther = createAuditFeature({ db, clock, log }).auditLog;
  assert.equal(await startDue({ ...wiring, audit: ofOther }, { workspaceId: t.app.workspaceId, id }), false);
  await moveTime(id, 2, -1);
  assert.equal(await start(id), false);
  await Promise.all([wiring.audit.flush(), ofOther.stop()]);
  const told = (await t.read(id)).audit_log.filter(({ action }: Body) => action === 'start_postponed');
  assert.deepEqual(
    told.map(({ details }: Body) => details.code),
    ['audience.segment_id'],
    'once, though two processes looked at it three times',
  );
  await moveTime(id, 0, -1);
  assert.equal(await start(id), true);
  const { status: after, error_code: code } = await t.read(id);
  assert.deepEqual([after, code], ['failed', 'audience.segment_id']);
  assert.equal((await t.stored(id)).sends, 0);
});

test('the zones of an audience of any size are counted for a start, and of the first people for a preview', async () => {
  const people = sql`select 'nobody@example.com' as email, false as has_left from generate_series(1, 3)`;
  const count = (max: number | null) => countZones(t.app.db, t.app.workspaceId, people, max);
  assert.deepEqual(await count(2), [{ zone: null, people: 2 }]);
  assert.deepEqual(await count(null), [{ zone: null, people: 3 }]);
});

test('broadcasts with a time of their own are due before those that are to be looked at, of which each round has a few', async () => {
  const { db, workspaceId } = t.app;
  await sql`update broadcasts set status = 'cancelled' where workspace_id = ${workspaceId}`.execute(db);
  const { id } = await scheduled(LAST, { name: 'looked-at' });
  await moveTime(id, 2, -20);
  const copy = (changes: ReturnType<typeof sql>, count: number) =>
    sql<{ id: string }>`insert into broadcasts
      select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), ${changes}))).*
        from broadcasts b, generate_series(1, ${count}::integer) where b.workspace_id = ${workspaceId} and b.id = ${id}
      returning id`.execute(db);
  await copy(sql`'name', 'looked at'`, 9);
  const { rows } = await copy(sql`'starts_at', null, 'scheduled_for', now()`, 2);
  const listed = async (failed: number): Promise<string[]> =>
    (await listDue(db, { limit: 100 + failed, until: new Date(Date.now() + HOUR_MS), failed })).map((due) => due.id);
  const due = await listed(0);
  assert.deepEqual(due.slice(0, 2).toSorted(), rows.map((row) => row.id).toSorted());
  assert.equal(due.length, 5);
  assert.equal((await listed(4)).length, 9, 'those that have failed hold up no others');
});

test('a time that a process of the version before local times sets or moves is looked at in time', async () => {
  const { db, workspaceId } = t.app;
  const { id } = await scheduled('UTC', { name: 'moved' });
  const move = async (days: number, from: string, look: string | null): Promise<number> => {
    await sql`update broadcasts set status = ${from}, starts_at = ${look}::timestamptz, scheduled_for = now() + interval '40 days'
      where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
    const { rows } = await sql<{ hours: number }>`
      update broadcasts set status = 'scheduled', scheduled_for = now() + make_interval(days => ${days}::integer)
       where workspace_id = ${workspaceId} and id = ${id}
      returning round(extract(epoch from starts_at - now()) / 3600)::integer as hours`.execute(db);
    return rows[0]?.hours ?? Number.NaN;
  };
  const inMonth = new Date(Date.now() + 39 * 24 * HOUR_MS).toISOString();
  assert.equal(await move(3, 'scheduled', inMonth), 3 * 24 - 26, 'moved to an earlier day');
  assert.equal(await move(1, 'scheduled', inMonth), 0, 'moved to tomorrow');
  assert.equal(await move(3, 'draft', null), 3 * 24 - 26, 'scheduled');
  const tomorrow = new Date(Date.now() + 24 * HOUR_MS).toISOString();
  assert.equal(await move(50, 'scheduled', tomorrow), 24, 'a move to a later day is found by the look that there is');
  await t.call('POST', `/${id}/cancel`);
});

test('a process of the version before local times starts none of these', async () => {
  const made = await scheduled('UTC', { name: 'old' });
  await moveTime(made.id, -1, 1);
  const before0113 = async () => {
    await sql`
      with sent as (
        insert into send_requests (workspace_id, id, content_id, source, total, broadcast_id, audience_kind, audience_id, bulk_state)
        values (${t.app.workspaceId}, ${newId()}, ${newId()}, 'broadcast', 0, ${made.id}, 'broadcast', ${made.id}, 'freezing')
        returning workspace_id, id
      )
      update broadcasts b set status = 'sending', started_at = now(), send_id = s.id
        from sent s where b.workspace_id = s.workspace_id and b.id = ${made.id} and b.status in ('draft', 'scheduled')`.execute(
      t.app.db,
    );
  };
  await assert.rejects(before0113, /knows no local times of recipients/);
  assert.equal((await t.read(made.id)).status, 'scheduled');
  await t.call('POST', `/${made.id}/cancel`);
});
