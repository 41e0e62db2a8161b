import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { newId } from '#platform/ids.ts';
import { contactAudience } from '../recipients/contact-audience.ts';
import { type BroadcastsApp, createBroadcastsApp, inSeconds } from '../test-kit.ts';

// No worker runs: each step of it is taken here. One email leaves in a second.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp({ env: { POSTHORN_SEND_RATE: '1' } });
});
after(() => t.close());

const send = (id: string, body?: object) => t.call('POST', `/${id}/send`, body === undefined ? {} : { body });
const freeze = () => bulkSends.freeze(t.app.db, [contactAudience(t.app)]);
const willSend = async (id: string): Promise<number> => (await t.call('GET', `/${id}/audience-count`)).body.will_send;

test('nobody gets two follow-ups of one root, also when the second names the first and both are sent at once', async () => {
  const ids = await t.contacts(4, newId());
  const [a = '', b = '', c = '', d = ''] = ids;
  const root = await t.draft({ audience: { contact_ids: ids } });
  const first = await t.draft({ audience: { contact_ids: [a, b] }, follow_up_of: root.id });
  const second = await t.draft({ audience: { contact_ids: [b, c] }, follow_up_of: first.id });
  assert.deepEqual([first.follow_up_of, second.follow_up_of], [root.id, root.id]);
  const other = await t.draft({ audience: { contact_ids: [a, d] } });
  const sent = await Promise.all([send(first.id), send(second.id)]);
  assert.deepEqual(sent.map(({ body }) => body.total_recipients).sort(), [1, 2]);
  await freeze();
  // As when they are sent: their emails alone say who got them.
  await sql`update broadcasts set status = 'sent', sent_at = now()
    where workspace_id = ${t.app.workspaceId} and id = any (${[first.id, second.id]}::uuid[])`.execute(t.app.db);
  const third = await t.draft({ audience: { contact_ids: ids }, follow_up_of: root.id });
  assert.equal(await willSend(third.id), 1);
  assert.equal((await send(third.id)).body.total_recipients, 1);
  const fourth = await t.draft({ audience: { contact_ids: ids }, follow_up_of: root.id });
  assert.equal((await send(fourth.id)).body.param, 'audience');
  assert.equal((await send(other.id)).body.total_recipients, 2, 'a broadcast that follows nothing goes to all');
  await freeze();
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from emails e
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = any (${[first.id, second.id, third.id]}::uuid[])
     group by e.recipient having count(*) > 1`.execute(t.app.db);
  assert.deepEqual(rows, []);
});

test('a contact whose follow-up was stopped before it left may get another', async () => {
  const ids = await t.contacts(1, newId());
  const root = await t.draft({ audience: { contact_ids: ids } });
  const audience = { contact_ids: ids };
  const first = await t.draft({ audience, follow_up_of: root.id });
  await send(first.id);
  await t.call('POST', `/${first.id}/cancel`);
  const second = await t.draft({ audience, follow_up_of: root.id });
  assert.equal((await send(second.id)).body.total_recipients, 1);
});

test('422 for a follow-up of nothing, or of itself; a PATCH takes the root away', async () => {
  const refused = await t.call('POST', '', { body: { name: 'No', follow_up_of: newId() } });
  assert.deepEqual([refused.status, refused.body.param], [422, 'follow_up_of']);
  const root = await t.draft();
  const follow = await t.draft({ follow_up_of: root.id });
  for (const follow_up_of of [root.id, follow.id]) {
    const reply = await t.call('PATCH', `/${root.id}`, { body: { follow_up_of } });
    assert.deepEqual([reply.status, reply.body.param], [422, 'follow_up_of'], reply.text);
  }
  assert.equal((await t.read(root.id)).follow_up_of, null);
  assert.equal((await t.call('PATCH', `/${follow.id}`, { body: { follow_up_of: null } })).body.follow_up_of, null);
});

test('422 with the earliest time when it cannot be done by finish_by, now or at its time, and nothing is sent', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(100, newId()) } });
  const at = inSeconds(3_600);
  const rows = [{ finish_by: inSeconds(20) }, { scheduled_for: at, finish_by: inSeconds(3_620) }];
  for (const body of rows) {
    const reply = await send(made.id, body);
    assert.deepEqual([reply.status, reply.body.param], [422, 'finish_by'], reply.text);
    assert.match(reply.body.message, /The earliest time is \d{4}-/);
  }
  assert.deepEqual(await t.stored(made.id), { sends: 0, emails: 0, events: [] });
  const kept = await t.read(made.id);
  assert.deepEqual([kept.status, kept.finish_by], ['draft', null]);
  const finishBy = inSeconds(4_200);
  assert.equal((await send(made.id, { scheduled_for: at, finish_by: finishBy })).status, 202);
  assert.equal((await t.read(made.id)).finish_by, finishBy);
});

test('422 when a scheduled broadcast is moved to a time, or given an audience, with which it cannot be done by finish_by', async () => {
  const few = { contact_ids: await t.contacts(1, newId()) };
  const many = { contact_ids: await t.contacts(100, newId()) };
  const made = await t.draft({ audience: few });
  const at = inSeconds(3_600);
  assert.equal((await send(made.id, { scheduled_for: at, finish_by: inSeconds(3_620) })).status, 202);
  const before = await t.read(made.id);
  for (const body of [{ scheduled_for: inSeconds(7_200) }, { audience: many }]) {
    const reply = await t.call('PATCH', `/${made.id}`, { body });
    assert.deepEqual([reply.status, reply.body.param], [422, 'finish_by'], reply.text);
  }
  assert.deepEqual(await t.read(made.id), before);
  const moved = await t.call('PATCH', `/${made.id}`, { body: { scheduled_for: inSeconds(1_800), subject: 'Sooner' } });
  assert.equal(moved.status, 200, moved.text);
});

test('progress says when a broadcast will not be done in time', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(10, newId()) } });
  assert.equal((await send(made.id, { finish_by: inSeconds(7_200) })).status, 202);
  const { progress } = await t.read(made.id);
  assert.equal(progress.is_late, false);
  assert.ok(Date.parse(progress.estimated_completion_at) > Date.now());
  await freeze();
  assert.equal((await t.call('POST', `/${made.id}/pause`)).status, 200);
  const { progress: paused } = await t.read(made.id);
  assert.deepEqual([paused.state, paused.is_late, paused.estimated_completion_at], ['paused', false, null]);
  await sql`update broadcasts set finish_by = now() where workspace_id = ${t.app.workspaceId} and id = ${made.id}`.execute(
    t.app.db,
  );
  assert.equal((await t.read(made.id)).progress.is_late, true);
});

test('the footer has the postal address of the workspace, and the check warns when there is none', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(1, newId()) } });
  const check = async () => {
    const { status, body, text } = await t.call('POST', `/${made.id}/check`);
    assert.equal(status, 200, text);
    return body;
  };
  const levelOf = (body: { checks: { id: string; level: string }[] }, id: string) =>
    body.checks.find((one) => one.id === id)?.level;
  const before = await check();
  assert.deepEqual([before.ok, levelOf(before, 'postal_address'), before.audience.will_send], [true, 'warning', 1]);
  await sql`update workspaces set postal_address = '1 Main Street' where id = ${t.app.workspaceId}`.execute(t.app.db);
  assert.equal(levelOf(await check(), 'postal_address'), 'ok');
  assert.match((await t.call('GET', `/${made.id}/preview`)).body.text, /1 Main Street/);
  const unfit = await t.draft({ from: 'hello@elsewhere.example' });
  const { body, text } = await t.call('POST', `/${unfit.id}/check`);
  assert.deepEqual([body.ok, levelOf(body, 'recipients')], [false, 'error']);
  assert.match(text, /"Nobody would get it\. Left out: 0 unsubscribed, 0 suppressed\."/);
});
