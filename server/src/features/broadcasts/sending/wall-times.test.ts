import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createAuditFeature } from '#features/audit';
import { createLog } from '#platform/log.ts';
import { ZONE_RULES } from '#platform/time/wall-time.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';
import type { BroadcastsWiring } from '../wiring.ts';
import { broadcastServices } from './services.ts';
import { wallTimesService } from './wall-times.ts';

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

/** Ten o'clock in Kathmandu, some weeks from now: 04:15 in UTC, without summer time. */
const DAY = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
const TIME = { scheduled_for: `${DAY}T10:00:00`, timezone: 'Asia/Kathmandu' };
const MEANT = `${DAY}T04:15:00.000Z`;
const BY_OLD_RULES = `${DAY}T03:45:00.000Z`;
const ZONE_RULES_TOLD = { zone_rules: { from: '1900a', to: ZONE_RULES } };

/** As a process with older rules has stored it. */
const plant = (id: string) =>
  sql`update broadcasts set scheduled_for = ${BY_OLD_RULES}, wall_time = wall_time || '{"rules":"1900a"}'
    where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);

/** A draft to somebody with a wall time, stored by old rules. */
async function draft(name: string): Promise<Body> {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(1, name) }, ...TIME });
  await plant(made.id);
  return made;
}

test('the worker looks for broadcasts with wall times of older rules', () => {
  assert.ok(broadcastServices(wiring).some(({ name }) => name === 'wall times of scheduled broadcasts'));
});

test('a draft that was stored by older rules is scheduled by those of now', async () => {
  const { id } = await draft('stored');
  assert.equal(await wallTimesService(wiring).runOnce(), 0);
  const sent = await t.call('POST', `/${id}/send`, { body: {} });
  assert.equal(sent.status, 202, sent.text);
  const { status, scheduled_for: at } = await t.read(id);
  assert.deepEqual([status, at], ['scheduled', MEANT]);
  assert.deepEqual((await t.call('POST', `/${id}/cancel`)).status, 200);
});

test('a change of the content keeps the rules of its time; another zone by itself keeps the instant', async () => {
  const { id } = await draft('kept');
  const wallTime = async (): Promise<Body> => {
    const { rows } = await sql<Body>`select wall_time from broadcasts
      where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
    return rows[0].wall_time;
  };
  await t.call('PATCH', `/${id}`, { body: { subject: 'Other', timezone: TIME.timezone } });
  assert.deepEqual(await wallTime(), { shown: TIME.scheduled_for, rules: '1900a' });
  const { body } = await t.call('PATCH', `/${id}`, { body: { timezone: 'Asia/Tokyo' } });
  assert.deepEqual([body.scheduled_for, body.timezone], [BY_OLD_RULES, 'Asia/Tokyo']);
  assert.equal(await wallTime(), null);
});

test('two processes with new rules move hundreds of broadcasts, each once and with one entry', async () => {
  const { id, name } = await draft('many');
  await t.call('POST', `/${id}/send`, { body: {} });
  await plant(id);
  const { db, workspaceId } = t.app;
  await sql`insert into broadcasts
    select (jsonb_populate_record(b, jsonb_build_object('id', gen_random_uuid(), 'name', 'copy'))).*
      from broadcasts b, generate_series(1, 1100) where b.workspace_id = ${workspaceId} and b.id = ${id}`.execute(db);
  const moved = await Promise.all([wallTimesService(wiring).runOnce(), wallTimesService(wiring).runOnce()]);
  assert.equal(moved[0] + moved[1], 1_101);
  const { rows } = await sql<Body>`
    select (select count(*)::integer from broadcasts b where b.workspace_id = ${workspaceId} and b.status = 'scheduled'
               and b.scheduled_for = ${MEANT} and b.wall_time ->> 'rules' = ${ZONE_RULES}) as moved,
           count(distinct a.target_id)::integer as told, count(*)::integer as entries,
           array_agg(distinct a.details ->> 'record_name') as names
      from audit_entries a where a.workspace_id = ${workspaceId} and a.details ? 'zone_rules'`.execute(db);
  assert.deepEqual(rows[0], { moved: 1_101, told: 1_101, entries: 1_101, names: [name, 'copy'] });
  const log = (await t.read(id)).audit_log;
  assert.deepEqual(
    [log.at(-1).action, log.at(-1).details],
    ['scheduled', { scheduled_for: MEANT, was: BY_OLD_RULES, ...ZONE_RULES_TOLD }],
  );
});

test('new rules let the worker look again at once at one at local times that waits for its next look', async () => {
  const audience = { contact_ids: await t.contacts(1, 'looked') };
  const planted = async (lookIn: string): Promise<string> => {
    const { id } = await t.draft({ audience, ...TIME, recipient_timezone: true });
    assert.equal((await t.call('POST', `/${id}/send`, { body: {} })).status, 202);
    await plant(id);
    await sql`update broadcasts set starts_at = clock_timestamp() + ${lookIn}::interval
      where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
    return id;
  };
  const [looked, unseen] = [await planted('50 minutes'), await planted('20 days')];
  assert.equal(await wallTimesService(wiring).runOnce(), 2);
  const { rows } = await sql<{ id: string; now: boolean }>`
    select id, starts_at <= clock_timestamp() as now from broadcasts
     where workspace_id = ${t.app.workspaceId} and id = any (${[looked, unseen]}::uuid[])`.execute(t.app.db);
  assert.deepEqual(Object.fromEntries(rows.map(({ id, now }) => [id, now])), { [looked]: true, [unseen]: false });
  for (const id of [looked, unseen]) await t.call('POST', `/${id}/cancel`);
});
