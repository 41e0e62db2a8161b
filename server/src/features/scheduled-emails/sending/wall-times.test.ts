import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { inTransaction } from '#platform/db/database.ts';
import { ZONE_RULES } from '#platform/time/wall-time.ts';
import { until } from '../../../../test/harness/until.ts';
import { createScheduledEmailsFeature } from '../feature.ts';
import { lockScheduledEmail } from '../queries/one.ts';
import { type Body, createScheduledApp, type ScheduledApp } from '../test-kit.ts';
import { wallTimesService } from './wall-times.ts';

/** Earlier than every version that there is. */
const OLD_RULES = '1900a';

let t: ScheduledApp;
before(async () => {
  t = await createScheduledApp();
});
after(() => t.close());

const runOnce = () => wallTimesService(t.wiring).runOnce();
const rowOf = async (id: string): Promise<Body> => (await t.stored(id)).row;
const logOf = async (id: string): Promise<Body[]> => {
  await t.actions(id);
  return (await t.call('GET', `/${id}`)).body.audit_log.slice(1);
};

/** Ten o'clock in Kathmandu, some weeks from now: 04:15 in UTC, without summer time. */
const DAY = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
const asked = () => t.scheduled({ scheduled_for: `${DAY}T10:00:00`, timezone: 'Asia/Kathmandu' });
const MEANT = `${DAY}T04:15:00.000Z`;
/** Of rules by which Kathmandu was half an hour later. */
const BY_OLD_RULES = `${DAY}T03:45:00.000Z`;

/** As a process with other rules has stored it. */
async function plant(id: string, { at = BY_OLD_RULES, rules = OLD_RULES } = {}): Promise<void> {
  await sql`update scheduled_emails
      set scheduled_for = ${at}, wall_time = wall_time || jsonb_build_object('rules', ${rules}::text)
    where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
}

test('a wall time is kept as it was asked for, with the rules by which it was read; an instant is not', async () => {
  const { id } = await asked();
  const { wall_time: wallTime, scheduled_for: at } = await rowOf(id);
  assert.deepEqual(wallTime, { shown: `${DAY}T10:00:00`, rules: ZONE_RULES });
  assert.match(ZONE_RULES, /^20\d\d[a-z]$/);
  assert.equal(new Date(at).toISOString(), MEANT);
  const instant = await t.scheduled({ scheduled_for: MEANT, timezone: 'Asia/Kathmandu' });
  assert.equal((await rowOf(instant.id)).wall_time, null);
  assert.equal((await rowOf((await t.scheduled()).id)).wall_time, null);
});

test('at the start of a worker with new rules an email moves to what its wall time means now, once and with an entry', async () => {
  const { id } = await asked();
  await plant(id);
  const service = createScheduledEmailsFeature(t.wiring).services.ofWorker.find(({ name }) => /wall times/.test(name));
  assert.ok(service !== undefined);
  const { version } = await rowOf(id);
  await service.start();
  try {
    await until('the new time', async () => ((await rowOf(id)).version > version ? true : undefined));
  } finally {
    await service.stop();
  }
  const { body } = await t.call('GET', `/${id}`);
  assert.deepEqual([body.scheduled_for, body.local_time, body.schedule_note], [MEANT, `${DAY}T10:00:00`, null]);
  assert.equal(await runOnce(), 0);
  const details = { from: BY_OLD_RULES, to: MEANT, zone_rules: { from: OLD_RULES, to: ZONE_RULES } };
  assert.deepEqual(
    (await logOf(id)).map(({ action, details: told }: Body) => [action, told]),
    [['rescheduled', details]],
  );
  assert.deepEqual((await rowOf(id)).wall_time, { shown: `${DAY}T10:00:00`, rules: ZONE_RULES });
  assert.deepEqual((await t.stored(id)).events, []);
});

test('an email whose wall time means what it meant stays as it is, and is not looked at again', async () => {
  const { id } = await asked();
  await plant(id, { at: MEANT });
  const seen = await rowOf(id);
  assert.equal(await runOnce(), 0);
  assert.deepEqual(await rowOf(id), { ...seen, wall_time: { ...seen.wall_time, rules: ZONE_RULES } });
  assert.deepEqual(await logOf(id), []);
});

test('a wall time that the new rules skip moves forward, with a note', async () => {
  const { id } = await t.scheduled({ scheduled_for: `${DAY}T10:00:00`, timezone: 'Europe/Berlin' });
  await plant(id);
  await sql`update scheduled_emails set wall_time = wall_time || '{"shown":"2099-03-29T02:30:00"}'
    where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
  assert.equal(await runOnce(), 1);
  const { body } = await t.call('GET', `/${id}`);
  assert.equal(body.scheduled_for, '2099-03-29T01:30:00.000Z');
  assert.match(body.schedule_note, /skip 02:30:00 on 2099-03-29; 03:30:00 is used/);
});

test('an email that is due, has ended or has later rules is left, and one that asks for an instant never moves', async () => {
  const due = await asked();
  await plant(due.id, { at: new Date(Date.now() - 1_000).toISOString() });
  const cancelled = await asked();
  await plant(cancelled.id);
  await t.call('DELETE', `/${cancelled.id}`);
  const later = await asked();
  await plant(later.id, { rules: '9999a' });
  const instant = await t.scheduled({ scheduled_for: MEANT, timezone: 'Asia/Kathmandu' });
  const moved = await asked();
  await plant(moved.id);
  await t.call('PATCH', `/${moved.id}/reschedule`, { body: { scheduled_for: MEANT } });
  const now = await asked();
  await plant(now.id);
  await t.call('POST', `/${now.id}/send-now`);
  const ids = [due, cancelled, later, instant, moved, now].map(({ id }) => id);
  const seen = await Promise.all(ids.map(rowOf));
  assert.equal(await runOnce(), 0);
  assert.deepEqual(await Promise.all(ids.map(rowOf)), seen);
  assert.deepEqual([seen[4].wall_time, seen[5].wall_time], [null, null]);
  await t.call('DELETE', `/${now.id}`);
});

test('an email that somebody holds is left until the next round', async () => {
  const { id } = await asked();
  await plant(id);
  const { db, workspaceId } = t.app;
  await inTransaction(db, async (tx) => {
    assert.ok((await lockScheduledEmail(tx, workspaceId, id)) !== undefined);
    assert.equal(await runOnce(), 0);
  });
  assert.deepEqual((await rowOf(id)).wall_time.rules, OLD_RULES);
  assert.equal(await runOnce(), 1);
  assert.deepEqual((await logOf(id)).length, 1);
});
