import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { aDomain, aWorkspace } from '../../../../test/harness/builders.ts';
import { countStored, createEmailsApp, type EmailsApp } from '../../../../test/harness/emails-app.ts';

let api: EmailsApp;
before(async () => {
  api = await createEmailsApp();
});
after(() => api.close());

const good = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hi' };
const batch = (body: unknown, headers: Record<string, string> = {}) =>
  api.call({ method: 'POST', url: '/v1/batch', body, headers });

test('202 with a job per item, all followed by one batch', async () => {
  const { status, body } = await batch({ emails: [good, { ...good, to: ['bob@example.com', 'eve@example.com'] }] });
  assert.equal(status, 202);
  const { batchId, results, ...rest } = body;
  assert.deepEqual(rest, { success: true, accepted: 2, rejected: 0 });
  assert.deepEqual(
    results.map((result: { index: number; status: string; emails: { to: string; status: string }[] }) => ({
      index: result.index,
      status: result.status,
      to: result.emails.map((email) => email.to),
    })),
    [
      { index: 0, status: 'queued', to: ['ada@example.com'] },
      { index: 1, status: 'queued', to: ['bob@example.com', 'eve@example.com'] },
    ],
  );
  const followed = await api.call({ method: 'GET', url: `/v1/batch/${batchId}` });
  assert.equal(followed.status, 200);
  assert.equal(followed.body.status, 'queued');
  assert.partialDeepStrictEqual(followed.body.progress, { total: 3, queued: 3, percent: 0 });
  assert.deepEqual(
    followed.body.jobs.map((job: { index: number; jobId: string }) => [job.index, job.jobId]),
    results.map((result: { index: number; jobId: string }) => [result.index, result.jobId]),
  );
  assert.partialDeepStrictEqual(followed.body.queue, { ratePerSecond: 12 });
});

test('202 for a bare array, and for items with files', async () => {
  const { status, body } = await batch([{ ...good, attachments: [{ filename: 'a.txt', content: 'AAEC' }] }]);
  assert.equal(status, 202);
  assert.equal(body.accepted, 1);
});

test('202 names unknown fields of items and of the batch', async () => {
  const { headers } = await batch([{ ...good, zebra: 'x' }]);
  assert.equal(headers['x-unknown-fields'], 'emails[].zebra');
  const both = await batch({ emails: [{ ...good, zebra: 'x' }], ox: 'strict' });
  assert.equal(both.headers['x-unknown-fields'], 'ox,emails[].zebra');
});

test('400 strict: one bad item refuses all, every fault with its place', async () => {
  const before = await countStored(api.t);
  const { status, body } = await batch([good, { ...good, from: 'a@nobody.example' }, { ...good, to: ['x', 'y'] }, {}]);
  assert.equal(status, 400);
  assert.equal(body.param, 'emails[2].to[0]');
  assert.equal(body.message, 'emails[2].to[0] must be an email address. The address has no @.');
  assert.deepEqual(
    body.details.map((detail: string) => detail.split(' ').slice(0, 2).join(' ')),
    [
      'emails[1]: The',
      'emails[2].to[0] must',
      'emails[2].to[1] must',
      'emails[3].to is',
      'emails[3].from is',
      'emails[3].subject is',
      'emails[3].html or',
    ],
  );
  assert.deepEqual(await countStored(api.t), before);
});

test('422 strict when every item can be read and one is not acceptable', async () => {
  const { status, body } = await batch([good, { ...good, scheduledFor: '2099-01-01T00:00:00Z' }]);
  assert.deepEqual({ status, param: body.param }, { status: 422, param: 'emails[1].scheduledFor' });
});

test('202 permissive: the good items are accepted, the bad ones reported', async () => {
  const bad = { ...good, to: ['x'] };
  for (const answer of [
    await batch({ emails: [good, bad], mode: 'permissive' }),
    await batch([good, bad], { 'x-batch-validation': 'permissive' }),
  ]) {
    assert.equal(answer.status, 202);
    assert.deepEqual({ accepted: answer.body.accepted, rejected: answer.body.rejected }, { accepted: 1, rejected: 1 });
    assert.deepEqual(answer.body.results[1], {
      index: 1,
      error: {
        name: 'validation_error',
        message: 'to[0] must be an email address. The address has no @.',
        param: 'to[0]',
      },
    });
  }
});

test('400 permissive when no item is good: nothing was done', async () => {
  const before = await countStored(api.t);
  const { status } = await batch({ emails: [{ ...good, to: ['x'] }], mode: 'permissive' });
  assert.equal(status, 400);
  assert.deepEqual(await countStored(api.t), before);
});

test('403 strict when a cap is full: nothing of the batch is stored; permissive keeps what fits', async () => {
  await aDomain(api.t.db, api.workspaceId, 'capped.example', { daily: 2 });
  const capped = { ...good, from: 'a@capped.example' };
  const before = await countStored(api.t);
  const strict = await batch([good, capped, capped, capped]);
  assert.deepEqual(
    { status: strict.status, name: strict.body.name, param: strict.body.param },
    {
      status: 403,
      name: 'permission_error',
      param: 'emails[3].from',
    },
  );
  assert.deepEqual(await countStored(api.t), before);
  const permissive = await batch({ emails: [capped, capped, capped, good], mode: 'permissive' });
  assert.deepEqual(
    { accepted: permissive.body.accepted, rejected: permissive.body.rejected },
    { accepted: 3, rejected: 1 },
  );
  assert.equal(permissive.body.results[2].error.name, 'permission_error');
});

test('400 for no items, 101 items, more than 1,000 addresses, another shape', async () => {
  const before = await countStored(api.t);
  const many = { ...good, to: Array.from({ length: 501 }, (_, n) => `u${n}@example.com`) };
  for (const body of [
    [],
    { emails: [] },
    Array.from({ length: 101 }, () => good),
    [many, many],
    {},
    { emails: good },
    { emails: [good], mode: 'lax' },
  ]) {
    const answer = await batch(body);
    assert.equal(answer.status, 400, JSON.stringify(body).slice(0, 60));
    assert.equal(answer.body.name, 'validation_error');
  }
  assert.equal((await batch([good], { 'x-batch-validation': 'maybe' })).body.param, 'x-batch-validation');
  const twoModes = await batch({ emails: [good], mode: 'strict' }, { 'x-batch-validation': 'permissive' });
  assert.deepEqual([twoModes.status, twoModes.body.param], [400, 'x-batch-validation']);
  assert.deepEqual(await countStored(api.t), before);
});

test('202 replayed: one Idempotency-Key covers the batch', async () => {
  const headers = { 'idempotency-key': 'batch-1' };
  const first = await batch([good, good], headers);
  const before = await countStored(api.t);
  const again = await batch([good, good], headers);
  assert.deepEqual(again.body, first.body);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(await countStored(api.t), before);
});

test("404 for another workspace's batch, 403 without the scope", async () => {
  const { body } = await batch([good]);
  const foreign = await api.caller({ workspaceId: await aWorkspace(api.t.db) });
  for (const id of [body.batchId, 'nonsense', '00000000-0000-0000-0000-000000000000']) {
    const answer = await api.call({ method: 'GET', url: `/v1/batch/${id}`, token: foreign });
    assert.equal(answer.status, 404);
  }
  const nobody = await api.caller({ scopes: [] });
  assert.equal((await api.call({ method: 'GET', url: `/v1/batch/${body.batchId}`, token: nobody })).status, 403);
  assert.equal((await api.call({ method: 'POST', url: '/v1/batch', body: [good], token: nobody })).status, 403);
});
