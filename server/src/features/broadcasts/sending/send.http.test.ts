import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { bulkSends } from '#features/outbox';
import { inTransaction } from '#platform/db/database.ts';
import { createTestApp } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { contactAudience } from '../recipients/contact-audience.ts';
import { type Body, type BroadcastsApp, createBroadcastsApp, inSeconds } from '../test-kit.ts';

// No worker runs: each step of it is taken here.
let t: BroadcastsApp;
before(async () => {
  t = await createBroadcastsApp();
});
after(() => t.close());

const send = (id: string, body?: object) => t.call('POST', `/${id}/send`, body === undefined ? {} : { body });
const cancel = (id: string) => t.call('POST', `/${id}/cancel`);
const nothing = { sends: 0, emails: 0, events: [] };

/** Freezes pages of this many, and stops after so many. */
async function freeze(pageSize = 500, pages = Number.POSITIVE_INFINITY): Promise<void> {
  let done = 0;
  const audience = { ...contactAudience(t.app), pageSize };
  await bulkSends.freeze(t.app.db, [audience], () => done++ < pages * 2);
}

async function statusesOf(id: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ status: string; n: number }>`
    select e.status, count(*)::integer as n from emails e
      join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = ${id} group by 1 order by 1`.execute(t.app.db);
  return Object.fromEntries(rows.map(({ status, n }) => [status, n]));
}

test('202 once, 409 the second time and for a change; of two calls at once one is refused', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(3, 'once') } });
  const replies = await Promise.all([send(made.id), send(made.id)]);
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 409]);
  const { body } = replies.find(({ status }) => status === 202) ?? { body: {} };
  assert.deepEqual(Object.keys(body), ['success', 'id', 'status', 'total_recipients', 'estimatedCompletionAt']);
  assert.equal(body.total_recipients, 3);
  assert.equal((await send(made.id)).status, 409);
  assert.equal((await t.call('PATCH', `/${made.id}`, { body: { subject: 'Too late' } })).status, 409);
  assert.equal((await t.call('DELETE', `/${made.id}`)).status, 409);
  assert.equal((await t.stored(made.id)).sends, 1);
});

test('422 names what is missing, 403 a key of another domain, and nothing is sent', async () => {
  const [contact = ''] = await t.contacts(1, 'lacking');
  const audience = { contact_ids: [contact] };
  const gone = await t.list([]);
  const rows: [object, string][] = [
    [{ audience, from: null }, 'from'],
    [{ audience, from: 'hello@elsewhere.example' }, 'from'],
    [{ audience, subject: null }, 'subject'],
    [{ audience, html: null }, 'html'],
    [{}, 'audience'],
    [{ audience: { list_ids: [gone] } }, 'audience'],
    [{ audience: { contact_ids: [contact], exclude_list_ids: [await t.list([contact])] } }, 'audience'],
  ];
  for (const [given, param] of rows) {
    const made = await t.draft(given);
    const reply = await send(made.id);
    assert.deepEqual([reply.status, reply.body.param], [422, param], reply.text);
    assert.deepEqual(await t.stored(made.id), nothing);
    assert.equal((await t.read(made.id)).status, 'draft');
  }
  const made = await t.draft({ audience });
  const reader = await t.key({ scopes: ['broadcasts:read', 'broadcasts:write'] });
  assert.equal((await t.call('POST', `/${made.id}/send`, { key: reader })).status, 403);
  await t.app.request({ url: `/v1/contacts/${contact}/unsubscribe`, body: {} });
  assert.equal((await send(made.id)).body.param, 'audience', 'the only contact has left');
  assert.deepEqual(await t.stored(made.id), nothing);
});

test('an audience is what it was at the send: who joins or is taken off later changes nothing, who leaves does', async () => {
  const ids = await t.contacts(6, 'frozen');
  const [late = '', removed = '', left = '', all = '', gone = '', kept = ''] = ids;
  const list = await t.list(ids.slice(1));
  const made = await t.draft({ audience: { list_ids: [list] } });
  assert.equal((await send(made.id)).body.total_recipients, 5);
  await t.app.request({ url: `/v1/lists/${list}/contacts`, body: { contact_ids: [late] } });
  await t.app.request({ method: 'DELETE', url: `/v1/lists/${list}/contacts`, body: { contact_ids: [removed] } });
  await t.app.request({ url: `/v1/contacts/${left}/unsubscribe`, body: { list_id: list } });
  await t.app.request({ url: `/v1/contacts/${all}/unsubscribe`, body: {} });
  await t.app.request({ method: 'DELETE', url: `/v1/contacts/${gone}` });
  await freeze();
  const { rows } = await sql<{ id: string }>`
    select e.subscriber_id as id from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = ${made.id}`.execute(t.app.db);
  assert.deepEqual(rows.map(({ id }) => id).sort(), [removed, kept].sort());
  assert.equal((await t.read(made.id)).stats.skipped_unsubscribed, 3);
});

test('a contact who leaves after the email was written is stopped, and let again on coming back', async () => {
  const ids = await t.contacts(4, 'stopped');
  const [all = '', ofList = '', back = ''] = ids;
  const list = await t.list(ids);
  const made = await t.draft({ audience: { list_ids: [list] } });
  await send(made.id);
  await freeze();
  await t.app.request({ url: `/v1/contacts/${all}/unsubscribe`, body: {} });
  await t.app.request({ url: `/v1/contacts/${ofList}/unsubscribe`, body: { list_id: list } });
  await t.app.request({ url: `/v1/contacts/${back}/unsubscribe`, body: {} });
  const patch = { method: 'PATCH', url: `/v1/contacts/${back}`, body: { unsubscribed: false } };
  assert.equal((await t.app.request(patch)).status, 200);
  const { rows } = await sql<{ id: string }>`
    select recipient_id as id from audience_stops
     where workspace_id = ${t.app.workspaceId} and audience_id = ${made.id}`.execute(t.app.db);
  assert.deepEqual(rows.map(({ id }) => id).sort(), [all, ofList].sort());
  const { emails } = await emailsOf(made.id);
  const loaded = await contactAudience(t.app).loadRecipients(emails);
  assert.equal(loaded.size, 2, 'their messages are not even made');
});

async function emailsOf(id: string) {
  const { rows } = await sql<{
    workspaceId: string;
    emailId: string;
    sendId: string;
    contentId: string;
    subscriberId: string;
    recipient: string;
  }>`
    select e.workspace_id as "workspaceId", e.id as "emailId", e.send_id as "sendId", e.content_id as "contentId", e.subscriber_id as "subscriberId",
           e.recipient
      from emails e join send_requests s on s.workspace_id = e.workspace_id and s.id = e.send_id
     where e.workspace_id = ${t.app.workspaceId} and s.broadcast_id = ${id}`.execute(t.app.db);
  return { emails: rows };
}

test('a freeze that ends between two pages goes on with the next one, and writes nobody twice', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(25, 'resumed') } });
  await send(made.id);
  await freeze(10, 1);
  assert.equal((await t.stored(made.id)).emails, 10);
  // A process that dies before the commit of a page leaves nothing of it.
  await assert.rejects(
    inTransaction(t.app.db, async (tx) => {
      await bulkSends.freeze(tx, [{ ...contactAudience(t.app), pageSize: 10 }], () => true);
      throw new Error('killed');
    }),
    /killed/,
  );
  assert.equal((await t.stored(made.id)).emails, 10);
  await freeze(10);
  await freeze(10);
  assert.deepEqual(await statusesOf(made.id), { pending: 25 });
  const pages = (await t.read(made.id)).audit_log.filter(({ action }: Body) => action === 'page_sent');
  assert.deepEqual(
    pages.map(({ details }: Body) => [details.page, details.sent]),
    [
      [1, 10],
      [2, 10],
      [3, 5],
    ],
  );
});

test('200 for a cancel: nothing more is queued, the log has both entries in order, and a second one is 409', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(25, 'cancelled') } });
  assert.equal((await cancel(made.id)).status, 409, 'a draft');
  await send(made.id);
  await freeze(10, 1);
  const reply = await cancel(made.id);
  assert.deepEqual(reply.body, { success: true, status: 'cancelled', alreadyQueued: 0 });
  const { status, audit_log: log } = await t.read(made.id);
  assert.equal(status, 'cancelled');
  assert.deepEqual(log.at(-1), { ...log.at(-1), action: 'cancel_requested', details: { already_queued: 0 } });
  await freeze(10);
  assert.equal((await t.stored(made.id)).emails, 10);
  assert.equal((await cancel(made.id)).status, 409);
});

test('400 for a zone without a time, and for a time by another name: nothing is sent at once', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(1, 'zoned') } });
  for (const [body, param] of [
    [{ timezone: 'Europe/Berlin' }, 'timezone'],
    [{ deliver_at: inSeconds(3_600) }, 'deliver_at'],
  ] as const) {
    const refused = await send(made.id, body);
    assert.deepEqual([refused.status, refused.body.param], [400, param], refused.text);
  }
  assert.deepEqual(await t.stored(made.id), nothing);
});

test('400 for another zone than that of the stored time, which would be dropped; the same zone goes with it', async () => {
  const year = new Date().getUTCFullYear() + 1;
  const stored = { scheduled_for: `${year}-01-15T09:00:00`, timezone: 'Europe/Berlin' };
  const made = await t.draft({ audience: { contact_ids: await t.contacts(1, 'zone-of-stored') }, ...stored });
  const refused = await send(made.id, { timezone: 'America/New_York' });
  assert.deepEqual([refused.status, refused.body.param], [400, 'timezone'], refused.text);
  assert.deepEqual([await t.stored(made.id), (await t.read(made.id)).status], [nothing, 'draft']);
  const reply = await send(made.id, { timezone: 'Europe/Berlin' });
  assert.deepEqual([reply.status, reply.body.status], [202, 'scheduled'], reply.text);
  assert.equal((await t.read(made.id)).scheduled_for, `${year}-01-15T08:00:00.000Z`);
});

test('202 at once with a zone for finish_by, and with null for the time, as the dashboard says it', async () => {
  for (const [index, body] of [
    { timezone: 'Europe/Berlin', finish_by: inSeconds(86_400) },
    { timezone: 'Europe/Berlin', scheduled_for: null, recipient_timezone: false, finish_by: null },
  ].entries()) {
    const made = await t.draft({ audience: { contact_ids: await t.contacts(1, `zoned-now-${index}`) } });
    const reply = await send(made.id, body);
    assert.deepEqual([reply.status, reply.body.status], [202, 'sending'], reply.text);
  }
});

test('202 with the time of a schedule, and a wall time in its zone; a cancel of it sends nothing', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(1, 'planned') } });
  const reply = await send(made.id, { scheduled_for: inSeconds(3_600) });
  assert.deepEqual([reply.status, reply.body.status], [202, 'scheduled']);
  const year = new Date().getUTCFullYear() + 1;
  const patched = await t.call('PATCH', `/${made.id}`, {
    body: { scheduled_for: `${year}-01-15T09:00:00`, timezone: 'Europe/Berlin' },
  });
  assert.equal(patched.status, 200, patched.text);
  const { scheduled_for: at, local_time: local, status } = patched.body;
  assert.deepEqual([at, local, status], [`${year}-01-15T08:00:00.000Z`, `${year}-01-15T09:00:00`, 'scheduled']);
  assert.equal((await t.call('DELETE', `/${made.id}`)).status, 409);
  const writer = await t.key({ scopes: ['broadcasts:write'] });
  const refused = await t.call('PATCH', `/${made.id}`, { body: { subject: 'New' }, key: writer });
  assert.equal(refused.status, 403);
  assert.deepEqual((await cancel(made.id)).body, { success: true, status: 'cancelled', alreadyQueued: 0 });
  assert.deepEqual((await t.actions(made.id)).slice(-3), ['scheduled', 'cancel_requested', 'cancelled']);
  assert.deepEqual(await t.stored(made.id), nothing);
});

test('200 with a draft again when the time of a scheduled broadcast is taken away; each move has its entry, with the time before', async () => {
  const made = await t.draft({ audience: { contact_ids: await t.contacts(1, 'unplanned') } });
  const [first, second] = [inSeconds(3_600), inSeconds(7_200)];
  assert.equal((await send(made.id, { scheduled_for: first })).body.status, 'scheduled');
  for (const scheduledFor of [second, null]) {
    const reply = await t.call('PATCH', `/${made.id}`, { body: { scheduled_for: scheduledFor } });
    assert.equal(reply.status, 200, reply.text);
  }
  const { status, scheduled_for: time, audit_log: log } = await t.read(made.id);
  assert.deepEqual([status, time], ['draft', null]);
  assert.deepEqual(
    log.slice(1).map(({ action, details }: Body) => [action, details]),
    [
      ['scheduled', { scheduled_for: first }],
      ['scheduled', { scheduled_for: second, was: first }],
      ['unscheduled', { was: second }],
    ],
  );
  assert.deepEqual(await t.stored(made.id), nothing);
});

test('a stored time schedules the draft at its send, and null sends it now; a time too near is 422', async () => {
  const audience = { contact_ids: await t.contacts(1, 'timed') };
  const made = await t.draft({ audience, scheduled_for: inSeconds(7_200) });
  assert.equal((await send(made.id)).body.status, 'scheduled');
  const now = await t.draft({ audience, scheduled_for: inSeconds(7_200) });
  assert.equal((await send(now.id, { scheduled_for: null })).body.status, 'sending');
  const near = await t.draft({ audience });
  const reply = await send(near.id, { scheduled_for: inSeconds(5) });
  assert.deepEqual([reply.status, reply.body.param], [422, 'scheduled_for']);
  assert.deepEqual(await t.stored(near.id), nothing);
});

test('a scheduled broadcast starts when its time has come, and fails when it cannot be sent by then, or is a day late', async () => {
  const app = await createTestApp({ worker: true });
  try {
    const made = async (url: string, body: object): Promise<Body> => (await app.request({ url, body })).body;
    const contact = await made('/v1/contacts', { email: 'due@example.com' });
    const body = { name: 'Due', from: 'a@posthorn.test', subject: 'Hi', html: '<p>Hi</p>' };
    const fit = await made('/broadcasts', { ...body, audience: { contact_ids: [contact.id] } });
    const leaver = await made('/v1/contacts', { email: 'leaver@example.com' });
    const unfit = await made('/broadcasts', { ...body, audience: { contact_ids: [leaver.id] } });
    const old = await made('/broadcasts', { ...body, audience: { contact_ids: [contact.id] } });
    for (const { id } of [fit, unfit, old]) await made(`/broadcasts/${id}/send`, { scheduled_for: inSeconds(3_600) });
    await made(`/v1/contacts/${leaver.id}/unsubscribe`, {});
    await sql`update broadcasts set scheduled_for = now() - case when id = ${old.id} then interval '25 hours' else interval '23 hours' end
      where workspace_id = ${app.workspaceId}`.execute(app.db);
    const read = async (id: string): Promise<Body> => (await app.request({ url: `/broadcasts/${id}` })).body;
    await t.until('all are settled', async () => {
      const [first, ...others] = [await read(fit.id), await read(unfit.id), await read(old.id)];
      return first?.finished_at !== null && others.every(({ status }) => status === 'failed');
    });
    const failed = await read(unfit.id);
    assert.deepEqual([failed.error_code, failed.audit_log.at(-1).action], ['audience', 'failed']);
    assert.equal((await read(fit.id)).stats.sent, 1);
    const tooLate = await read(old.id);
    assert.deepEqual([tooLate.error_code, tooLate.stats.total], ['missed_window', 0]);
  } finally {
    await app.close();
  }
});

test('everybody in the segment at the send gets it, beside those on the lists, each once; a deleted segment is 422', async () => {
  const ids = await t.contacts(5, 'segmented');
  const { db, workspaceId } = t.app;
  await sql`update contacts set properties = '{"tier":"gold"}'
    where workspace_id = ${workspaceId} and id = any (${ids.slice(0, 3)}::uuid[])`.execute(db);
  await t.app.request({ method: 'PATCH', url: `/v1/contacts/${ids[0]}`, body: { properties: { tier: 'gold' } } });
  const filter = { match: 'all', conditions: [{ field: 'property:tier', op: 'equals', value: 'gold' }] };
  const segment = (await t.app.request({ url: '/v1/segments', body: { name: 'Gold', filter } })).body as Body;
  assert.ok(segment.id, JSON.stringify(segment));
  const list = await t.list(ids.slice(2, 4));
  await t.app.request({ url: `/v1/contacts/${ids[1]}/unsubscribe`, body: {} });
  const audience = { segment_id: segment.id, list_ids: [list] };
  const made = await t.draft({ audience });
  const counted = await t.call('GET', `/${made.id}/audience-count`);
  assert.deepEqual([counted.body.total, counted.body.unsubscribed, counted.body.will_send], [4, 1, 3]);
  const other = await t.draft({ audience });
  assert.equal((await send(made.id)).body.total_recipients, 3);
  await freeze();
  assert.deepEqual(await statusesOf(made.id), { pending: 3 });
  await t.app.request({ method: 'DELETE', url: `/v1/segments/${segment.id}` });
  const refused = await send(other.id);
  assert.deepEqual([refused.status, refused.body.param], [422, 'audience.segment_id']);
});

test('403 for a send and for a schedule while the workspace is paused, and it stays a draft; a scheduled one moves', async () => {
  // A domain that nobody has asked for yet: what is known of one is up to a second old.
  await aDomain(t.app.db, t.app.workspaceId, 'paused.example');
  const audience = { contact_ids: await t.contacts(1, 'paused') };
  const waiting = await t.draft({ audience });
  assert.equal((await send(waiting.id, { scheduled_for: 'in 1 hour' })).status, 202);
  const draft = await t.draft({ audience, from: 'a@paused.example' });
  const set = (status: string) =>
    sql`update workspaces set status = ${status} where id = ${t.app.workspaceId}`.execute(t.app.db);
  await set('paused');
  try {
    for (const body of [{}, { scheduled_for: 'in 2 hours' }]) {
      const refused = await send(draft.id, body);
      assert.deepEqual([refused.status, refused.body.name], [403, 'permission_error'], refused.text);
    }
    assert.equal((await t.read(draft.id)).status, 'draft');
    assert.deepEqual(await t.stored(draft.id), nothing);
    assert.equal((await send(waiting.id, { scheduled_for: 'in 3 hours' })).body.status, 'scheduled');
  } finally {
    await set('active');
  }
});
