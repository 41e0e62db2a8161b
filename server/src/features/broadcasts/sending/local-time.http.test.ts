import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { newId } from '#platform/ids.ts';
import { localTimeIn } from '#platform/time/local-time.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp } from '../test-kit.ts';

let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp({
    worker: true,
    env: { POSTHORN_SEND_RATE: '900', POSTHORN_PROVIDER_CEILING: '1000' },
  });
});
after(() => t.close());

const HOME = 'America/New_York';
const soon = new Date(Math.ceil(Date.now() / 1_000) * 1_000 + 5_400_000);
/** In ninety minutes in New York: it has passed in Asia, and comes hours later in Samoa. */
const LOCAL = { scheduled_for: localTimeIn(HOME, soon), timezone: HOME, recipient_timezone: true };

/** A contact in each zone, in this order; null: nobody knows. Returns their ids. */
async function contactsIn(zones: readonly (string | null)[], prefix: string): Promise<string[]> {
  const ids = await t.contacts(zones.length, prefix);
  await sql`
    update contacts c set timezone = z.zone from unnest(${ids}::uuid[], ${[...zones]}::text[]) as z (id, zone)
     where c.workspace_id = ${t.app.workspaceId} and c.id = z.id`.execute(t.app.db);
  return ids;
}

const post = (id: string, action: string, body?: object) =>
  t.call('POST', `/${id}/${action}`, body === undefined ? {} : { body });

/** The recipients whose emails have left, with the version that they got. */
async function sentOf(id: string): Promise<string[]> {
  const { rows } = await sql<{ sent: string }>`
    select split_part(e.recipient, '@', 1) || ' ' || e.content_version as sent from emails e
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = ${id} and e.sent_at is not null
     order by 1`.execute(t.app.db);
  return rows.map(({ sent }) => sent);
}

const untilSent = (id: string, count: number) =>
  t.until(`${count} emails have left`, async () => (await sentOf(id)).length === count);

/** As when the time of its second start has come. */
const secondStart = (id: string) =>
  sql`
  with send as (
    update send_requests set parts = jsonb_set(parts, '{1,at}', to_jsonb('2026-01-01T00:00:00.000Z'::text))
     where workspace_id = ${t.app.workspaceId} and broadcast_id = ${id} returning id)
  update emails e set not_before = '2026-01-01' from send
   where e.workspace_id = ${t.app.workspaceId} and e.send_id = send.id and e.not_before = ${soon}`.execute(t.app.db);

test('each contact gets it at the local time of their zone; a pause, another version and a cancel in between hold for the rest', async () => {
  const zones = ['Pacific/Kiritimati', 'Asia/Kathmandu', HOME, null, 'Mars/Phobos', 'Pacific/Pago_Pago'];
  const audience = { contact_ids: await contactsIn(zones, 'local') };
  const made = await t.draft({ ...LOCAL, audience });
  assert.deepEqual([made.recipient_timezone, made.local_time], [true, LOCAL.scheduled_for]);

  const { checks } = (await post(made.id, 'check')).body;
  const { level, message } = checks.find((one: Body) => one.id === 'recipient_timezone');
  assert.equal(level, 'warning');
  assert.ok(message.startsWith(`2 of 6 have no known time zone, and get it at ${LOCAL.scheduled_for} in ${HOME}. `));
  assert.match(message, /For 2 of 6, .+ has passed: they get it at once\. It leaves at 3 times from /);
  const { body: counted } = await t.call('GET', `/${made.id}/audience-count`);
  assert.deepEqual([counted.will_send, counted.without_timezone], [6, 2]);
  assert.deepEqual(
    counted.starts.map(({ recipients }: Body) => recipients),
    [2, 3, 1],
  );
  assert.equal(counted.starts[1].at, soon.toISOString());

  const sent = await post(made.id, 'send');
  assert.deepEqual([sent.status, sent.body.status, sent.body.scheduled_for], [202, 'scheduled', soon.toISOString()]);
  await untilSent(made.id, 2);
  assert.deepEqual(await sentOf(made.id), ['local-00000 1', 'local-00001 1']);
  const { status, total_recipients: total, stats, progress } = await t.read(made.id);
  assert.deepEqual([status, total, stats.sent, stats.waiting], ['sending', 6, 2, 4]);
  assert.equal(progress.resumes_at, soon.toISOString());
  const { details } = (await t.read(made.id)).audit_log.find(({ action }: Body) => action === 'send_started');
  assert.deepEqual([details.total_recipients, details.last_start_at], [6, counted.starts[2].at]);
  assert.deepEqual(progress.starts.slice(1), [
    { at: soon.toISOString(), recipients: 3 },
    { at: counted.starts[2].at, recipients: 1 },
  ]);

  const { rows: sends } = await sql<{ id: string }>`select id from send_requests
    where workspace_id = ${t.app.workspaceId} and broadcast_id = ${made.id}`.execute(t.app.db);
  const job = (await t.app.request({ url: `/v1/send/${sends[0]?.id}` })).body as Body;
  assert.ok(job.estimatedCompletionAt > counted.starts[2].at, 'not before the last zone');

  assert.equal((await post(made.id, 'pause')).body.alreadyQueued, 0);
  await secondStart(made.id);
  const change = (body: object) => t.call('PATCH', `/${made.id}`, { body });
  assert.equal((await change({ recipient_timezone: false })).status, 409);
  assert.equal((await change({ html: '<p>Second</p>' })).status, 200);
  assert.equal((await sentOf(made.id)).length, 2);
  await post(made.id, 'resume');
  await untilSent(made.id, 5);
  assert.deepEqual((await sentOf(made.id)).slice(2), ['local-00002 2', 'local-00003 2', 'local-00004 2']);

  assert.deepEqual((await post(made.id, 'cancel')).body, { success: true, status: 'cancelled', alreadyQueued: 0 });
  await t.until('the rest is settled', async () => (await t.read(made.id)).stats.cancelled === 1);
  assert.equal((await sentOf(made.id)).length, 5);
  const copy = await post(made.id, 'duplicate');
  assert.equal(copy.body.recipient_timezone, false);
});

test('a broadcast waits until it is the local time of somebody in its audience, and then begins', async () => {
  const [id = ''] = await contactsIn(['Pacific/Pago_Pago'], 'late');
  const made = await t.draft({ ...LOCAL, audience: { contact_ids: [id] } });
  await post(made.id, 'send');
  const startsAt = async (): Promise<number> => {
    const { rows } = await sql<{ at: Date }>`select starts_at as at from broadcasts
      where workspace_id = ${t.app.workspaceId} and id = ${made.id}`.execute(t.app.db);
    return rows[0]?.at.getTime() ?? 0;
  };
  await t.until('the worker has looked', async () => (await startsAt()) > Date.now() + 3_000_000);
  assert.deepEqual([(await t.read(made.id)).status, (await startsAt()) <= Date.now() + 3_600_000], ['scheduled', true]);
  // In the meantime the contact has moved.
  await t.app.request({ method: 'PATCH', url: `/v1/contacts/${id}`, body: { timezone: 'Asia/Kathmandu' } });
  await sql`update broadcasts set starts_at = now() where workspace_id = ${t.app.workspaceId} and id = ${made.id}`.execute(
    t.app.db,
  );
  await untilSent(made.id, 1);
  await t.until('it is sent', async () => (await t.read(made.id)).status === 'sent');
});

test('a subscriber of a newsletter has the zone of the contact with their address', async () => {
  const { body } = await t.app.request({
    url: '/v1/newsletters',
    body: { name: 'Acme', slug: `n-${newId()}`, double_opt_in: false, postal_address: '1 Main Street, Springfield' },
  });
  const { id: newsletterId } = body as Body;
  await contactsIn(['Asia/Kathmandu', HOME], 'reader');
  for (const n of [0, 1]) {
    await t.app.request({
      url: `/v1/newsletters/${newsletterId}/subscribers`,
      body: { email: `reader-0000${n}@example.com` },
    });
  }
  const made = await t.draft({ ...LOCAL, audience: { newsletter_id: newsletterId } });
  await post(made.id, 'send');
  await untilSent(made.id, 1);
  assert.deepEqual(await sentOf(made.id), ['reader-00000 1']);
  assert.equal((await t.read(made.id)).stats.waiting, 1);
  await post(made.id, 'cancel');
});

test('422 without a time, or when the last zone is later than finish_by; without the switch it leaves at once', async () => {
  const ids = await contactsIn(['Pacific/Pago_Pago', HOME], 'refused');
  const made = await t.draft({ audience: { contact_ids: ids }, recipient_timezone: true });
  for (const body of [{}, { scheduled_for: null }]) {
    const refused = await post(made.id, 'send', body);
    assert.deepEqual([refused.status, refused.body.param], [422, 'scheduled_for'], refused.text);
  }
  const finishBy = new Date(soon.getTime() + 3_600_000).toISOString();
  const late = await post(made.id, 'send', { ...LOCAL, finish_by: finishBy });
  assert.deepEqual([late.status, late.body.param], [422, 'finish_by'], late.text);
  const { body: asked } = await t.call(
    'GET',
    `/${made.id}/audience-count?local_time=${LOCAL.scheduled_for}&timezone=${HOME}`,
  );
  assert.ok(late.body.message.includes(asked.starts[1].at.slice(0, 16)), late.body.message);
  assert.equal((await t.call('GET', `/${made.id}/audience-count?timezone=${HOME}`)).status, 422);
  assert.equal((await t.call('PATCH', `/${made.id}`, { body: { recipient_timezone: 'yes' } })).status, 400);
  assert.deepEqual(await t.stored(made.id), { sends: 0, emails: 0, events: [] });
  assert.equal((await post(made.id, 'send', { recipient_timezone: false })).body.status, 'sending');
  await untilSent(made.id, 2);
  assert.equal((await t.read(made.id)).progress.starts, null);
});

test('another zone by itself keeps the local time; a time that has passed is 422 when who gets it at once changes', async () => {
  const ids = await contactsIn(['Pacific/Pago_Pago'], 'rezoned');
  const day = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10);
  const time = { scheduled_for: `${day}T09:00:00`, timezone: 'Asia/Kathmandu', recipient_timezone: true };
  const made = await t.draft({ audience: { contact_ids: ids } });
  assert.equal((await post(made.id, 'send', time)).status, 202);
  const change = (body: object) => t.call('PATCH', `/${made.id}`, { body });
  const rezoned = await change({ timezone: 'Asia/Tokyo' });
  assert.deepEqual(
    [rezoned.body.scheduled_for, rezoned.body.local_time, rezoned.body.timezone],
    [`${day}T00:00:00.000Z`, time.scheduled_for, 'Asia/Tokyo'],
  );
  await sql`update broadcasts set scheduled_for = now() - interval '1 hour', starts_at = now() + interval '1 hour'
    where workspace_id = ${t.app.workspaceId} and id = ${made.id}`.execute(t.app.db);
  const refused = await change({ recipient_timezone: false });
  assert.deepEqual([refused.status, refused.body.param], [422, 'scheduled_for'], refused.text);
  assert.equal((await t.read(made.id)).recipient_timezone, true);
  assert.deepEqual(await t.stored(made.id), { sends: 0, emails: 0, events: [] });
  const moved = await change({ recipient_timezone: false, scheduled_for: `${day}T09:00:00` });
  assert.deepEqual([moved.status, moved.body.status], [200, 'scheduled'], moved.text);
  await post(made.id, 'cancel');
});
