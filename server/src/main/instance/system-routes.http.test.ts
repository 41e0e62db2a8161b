import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, TEST_ADMIN, type TestApp } from '../../../test/harness/app.ts';
import { SECRET, TEST_KEY } from '../../../test/harness/app-settings.ts';
import { queue } from '#features/outbox';
import { SETTINGS } from '#platform/config/settings-table.ts';

const url = '/instance/system';
const PASSWORDS = {
  POSTHORN_PROVIDER_URL: 'smtp://relay:hunter2-smtp@127.0.0.1:2',
  POSTHORN_PUBLIC_URL: 'https://me:hunter2-public@mail.example',
  POSTHORN_HUMAN_PROOF: 'turnstile',
  POSTHORN_HUMAN_PROOF_SITE_KEY: 'site',
  POSTHORN_HUMAN_PROOF_SECRET: 'hunter2-proof',
  POSTHORN_PREVIOUS_SECRET_KEYS: 'hunter2-previous-hunter2-previous-hunter2',
  POSTHORN_AUDIT_DAYS: '7',
  POSTHORN_CAPTURED_DAYS: '0',
};

let t: TestApp;
let token: string;
before(async () => {
  t = await createTestApp({ env: PASSWORDS });
  const { body } = await t.request({ url: '/auth/login', key: null, body: TEST_ADMIN });
  token = String(Reflect.get(body as object, 'token')); // an answer of our own API
});
after(() => t.close());

interface System {
  version: string;
  database: { kind: string; version: string; size_bytes: number };
  retention: { records: string; days: number | null; setting: string | null }[];
  settings: { name: string; value: string | null; source: string; secret: boolean }[];
}

test('200 with version, database, retention and every setting, for an owner of the home workspace', async () => {
  const answer = await t.request({ url, key: token });
  assert.equal(answer.status, 200, answer.text);
  const body = answer.body as System; // as the document says
  assert.equal(body.database.kind, 'external');
  assert.match(body.database.version, /^\d+/);
  assert.ok(body.database.size_bytes > 1_000_000);
  assert.deepEqual(
    body.settings.map(({ name }) => name),
    Object.values(SETTINGS).map(({ env }) => env),
  );
  const daysOf = (setting: string) => body.retention.find((kept) => kept.setting === setting)?.days;
  assert.deepEqual(
    [daysOf('POSTHORN_RETENTION_DAYS'), daysOf('POSTHORN_AUDIT_DAYS'), daysOf('POSTHORN_CAPTURED_DAYS')],
    [90, 30, null],
    'the default, the least that is kept, and for ever',
  );
});

test('no secret of the settings is in the answer', async () => {
  const { text, body } = await t.request({ url, key: token });
  assert.doesNotMatch(text, /hunter2/);
  for (const secret of [SECRET, TEST_ADMIN.password, TEST_KEY, t.url]) assert.equal(text.includes(secret), false);
  const { settings } = body as System; // as the document says
  // Of the address of the test database, a socket, nothing can be told apart.
  const shown = settings.filter(({ secret, value }) => secret && value !== null);
  assert.deepEqual(
    shown.map(({ name, value }) => [name, value]),
    [['POSTHORN_PROVIDER_URL', 'smtp://127.0.0.1:2']],
  );
  const publicUrl = settings.find(({ name }) => name === 'POSTHORN_PUBLIC_URL');
  assert.equal(publicUrl?.value, 'https://me:••••@mail.example');
});

test('401 without a session and for a key', async () => {
  assert.equal((await t.request({ url, key: null })).status, 401);
  assert.equal((await t.request({ url })).status, 401);
});

test('403 to everyone but owners of the home workspace, with nothing of the settings', async () => {
  const setRole = (role: string) =>
    sql`update members set role = ${role} where workspace_id = ${t.workspaceId}`.execute(t.db);
  for (const role of ['admin', 'developer', 'viewer']) {
    await setRole(role);
    const answer = await t.request({ url, key: token });
    assert.equal(answer.status, 403, role);
    const resumed = await t.request({ method: 'POST', url: '/instance/resume-sending', key: token });
    assert.equal(resumed.status, 403, role);
    assert.doesNotMatch(answer.text, /POSTHORN_/);
  }
  await setRole('owner');
  await sql`update workspaces set is_home = false where id = ${t.workspaceId}`.execute(t.db);
  assert.equal((await t.request({ url, key: token })).status, 403);
  await sql`update workspaces set is_home = true where id = ${t.workspaceId}`.execute(t.db);
});

test('200 with the hold and its remedy, 202 for a send that waits, and 200 for the confirmation that ends it', async () => {
  assert.equal(((await t.request({ url, key: token })).body as { hold: unknown }).hold, null); // as the document says
  await queue.hold.begin(t.db, 'other_database');
  const { body } = await t.request({ url, key: token });
  assert.partialDeepStrictEqual(body, { hold: { reason: 'other_database' } });
  assert.match(JSON.stringify(body), /admin resume-sending/);
  assert.partialDeepStrictEqual((await t.request({ url: '/health', key: null })).body, { sending: 'held' });
  const email = { from: 'hello@posthorn.test', to: ['ada@example.com'], subject: 'Hello', text: 'Hello' };
  const sent = await t.request({ url: '/v1/send', body: email });
  assert.equal(sent.status, 202);
  assert.partialDeepStrictEqual(sent.body, { estimatedCompletionAt: null });
  const { jobId } = sent.body as { jobId: string }; // as the document says
  const reason = /the database of this server was restored or copied/;
  const job = await t.request({ url: `/v1/send/${jobId}` });
  assert.partialDeepStrictEqual(job.body, { estimatedCompletionAt: null, status: 'queued' });
  assert.match(String(Reflect.get(job.body as object, 'estimateReason')), reason);
  const waiting = await t.request({ url: '/v1/queue' });
  assert.partialDeepStrictEqual(waiting.body, { depth: 1, estimatedDrainAt: null });
  assert.match(String(Reflect.get(waiting.body as object, 'estimate_reason')), reason);

  const resume = (key: string | null) => t.request({ method: 'POST', url: '/instance/resume-sending', key });
  assert.equal((await resume(null)).status, 401);
  assert.notEqual(await queue.hold.find(t.db), undefined);
  assert.deepEqual((await resume(token)).body, { was_held: true });
  assert.equal(await queue.hold.find(t.db), undefined);
  assert.deepEqual((await resume(token)).body, { was_held: false });
  assert.partialDeepStrictEqual((await t.request({ url: '/health', key: null })).body, { sending: 'on' });
  assert.partialDeepStrictEqual((await t.request({ url: '/v1/queue' })).body, {
    held_since: null,
    estimate_reason: null,
  });
});
