import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { anEmail, aWorkspace } from '../../../../test/harness/builders.ts';
import { createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';
import { withRowReads } from '../../../../test/harness/row-reads.ts';
import { pauseSend } from '#features/outbox';
import { systemClock } from '#platform/clock.ts';
import { loadSettings } from '#platform/config/settings.ts';
import type { Db } from '#platform/db/database.ts';
import { systemActor } from '#platform/http/context.ts';
import { newId } from '#platform/ids.ts';
import { followSend } from './follow-send.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const good = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' };
const send = async (to: string[]) => (await api.call({ method: 'POST', url: '/v1/send', body: { ...good, to } })).body;
const get = (url: string, token?: string) =>
  api.call({ method: 'GET', url, ...(token === undefined ? {} : { token }) });
const setStatus = (emailId: string, status: string) =>
  sql`update emails set status = ${status}, attempts = 1, first_attempt_at = now(), sent_at = now()
       where workspace_id = ${api.workspaceId} and id = ${emailId}`.execute(api.t.db);

test('200 with counts, place in the queue and a page of emails', async () => {
  const sent = await send(['a@example.com', 'B@Example.com', 'c@example.com']);
  const { status, body } = await get(`/v1/send/${sent.jobId}?limit=2`);
  assert.equal(status, 200);
  const { createdAt, estimatedCompletionAt, queue, ...rest } = body;
  assert.match(createdAt, /^\d{4}-.*Z$/);
  assert.match(estimatedCompletionAt, /^\d{4}-.*Z$/);
  assert.equal(queue.ratePerSecond, 12);
  assert.equal(queue.position, queue.ahead + 1);
  assert.deepEqual(rest, {
    jobId: sent.jobId,
    id: sent.jobId,
    batchId: null,
    subject: 'Hello',
    status: 'queued',
    progress: {
      total: 3,
      queued: 3,
      sent: 0,
      delivered: 0,
      bounced: 0,
      complained: 0,
      failed: 0,
      suppressed: 0,
      cancelled: 0,
      sending: 0,
      unconfirmed: 0,
      percent: 0,
    },
    startedAt: null,
    completedAt: null,
    estimateReason: null,
    pausedAt: null,
    pauseReason: null,
    pauseCode: null,
    resumesAt: null,
    emails: {
      data: ['a@example.com', 'B@example.com'].map((to, index) => ({
        id: sent.emails[index].id,
        to,
        status: 'queued',
        messageId: `<${sent.emails[index].id}@posthorn.test>`,
        lastEventAt: null,
        error: null,
      })),
      page: 1,
      limit: 2,
      total: 3,
      has_more: true,
    },
  });
  const last = await get(`/v1/send/${sent.jobId}?limit=2&page=2`);
  assert.deepEqual({ n: last.body.emails.data.length, more: last.body.emails.has_more }, { n: 1, more: false });
});

test('200: a job is processing, then completed, with errors, or failed; filters by status', async () => {
  const sent = await send(['a@example.com', 'b@example.com']);
  const [first, second] = sent.emails;
  await setStatus(first.id, 'delivered');
  const under = await get(`/v1/send/${sent.jobId}`);
  assert.deepEqual(
    { status: under.body.status, percent: under.body.progress.percent },
    { status: 'processing', percent: 50 },
  );
  await setStatus(second.id, 'failed');
  const done = await get(`/v1/send/${sent.jobId}?status=failed`);
  assert.equal(done.body.status, 'completed_with_errors');
  assert.deepEqual(done.body.queue, { position: 0, ahead: 0, ratePerSecond: 12 });
  assert.equal(done.body.estimatedCompletionAt, null);
  assert.match(done.body.completedAt, /Z$/);
  assert.deepEqual(
    { ids: done.body.emails.data.map((email: { id: string }) => email.id), total: done.body.emails.total },
    {
      ids: [second.id],
      total: 1,
    },
  );
  await setStatus(first.id, 'failed');
  assert.equal((await get(`/v1/send/${sent.jobId}`)).body.status, 'failed');
  await setStatus(first.id, 'bounced');
  await setStatus(second.id, 'complained');
  assert.equal((await get(`/v1/send/${sent.jobId}`)).body.status, 'completed');
});

test('200 cancel: what waits is cancelled, what left is counted, and twice is once', async () => {
  const sent = await send(['a@example.com', 'b@example.com', 'c@example.com']);
  await setStatus(sent.emails[0].id, 'sent');
  for (let n = 0; n < 2; n += 1) {
    const { status, body } = await api.call({ method: 'DELETE', url: `/v1/send/${sent.jobId}` });
    assert.equal(status, 200);
    assert.deepEqual(body, { success: true, status: 'cancelled', cancelled: 2, alreadySent: 1 });
  }
  const { body } = await get(`/v1/send/${sent.jobId}`);
  assert.equal(body.status, 'cancelled');
  assert.partialDeepStrictEqual(body.progress, { queued: 0, sent: 1, cancelled: 2 });
});

test('200 cancel of a send of which nothing waits: 0 are cancelled, and it stays completed', async () => {
  const sent = await send(['a@example.com']);
  await setStatus(sent.emails[0].id, 'sent');
  const { status, body } = await api.call({ method: 'DELETE', url: `/v1/send/${sent.jobId}` });
  assert.deepEqual([status, body], [200, { success: true, status: 'cancelled', cancelled: 0, alreadySent: 1 }]);
  const { body: after } = await get(`/v1/send/${sent.jobId}`);
  assert.equal(after.status, 'completed');
});

test('200: an email that waits for its next attempt is shown as queued', async () => {
  const sent = await send(['a@example.com']);
  await setStatus(sent.emails[0].id, 'deferred');
  const { body } = await get(`/v1/send/${sent.jobId}?status=queued`);
  assert.equal(body.emails.data[0].status, 'queued');
  assert.equal(body.status, 'processing');
});

test('400 for a bad page, limit or status', async () => {
  const { jobId } = await send(['a@example.com']);
  for (const [query, param] of [
    ['page=0', 'page'],
    ['page=1.5', 'page'],
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=x', 'limit'],
    ['status=SENT', 'status'],
    ['status=deferred', 'status'],
    ['status=sent&status=failed', 'status'],
  ]) {
    const { status, body } = await get(`/v1/send/${jobId}?${query}`);
    assert.deepEqual({ status, param: body.param }, { status: 400, param }, query);
  }
  assert.equal((await get(`/v1/send/${jobId}?page=99`)).body.emails.data.length, 0);
});

test("404 for what is no job, another workspace's job, and mail of the system", async () => {
  const { jobId } = await send(['a@example.com']);
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  const system = await anEmail(api.t.db, api.workspaceId, { source: 'system', lane: 0 });
  const reader = await api.caller({ scopes: ['emails:read', 'emails:send'] });
  for (const method of ['GET', 'DELETE'] as const) {
    for (const id of [newId(), 'x', '%00', "1'--", jobId.toUpperCase() + 'z']) {
      assert.equal((await api.call({ method, url: `/v1/send/${id}` })).status, 404, `${method} ${id}`);
    }
    assert.equal((await api.call({ method, url: `/v1/send/${jobId}`, token: foreign })).status, 404);
    assert.equal((await api.call({ method, url: `/v1/send/${system.sendId}`, token: reader })).status, 404);
  }
  assert.equal((await get(`/v1/send/${system.sendId}`)).status, 200);
});

test('403 without the scopes', async () => {
  const { jobId } = await send(['a@example.com']);
  const reader = await api.caller({ scopes: ['emails:read'] });
  const sender = await api.caller({ scopes: ['emails:send'] });
  assert.equal((await get(`/v1/send/${jobId}`, sender)).status, 403);
  assert.equal((await get('/v1/queue', sender)).status, 403);
  assert.equal((await api.call({ method: 'DELETE', url: `/v1/send/${jobId}`, token: reader })).status, 403);
});

test('200 with the length of the queue by lane, the rate, and what is ahead', async () => {
  const before = (await get('/v1/queue')).body;
  await send(['q1@example.com', 'q2@example.com']);
  const { status, body } = await get('/v1/queue');
  assert.equal(status, 200);
  assert.equal(body.depth, before.depth + 2);
  assert.deepEqual(body.by_lane, { ...before.by_lane, transactional: before.by_lane.transactional + 2 });
  assert.partialDeepStrictEqual(body, {
    ratePerSecond: 12,
    depth_is_estimate: false,
    paused_until: null,
    pause_reason: null,
  });
});

test('a paused send says since when and why, and goes on when it is resumed: 200 once, then 409', async () => {
  const sent = await send(['a@example.com', 'b@example.com']);
  const resume = () => api.call({ method: 'POST', url: `/v1/send/${sent.jobId}/resume`, body: {} });
  const statuses = async () =>
    (await get(`/v1/send/${sent.jobId}`)).body.emails.data.map((email: { status: string }) => email.status);
  const unpaused = await resume();
  assert.deepEqual([unpaused.status, unpaused.body.name], [409, 'conflict_error']);
  await pauseSend(api.t.db, api.workspaceId, sent.jobId, 'too many bounces', { code: 'reputation' });
  const { body } = await get(`/v1/send/${sent.jobId}`);
  assert.match(body.pausedAt, /^\d{4}-.*Z$/);
  assert.equal(body.pauseReason, 'too many bounces');
  assert.partialDeepStrictEqual(body, { status: 'paused', pauseCode: 'reputation', resumesAt: null });
  assert.deepEqual([body.estimatedCompletionAt, body.estimateReason], [null, 'too many bounces']);
  assert.deepEqual(await statuses(), ['pending', 'pending']);

  const reader = await api.caller({ scopes: ['emails:read'] });
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  for (const [token, status] of [
    [reader, 403],
    [foreign, 404],
  ] as const) {
    const refused = await api.call({ method: 'POST', url: `/v1/send/${sent.jobId}/resume`, body: {}, token });
    assert.equal(refused.status, status);
  }
  assert.deepEqual(await statuses(), ['pending', 'pending'], 'nobody else resumed it');

  const resumed = await resume();
  assert.deepEqual([resumed.status, resumed.body], [200, { success: true, status: 'resumed' }]);
  assert.deepEqual(await statuses(), ['queued', 'queued']);
  assert.partialDeepStrictEqual((await get(`/v1/send/${sent.jobId}`)).body, {
    pausedAt: null,
    pauseReason: null,
    pauseCode: null,
  });
  assert.equal((await resume()).status, 409);
  const { rows } = await sql<{ type: string }>`
    select actor_type as type from security_log
     where workspace_id = ${api.workspaceId} and action = 'send.resumed' and target_id = ${sent.jobId}`.execute(
    api.t.db,
  );
  assert.equal(rows.length, 1);
  assert.notEqual(rows[0]?.type, 'system', 'whoever asked for it');

  await pauseSend(api.t.db, api.workspaceId, sent.jobId, 'again');
  await api.call({ method: 'DELETE', url: `/v1/send/${sent.jobId}` });
  assert.equal((await resume()).status, 409);
  assert.deepEqual(await statuses(), ['cancelled', 'cancelled']);
});

test('200 without an estimate, and with the reason, while the operator pauses the workspace: jobs, batches and queue', async () => {
  const sent = await send(['a@example.com']);
  const { batchId } = (await api.call({ method: 'POST', url: '/v1/batch', body: [good] })).body;
  const gate = (change: string) => sql.raw(change).execute(api.t.db);
  await gate(`insert into sending_gates (workspace_id, state) values ('${api.workspaceId}', 'paused')`);
  const { body } = await get(`/v1/send/${sent.jobId}`);
  const batch = (await get(`/v1/batch/${batchId}`)).body;
  const queue = (await get('/v1/queue')).body;
  await gate(`delete from sending_gates where workspace_id = '${api.workspaceId}'`);
  assert.partialDeepStrictEqual(body, { status: 'paused', pauseCode: 'workspace_paused', estimatedCompletionAt: null });
  assert.match(body.estimateReason, /^Sending is paused for this workspace\./);
  assert.deepEqual([batch.status, batch.jobs[0].status, batch.pauseCode], ['paused', 'paused', 'workspace_paused']);
  assert.deepEqual([queue.estimatedDrainAt, queue.estimate_reason], [null, body.estimateReason]);
  const after = (await get(`/v1/send/${sent.jobId}`)).body;
  assert.deepEqual([after.status, after.estimateReason], ['queued', null]);
  assert.match(after.estimatedCompletionAt, /Z$/);
});

test('200 for a batch names the first recipient and the subject of each of its sends', async () => {
  const items = [
    { ...good, to: ['Ada@example.com', 'bob@example.com'], subject: 'Your invoice' },
    { ...good, to: ['grace@example.com'] },
  ];
  const { batchId } = (await api.call({ method: 'POST', url: '/v1/batch', body: items })).body;
  const { body } = await get(`/v1/batch/${batchId}`);
  assert.deepEqual(
    body.jobs.map((job: Record<string, unknown>) => [job['index'], job['to'], job['subject']]),
    [
      [0, 'Ada@example.com', 'Your invoice'],
      [1, 'grace@example.com', 'Hello'],
    ],
  );
});

/** An issue of which so many emails were sent, and five wait; its counts as the freeze and the trigger leave them. */
async function anIssueOf(count: number): Promise<string> {
  const { sendId } = await anEmail(api.t.db, api.workspaceId, { lane: 2, status: 'sent', source: 'issue' });
  await sql`
    insert into emails (workspace_id, id, send_id, content_id, recipient, lane, turn, status, first_attempt_at, sent_at)
    select workspace_id, ph_uuidv7(), send_id, content_id, 'reader-' || n || '@example.com', 2, n,
           case when n > ${count - 1}::integer then 'queued' else 'sent' end, now(), now()
      from emails cross join generate_series(1, ${count + 4}::integer) n
     where workspace_id = ${api.workspaceId} and send_id = ${sendId}`.execute(api.t.db);
  await sql`insert into send_counts (workspace_id, send_id, total, queued, sent)
    values (${api.workspaceId}, ${sendId}, ${count + 5}, 5, ${count})`.execute(api.t.db);
  await sql`update send_requests set bulk_state = 'released', started_at = now(), progress_at = now()
    where workspace_id = ${api.workspaceId} and id = ${sendId}`.execute(api.t.db);
  return sendId;
}

test('following an issue reads as many rows of 10,100 recipients as of 300, and its pages go on to the last', async () => {
  const [small, large] = [await anIssueOf(300), await anIssueOf(10_100)];
  await sql`analyze emails`.execute(api.t.db);
  const ctx = (db: Db) => ({
    db,
    workspaceId: api.workspaceId,
    clock: systemClock,
    settings: loadSettings({}).settings,
    actor: { ...systemActor, newsletterIds: [] },
  });
  const followed = async (id: string, query: { status?: 'queued' | 'sent'; page?: string } = {}) =>
    // A test passes what following reads of a ctx, and not the rest of it.
    withRowReads(api.t.db, ['emails'], (tx) => followSend(ctx(tx) as never, id, { limit: '10', ...query }));
  for (const query of [{}, { status: 'queued' }] as const) {
    const [one, other] = [await followed(small, query), await followed(large, query)];
    // Reading them all would be 9,800 rows more.
    assert.ok(other.reads < one.reads + 300, `${one.reads} and ${other.reads} rows`);
    assert.partialDeepStrictEqual(other.found.progress, { total: 10_105, queued: 5, sent: 10_100 });
  }
  // Counting stops at 10,001, and the pages do not.
  const pages = await Promise.all(['1002', '1010'].map((page) => followed(large, { status: 'sent', page })));
  assert.deepEqual(
    pages.map(({ found: { emails } }) => [emails.data.length, emails.total, emails.total_is_estimate, emails.has_more]),
    [
      [10, 10_001, true, true],
      [10, 10_001, true, false],
    ],
  );
});
