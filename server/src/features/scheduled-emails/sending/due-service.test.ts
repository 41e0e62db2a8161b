import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { forgetSenderDomains } from '#features/domains';
import { queue } from '#features/outbox';
import { aDomain } from '../../../../test/harness/builders.ts';
import { until } from '../../../../test/harness/until.ts';
import { type Body, createScheduledApp, EMAIL, inSeconds, type ScheduledApp } from '../test-kit.ts';
import type { DueService } from '#platform/work/due-service.ts';
import { createDueService } from './due-service.ts';
import { settleProcessing } from './settle-service.ts';

let t: ScheduledApp;
let due: DueService;
before(async () => {
  t = await createScheduledApp();
  due = createDueService(t.wiring);
});
after(() => t.close());

const read = async (id: string): Promise<Body> => (await t.call('GET', `/${id}`)).body;

/** Lets the provider take, or refuse, what a scheduled email became; none of our workers runs here. */
async function settle(id: string, status: string, error: string | null = null): Promise<void> {
  const { workspaceId, db } = t.app;
  await sql`update emails e set status = ${status}, error = ${error} from send_requests r
    where e.workspace_id = ${workspaceId} and r.workspace_id = e.workspace_id and r.id = e.send_id
      and r.scheduled_id = ${id}`.execute(db);
  await sql`update scheduled_emails set look_at = now()
    where workspace_id = ${workspaceId} and id = ${id}`.execute(db);
  await settleProcessing(t.wiring);
}

/** Due so many seconds ago. */
async function dueEmail(secondsAgo: number, body = {}, key?: string): Promise<Body> {
  const made = await t.scheduled(body, key);
  await read(made.id); // writes what the application has noted before the services write their own
  await t.dueAgo(made.id, secondsAgo);
  return made;
}

test('while sending is held none starts, in time or late; afterwards those of a day start and older ones fail', async () => {
  await queue.hold.begin(t.app.db, 'went_back');
  const inTime = await dueEmail(60);
  const tooLate = await dueEmail(86_401);
  assert.equal(await due.runOnce(), 0);
  assert.partialDeepStrictEqual(await t.stored(inTime.id), { sends: 0, row: { status: 'scheduled' } });
  assert.partialDeepStrictEqual(await t.stored(tooLate.id), { sends: 0, row: { status: 'scheduled' } });
  await queue.hold.end(t.app.db);
  assert.equal(await due.runOnce(), 2);
  assert.partialDeepStrictEqual(await t.stored(inTime.id), { sends: 1, row: { status: 'processing' } });
  assert.partialDeepStrictEqual(await t.stored(tooLate.id), { sends: 0, row: { status: 'failed' } });
  await settle(inTime.id, 'sent');
});

test('an email whose time has come is queued and then sent; one whose time has not is left alone', async () => {
  const file = { filename: 'a.txt', content: 'AAEC' };
  const { id } = await dueEmail(0, { to: ['ada@example.com', 'bob@example.com'], attachments: [file] });
  const later = await t.scheduled();
  assert.equal(await due.runOnce(), 1);
  assert.partialDeepStrictEqual(await t.stored(id), { sends: 1, emails: ['queued', 'queued'], files: 0 });
  const begun = await read(id);
  assert.equal(begun.status, 'processing');
  assert.deepEqual([begun.message_id, begun.sent_at], [null, null]);
  assert.equal(await due.runOnce(), 0);
  assert.partialDeepStrictEqual(await t.stored(later.id), { sends: 0, row: { status: 'scheduled' } });

  const job = await t.call('GET', `/v1/send/${begun.job_id}`);
  assert.equal(job.body.progress.total, 2);
  const [email] = job.body.emails.data;
  const record = (await t.call('GET', `/v1/emails/${email.id}`)).body;
  assert.deepEqual([record.source, record.scheduled_id], ['scheduled', id]);
  const content = (await t.call('GET', `/v1/emails/${email.id}/content`)).body;
  assert.deepEqual(
    content.attachments.map((one: Body) => one.filename),
    ['a.txt'],
  );

  await settle(id, 'sent');
  const sent = await read(id);
  assert.deepEqual([sent.status, sent.message_id, sent.error], ['sent', email.messageId, null]);
  assert.deepEqual(await t.actions(id), ['created', 'send_started', 'sent']);
  const log = (await read(id)).audit_log;
  assert.deepEqual(log.at(-1).details, { message_id: email.messageId });
  assert.ok(!('details' in log[1]));
  assert.deepEqual((await t.stored(id)).events, []);
});

test('an email stays processing while one of its emails waits', async () => {
  const { id } = await dueEmail(0);
  await due.runOnce();
  for (const status of ['deferred', 'sending', 'unconfirmed']) {
    await settle(id, status);
    assert.equal((await read(id)).status, 'processing', status);
  }
  await settle(id, 'delivered');
  assert.equal((await read(id)).status, 'sent');
});

test('an email of which nothing was sent has failed, with the reason, and one event tells of it', async () => {
  for (const [status, error, code, message] of [
    ['failed', '550 no such user', 'provider', '550 no such user'],
    ['suppressed', null, 'suppressed', 'Every address is on the suppression list.'],
    ['cancelled', null, 'cancelled', 'Its emails were cancelled before they left.'],
  ] as const) {
    const { id } = await dueEmail(0);
    await due.runOnce();
    await settle(id, status, error);
    await settleProcessing(t.wiring);
    const record = await read(id);
    assert.deepEqual([record.status, record.error_code, record.error], ['failed', code, message]);
    assert.deepEqual(await t.actions(id), ['created', 'send_started', 'failed']);
    assert.deepEqual((await t.stored(id)).events, ['scheduled.failed']);
  }
});

test('an address that is suppressed after scheduling gets nothing', async () => {
  const to = 'late@example.com';
  const { id } = await dueEmail(0, { to });
  await t.app.request({ url: '/v1/suppressions', body: { email: to } });
  assert.equal(await due.runOnce(), 1);
  assert.deepEqual((await t.stored(id)).emails, ['suppressed']);
  await settleProcessing(t.wiring);
  assert.equal((await read(id)).error_code, 'suppressed');
});

test('an email is never sent early: the clock of the database starts it', async () => {
  const { id } = await t.scheduled();
  t.app.clock.advance(86_400_000);
  try {
    assert.equal(await due.runOnce(), 0);
    await t.dueAgo(id, -0.3);
    await until('its time comes', async () => ((await due.runOnce()) === 1 ? true : undefined));
  } finally {
    t.app.clock.advance(-86_400_000);
  }
  const { row } = await t.stored(id);
  assert.ok(Date.parse(row.started_at) >= Date.parse(row.scheduled_for), 'not before its time');
});

test('an email that was due while nothing ran is sent late, and after a day it fails', async () => {
  const late = await dueEmail(86_000);
  const tooLate = await dueEmail(86_500, { attachments: [{ filename: 'a.txt', content: 'AAEC' }] });
  assert.equal(await due.runOnce(), 2);
  assert.equal((await read(late.id)).status, 'processing');
  const record = await read(tooLate.id);
  assert.deepEqual([record.status, record.error_code], ['failed', 'missed_window']);
  assert.match(record.error, /^missed_window/);
  assert.deepEqual(await t.actions(tooLate.id), ['created', 'failed']);
  assert.partialDeepStrictEqual(await t.stored(tooLate.id), { sends: 0, files: 0, events: ['scheduled.failed'] });
});

test('max_delay_seconds says how late is too late', async () => {
  const strict = await dueEmail(30, { max_delay_seconds: 10 });
  const patient = await dueEmail(200_000, { max_delay_seconds: 300_000 });
  assert.equal(await due.runOnce(), 2);
  assert.equal((await read(strict.id)).error_code, 'missed_window');
  assert.equal((await read(patient.id)).status, 'processing');
  assert.equal((await t.stored(strict.id)).sends, 0);
});

test('an email of a paused workspace waits, and leaves when the workspace goes on', async () => {
  const { id } = await dueEmail(0);
  const pause = (status: string) =>
    sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);
  await pause('paused');
  forgetSenderDomains(t.app.workspaceId);
  const refused = await t.app.request({ url: '/v1/send', body: { ...EMAIL } });
  assert.equal(refused.status, 403, 'this process remembers the pause');
  assert.equal(await due.runOnce(), 0);
  await pause('active');
  assert.equal(await due.runOnce(), 0);
  assert.equal((await t.stored(id)).row.status, 'scheduled');
  forgetSenderDomains(t.app.workspaceId);
  assert.equal(await due.runOnce(), 1);
});

test('an email whose domain is not verified any more fails and names the sender', async () => {
  const domainId = await aDomain(t.app.db, t.app.workspaceId, 'gone.example', { daily: null });
  const { id } = await dueEmail(0, { from: 'a@gone.example' });
  await sql`update domains set sending_enabled = false
    where workspace_id = ${t.app.workspaceId} and id = ${domainId}`.execute(t.app.db);
  forgetSenderDomains(t.app.workspaceId);
  assert.equal(await due.runOnce(), 1);
  const record = await read(id);
  assert.deepEqual([record.status, record.error_code], ['failed', 'from']);
  assert.equal((await t.stored(id)).sends, 0);
});

test('the cap of a domain counts on the day of sending: an email without room fails', async () => {
  await aDomain(t.app.db, t.app.workspaceId, 'capped.example', { daily: 1 });
  const first = await dueEmail(1, { from: 'a@capped.example' });
  const second = await dueEmail(0, { from: 'a@capped.example' });
  assert.equal(await due.runOnce(), 2);
  assert.equal((await read(first.id)).status, 'processing');
  const record = await read(second.id);
  assert.deepEqual([record.status, record.error_code], ['failed', 'limit_reached']);
  assert.match(record.error, /daily limit of 1 reached/);
  assert.equal((await t.stored(second.id)).sends, 0);
});

test('a deadline that passes before the email can start fails it', async () => {
  const { id } = await dueEmail(60, { expires_at: inSeconds(7_200) });
  await sql`update scheduled_emails set body = jsonb_set(body, '{expiresAt}', '"2020-01-01T00:00:00Z"')
    where workspace_id = ${t.app.workspaceId} and id = ${id}`.execute(t.app.db);
  assert.equal(await due.runOnce(), 1);
  assert.deepEqual([(await read(id)).error_code, (await t.stored(id)).sends], ['expiresAt', 0]);
});

test('an email of a test key stays on the server', async () => {
  const key = await t.key({ mode: 'test' });
  const { id } = await dueEmail(0, {}, key);
  assert.equal(await due.runOnce(), 1);
  const { rows } = await sql<{ sandbox: boolean }>`
    select e.sandbox from emails e join send_requests r on r.workspace_id = e.workspace_id and r.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and r.scheduled_id = ${id}`.execute(t.app.db);
  assert.deepEqual(rows, [{ sandbox: true }]);
});

test('a clock of the database that jumps forward starts nothing until it is believed', async () => {
  let stepMs = 0;
  const steady = { ...t.app.clock, monotonicMs: () => t.app.clock.monotonicMs() - stepMs };
  const service = createDueService({ ...t.wiring, clock: steady });
  await service.runOnce();
  // To this process, the clock of the database is suddenly an hour ahead.
  const { id } = await t.scheduled({ scheduled_for: inSeconds(3_000) });
  stepMs = 3_600_000;
  await t.dueAgo(id, 1);
  assert.equal(await service.runOnce(), 0);
  assert.equal((await t.stored(id)).row.status, 'scheduled');
  await t.call('DELETE', `/${id}`);
});

test('an email that cannot be started for a fault of ours holds up no other, and is tried again', async () => {
  const broken = await dueEmail(5);
  const good = await dueEmail(0);
  await sql`create function fail_one() returns trigger language plpgsql as $$
    begin raise exception 'out of order'; end $$`.execute(t.app.db);
  await sql`create trigger fails before update on scheduled_emails for each row
    when (old.id = ${sql.lit(broken.id)}::uuid) execute function fail_one()`.execute(t.app.db);
  assert.equal(await due.runOnce(), 1);
  assert.equal((await read(good.id)).status, 'processing');
  assert.partialDeepStrictEqual(await t.stored(broken.id), { sends: 0, row: { status: 'scheduled' } });
  await sql`drop trigger fails on scheduled_emails`.execute(t.app.db);
  assert.ok(t.logged.some((line) => line.includes(broken.id)));
  t.app.clock.advance(1_100);
  await until('it is tried again', async () => ((await due.runOnce()) === 1 ? true : undefined));
  assert.equal((await t.stored(broken.id)).sends, 1);
});
