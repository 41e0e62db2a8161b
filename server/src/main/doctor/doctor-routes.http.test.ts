import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { aWorkspace } from '../../../test/harness/builders.ts';

let t: TestApp;
before(async () => {
  t = await createTestApp({ env: { POSTHORN_UNSAFE_DATABASE: 'allow' } });
});
after(() => t.close());

const url = '/v1/provider/check';

async function aKey(scopes: string[]): Promise<string> {
  const answer = await t.request({ url: '/api-keys', body: { name: scopes.join(), scopes } });
  assert.equal(answer.status, 201, answer.text);
  return (answer.body as { key: string }).key;
}

test('200 with what was looked at, to full access in the home workspace', async () => {
  const answer = await t.request({ url });
  assert.equal(answer.status, 200, answer.text);
  const { checks, ...rest } = answer.body as { checks: { id: string; status: string }[] }; // as the document says
  assert.deepEqual(rest, { provider: 'capture', ok: true, account: {} });
  assert.deepEqual(
    checks.map(({ id, status }) => `${id}: ${status}`),
    // The PostgreSQL of the tests runs without fsync and full_page_writes.
    [
      'database: warning',
      'database: warning',
      'notifications: ok',
      'clock: ok',
      'sending: ok',
      'capture: ok',
      'relay: skipped',
      'relay_certificate: skipped',
      'mta_sts: skipped',
    ],
  );
  assert.deepEqual(checks.at(-4), {
    id: 'capture',
    status: 'ok',
    message:
      'Nothing leaves this machine: every email is kept and shown in the Outbox of the dashboard and at GET /v1/captured-emails.',
    cause: null,
    fix: null,
  });
});

test('401 without a key', async () => {
  assert.equal((await t.request({ url, key: null })).status, 401);
});

test('403 without full access', async () => {
  for (const scopes of [['emails:read'], ['audit:read', 'domains:write', 'emails:send']]) {
    assert.equal((await t.request({ url, key: await aKey(scopes) })).status, 403);
  }
});

test('403 to full access in a workspace that is not the operator’s', async () => {
  const other = await aWorkspace(t.db);
  const key = await aKey(['*']);
  assert.equal((await t.request({ url, key })).status, 200);
  await sql`update workspaces set is_home = false where id = ${t.workspaceId}`.execute(t.db);
  await sql`update workspaces set is_home = true where id = ${other}`.execute(t.db);
  const answer = await t.request({ url, key });
  assert.equal(answer.status, 403);
  assert.match(answer.text, /workspace of the operator/);
});
