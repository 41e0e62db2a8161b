import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { until } from '../../../../test/harness/until.ts';
import { cancelAllScheduled, deleteOldScheduled } from '../queries/removal.ts';
import { type Body, createScheduledApp, EMAIL, inSeconds, type ScheduledApp } from '../test-kit.ts';

let t: ScheduledApp;
before(async () => {
  t = await createScheduledApp({ worker: true });
});
after(() => t.close());

test('202 for a send with scheduledFor: it is scheduled, followed by its job, and cancelled by its schedule', async () => {
  const scheduledFor = inSeconds(600);
  const { status, body } = await t.call('POST', '/v1/send', {
    body: { ...EMAIL, to: ['ada@example.com', 'bob@example.com'], scheduledFor },
  });
  assert.equal(status, 202);
  const { scheduledId: id, jobId, ...rest } = body;
  assert.equal(jobId, id);
  assert.deepEqual(rest, {
    success: true,
    status: 'scheduled',
    accepted: 2,
    suppressed: 0,
    emails: [],
    estimatedCompletionAt: scheduledFor,
    message: `Scheduled for ${scheduledFor}`,
  });
  const job = await t.call('GET', `/v1/send/${jobId}`);
  assert.equal(job.status, 200, job.text);
  assert.partialDeepStrictEqual(job.body, {
    jobId,
    status: 'scheduled',
    progress: { total: 2, queued: 2, sent: 0 },
    estimatedCompletionAt: scheduledFor,
  });
  assert.equal((await t.call('GET', `/${id}`)).body.scheduled_for, scheduledFor);
  assert.equal((await t.call('DELETE', `/v1/send/${jobId}`)).status, 409);
  assert.equal((await t.call('DELETE', `/${id}`)).status, 200);
  assert.equal((await t.call('GET', `/v1/send/${jobId}`)).body.status, 'cancelled');
  assert.equal((await t.stored(id)).sends, 0);
});

test('400 and 422 for a send with a time that cannot be; nothing is sent or kept', async () => {
  const count = async () =>
    (
      await sql`select (select count(*) from scheduled_emails) as s, (select count(*) from emails) as e`.execute(
        t.app.db,
      )
    ).rows;
  const earlier = await count();
  for (const [given, status, param] of [
    [{ scheduledFor: 'soon' }, 400, 'scheduledFor'],
    [{ scheduledFor: inSeconds(600), timezone: 'Mars/Phobos' }, 400, 'timezone'],
    [{ timezone: 'Europe/Berlin' }, 400, 'timezone'],
    [{ maxDelaySeconds: 60 }, 400, 'maxDelaySeconds'],
    [{ scheduledFor: inSeconds(600), maxDelaySeconds: -1 }, 400, 'maxDelaySeconds'],
    [{ scheduledFor: inSeconds(-60) }, 422, 'scheduledFor'],
    [{ scheduledFor: 'in 400 days' }, 422, 'scheduledFor'],
  ] as const) {
    for (const query of ['', '?dryRun=true']) {
      const reply = await t.call('POST', `/v1/send${query}`, { body: { ...EMAIL, ...given } });
      assert.deepEqual([reply.status, reply.body.param], [status, param], reply.text);
    }
  }
  assert.deepEqual(await count(), earlier);
});

test('202 with maxDelaySeconds, in either spelling and in a batch; it bounds how late the email leaves', async () => {
  const later = { ...EMAIL, scheduledFor: 'in 1 hour' };
  const one = await t.call('POST', '/v1/send', { body: { ...later, max_delay_seconds: 60 } });
  const batch = await t.call('POST', '/v1/batch', { body: [{ ...later, maxDelaySeconds: 0 }, later] });
  const ids = [one.body.scheduledId, ...batch.body.results.map((item: Body) => item.scheduledId)];
  const kept = await Promise.all(ids.map(async (id) => (await t.call('GET', `/${id}`)).body.max_delay_seconds));
  assert.deepEqual([one.status, one.headers['x-unknown-fields'], kept], [202, undefined, [60, 0, null]]);
  for (const id of ids) await t.call('DELETE', `/${id}`);
});

test('202 for a batch with items for later; a bad time refuses it, or only its item', async () => {
  const later = { ...EMAIL, scheduledFor: 'in 1 hour' };
  const { status, body } = await t.call('POST', '/v1/batch', { body: { emails: [EMAIL, later] } });
  assert.equal(status, 202, JSON.stringify(body));
  assert.deepEqual(
    body.results.map((one: Body) => one.status),
    ['queued', 'scheduled'],
  );
  const read = (await t.call('GET', `/${body.results[1].scheduledId}`)).body;
  assert.equal(read.batch_id, body.batchId);
  const followed = (await t.call('GET', `/v1/batch/${body.batchId}`)).body;
  assert.deepEqual(
    followed.jobs.map((one: Body) => [one.index, one.jobId, one.subject, one.to, one.progress.total]),
    [
      [0, body.results[0].jobId, EMAIL.subject, EMAIL.to[0], 1],
      [1, read.id, EMAIL.subject, EMAIL.to[0], 1],
    ],
    'an item that waits counts, too',
  );
  assert.deepEqual([followed.jobs[1].status, followed.progress.total], ['scheduled', 2]);
  assert.ok(followed.progress.queued >= 1 && followed.completedAt === null);
  assert.ok(followed.estimatedCompletionAt >= read.scheduled_for, 'it is done when the last has left');
  assert.equal((await t.call('DELETE', `/${read.id}`)).status, 200);
  const stopped = (await t.call('GET', `/v1/batch/${body.batchId}`)).body;
  assert.deepEqual([stopped.jobs[1].status, stopped.progress.cancelled], ['cancelled', 1]);
  const past = { ...EMAIL, scheduledFor: inSeconds(-60) };
  const strict = await t.call('POST', '/v1/batch', { body: { emails: [later, past] } });
  assert.deepEqual([strict.status, strict.body.param], [422, 'emails[1].scheduledFor']);
  const permissive = await t.call('POST', '/v1/batch', { body: { emails: [later, past], mode: 'permissive' } });
  assert.deepEqual([permissive.body.accepted, permissive.body.rejected], [1, 1]);
  assert.equal(permissive.body.results[1].error.param, 'scheduledFor');
});

test('an email that is sent now arrives, with its schedule in its record and its events', async () => {
  const { id } = await t.scheduled({ to: 'success@simulator.amazonses.com' });
  await t.call('POST', `/${id}/send-now`);
  const sent = await until('it is sent', async () => {
    const { body } = await t.call('GET', `/${id}`);
    // Its log is written some milliseconds behind its state.
    return body.status === 'sent' && body.audit_log.length === 4 ? body : undefined;
  });
  assert.ok(Date.parse(sent.sent_at) >= Date.parse(sent.scheduled_for));
  assert.deepEqual(
    sent.audit_log.map((entry: Body) => entry.action),
    ['created', 'send_now', 'send_started', 'sent'],
  );
  const { body: job } = await t.call('GET', `/v1/send/${sent.job_id}`);
  assert.equal(job.emails.data[0].messageId, sent.message_id);
  const bySchedule = await t.call('GET', `/v1/send/${id}`);
  assert.deepEqual([bySchedule.body.id, bySchedule.body.jobId], [id, sent.job_id]);
  const resumed = await t.call('POST', `/v1/send/${id}/resume`, { body: {} });
  assert.deepEqual([resumed.status, resumed.body.message], [409, 'This send is not paused.']);
});

test('an email that was settled is removed after its days, and one that waits stays', async () => {
  const [waiting, cancelled] = [await t.scheduled(), await t.scheduled()];
  await t.call('DELETE', `/${cancelled.id}`);
  await sql`update scheduled_emails set finished_at = now() - interval '91 days'
    where workspace_id = ${t.app.workspaceId} and id = ${cancelled.id}`.execute(t.app.db);
  assert.equal(await deleteOldScheduled(t.app.db, 0, 100), 0);
  assert.equal(await deleteOldScheduled(t.app.db, 90, 100), 1);
  assert.equal((await t.call('GET', `/${cancelled.id}`)).status, 404);
  assert.equal((await t.call('GET', `/${waiting.id}`)).status, 200);
});

test('nothing of a deleted workspace is sent, and its rows go whatever the days say', async () => {
  const { id } = await t.scheduled({ attachments: [{ filename: 'a.txt', content: 'AAEC' }] });
  await cancelAllScheduled(t.app.db, t.app.workspaceId);
  await t.dueAgo(id, 5);
  assert.equal((await t.stored(id)).row.status, 'cancelled');
  while ((await deleteOldScheduled(t.app.db, 0, 100)) > 0);
  assert.deepEqual(await t.stored(id), { row: null, sends: 0, emails: [], files: 0, events: [] });
});
