import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { type Receiver, startReceiver } from '../../../../test/harness/webhook-receiver.ts';

let app: TestApp;
let receiver: Receiver;
before(async () => {
  app = await createTestApp({
    env: {
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      POSTHORN_INBOUND_HOST: 'MX.house.example',
      POSTHORN_DASHBOARD_URL: 'https://93.184.216.34',
    },
  });
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answerWith((_request, response) => response.end('ok'));
});
after(async () => {
  await receiver.close();
  await app.close();
  assert.deepEqual(app.logged, []);
});

// oxlint-disable-next-line typescript/no-explicit-any
const call = async (request: TestRequest): Promise<{ status: number; body: any }> => app.request(request);
const added = (name: string): Promise<string> => aDomain(app.db, app.workspaceId, name);
const setUrl = (id: string, webhookUrl: unknown) =>
  call({ method: 'PATCH', url: `/v1/domains/${id}/webhook`, body: { webhookUrl } });
const entriesOf = async (id: string): Promise<string[]> => {
  const { rows } = await sql<{ action: string }>`
    select action from security_log where workspace_id = ${app.workspaceId} and target_id = ${id} order by at`.execute(
    app.db,
  );
  return rows.map(({ action }) => action);
};

test('200 with the MX record when a domain begins to receive, which takes the place of the one for feedback', async () => {
  const id = await added('reply.acme.example');
  const { status, body } = await call({ method: 'POST', url: `/v1/domains/${id}/receiving/enable` });
  assert.equal(status, 200);
  assert.deepEqual(body.data, {
    id,
    receiving_enabled: true,
    mx_record: { type: 'MX', name: 'reply.acme.example', value: '10 mx.house.example' },
  });
  const shown = (await call({ url: `/v1/domains/${id}` })).body.data;
  assert.equal(shown.receiving_enabled, true);
  const records = shown.dns_records.filter(({ type }: { type: string }) => type === 'MX');
  assert.equal(records.length, 1);
  assert.partialDeepStrictEqual(records[0], {
    purpose: 'inbound',
    status: 'pending',
    priority: 10,
    required: false,
    value: '10 mx.house.example',
  });
  await call({ method: 'POST', url: `/v1/domains/${id}/receiving/enable` });
  assert.deepEqual(await entriesOf(id), ['domain.receiving_enabled'], 'once more changes nothing');
});

test('200 when it stops to receive', async () => {
  const id = await added('off.acme.example');
  await call({ method: 'POST', url: `/v1/domains/${id}/receiving/enable` });
  const { status, body } = await call({ method: 'POST', url: `/v1/domains/${id}/receiving/disable` });
  assert.deepEqual([status, body.data], [200, { id, receiving_enabled: false }]);
  assert.deepEqual(await entriesOf(id), ['domain.receiving_enabled', 'domain.receiving_disabled']);
});

test('200 with the address and the secret, which stays when the address changes', async () => {
  const id = await added('hook.acme.example');
  const first = await setUrl(id, 'https://example.com/inbound?token=1');
  assert.equal(first.status, 200);
  assert.deepEqual(first.body.data.webhook_url, 'https://example.com/inbound?token=1');
  assert.match(first.body.data.webhook_secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  const second = await call({
    method: 'PATCH',
    url: `/v1/domains/${id}/webhook`,
    body: { webhook_url: 'https://example.com/other' },
  });
  assert.equal(second.body.data.webhook_secret, first.body.data.webhook_secret);
  const shown = (await call({ url: `/v1/domains/${id}` })).body.data;
  assert.deepEqual(
    [shown.webhook_url, shown.webhook_secret],
    ['https://example.com/other', first.body.data.webhook_secret],
  );
  const { rows } = await sql<{ details: unknown }>`
    select details from security_log where workspace_id = ${app.workspaceId} and target_id = ${id} order by at`.execute(
    app.db,
  );
  assert.deepEqual(rows[1]?.details, {
    domain: 'hook.acme.example',
    changes: { webhook_url: { before: 'https://example.com/inbound', after: 'https://example.com/other' } },
  });
});

test('200 with how the forwarding does: it fails since its first failure, is disabled with its reason, and is well again', async () => {
  const id = await added('failing.acme.example');
  const health = async () => (await call({ url: `/v1/domains/${id}` })).body.data.webhook_health;
  assert.equal(await health(), null);
  await setUrl(id, 'https://example.com/inbound');
  const never = { disabled_reason: null, last_success_at: null, last_failure_at: null, failing_since: null };
  assert.deepEqual(await health(), { ...never, enabled: true });
  const since = '2026-11-20T10:00:00.000Z';
  const last = '2026-11-25T10:00:00.000Z';
  await sql`update webhooks set failing_since = ${since}, last_failure_at = ${last}, failed_attempts = 12, enabled = false,
      disabled_reason = 'Every delivery failed for five days.'
    where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  assert.deepEqual(await health(), {
    enabled: false,
    disabled_reason: 'Every delivery failed for five days.',
    last_success_at: null,
    last_failure_at: last,
    failing_since: since,
  });
  await setUrl(id, 'https://example.com/other');
  assert.deepEqual(await health(), { ...never, enabled: true, last_failure_at: last });
});

test('null forwards nothing, and the endpoint is in no list of webhooks at any time', async () => {
  const id = await added('null.acme.example');
  await setUrl(id, 'https://example.com/inbound');
  assert.deepEqual((await call({ url: '/v1/webhooks' })).body, []);
  assert.equal((await call({ url: `/v1/webhooks/${id}` })).status, 404);
  assert.equal((await call({ method: 'DELETE', url: `/v1/webhooks/${id}` })).status, 404);
  const { status, body } = await setUrl(id, null);
  assert.deepEqual([status, body.data], [200, { id, webhook_url: null, webhook_secret: null }]);
  const { rows } = await sql`select id from webhooks where workspace_id = ${app.workspaceId} and id = ${id}`.execute(
    app.db,
  );
  assert.deepEqual(rows, []);
});

test('422 with param webhookUrl for an address that is not public, or leads back to Posthorn', async () => {
  const id = await added('refused.acme.example');
  for (const url of ['https://10.0.0.1/', `${app.settings.publicUrl}/v1/send`]) {
    const { status, body } = await setUrl(id, url);
    assert.deepEqual([status, body.param], [422, 'webhookUrl'], url);
  }
  for (const url of ['https://93.184.216.34:8443/x', 'https://93.184.216.34/']) {
    const { status, body } = await setUrl(id, url);
    assert.equal(status, 422, url);
    assert.match(body.message, /leads to Posthorn itself/);
  }
  for (const url of [undefined, 1, '', {}, 'ftp://example.com/'])
    assert.equal((await setUrl(id, url)).status, 400, String(url));
  assert.equal((await call({ url: `/v1/domains/${id}` })).body.data.webhook_url, null);
});

test('200 with the answer of the receiver to a signed sample', async () => {
  const id = await added('test.acme.example');
  await setUrl(id, receiver.url);
  const { status, body } = await call({ method: 'POST', url: `/v1/domains/${id}/webhook/test` });
  assert.deepEqual([status, body], [200, { success: true, status: 200, statusText: 'OK' }]);
  const [sent] = receiver.received;
  assert.equal(sent?.headers['x-service-event'], 'inbound');
  assert.match(String(sent?.headers['x-service-signature']), /^t=\d+,v1=[0-9a-f]{64}$/);
  const event = JSON.parse(sent?.raw ?? '');
  assert.deepEqual([event.type, event.test, event.domain], ['inbound', true, { id, domain: 'test.acme.example' }]);
  assert.equal(event.inbound.to[0].email, 'support+42@test.acme.example');
});

test('200 with success false when the receiver refuses, and with status 0 when the address is not public', async () => {
  const id = await added('bad.acme.example');
  await setUrl(id, receiver.url);
  receiver.answerWith((_request, response) => {
    response.statusCode = 500;
    response.end();
  });
  const refused = await call({ method: 'POST', url: `/v1/domains/${id}/webhook/test` });
  assert.partialDeepStrictEqual(refused.body, { success: false, status: 500, statusText: 'Internal Server Error' });
  await sql`update webhooks set url = 'https://10.0.0.1/' where workspace_id = ${app.workspaceId} and id = ${id}`.execute(
    app.db,
  );
  const blocked = await call({ method: 'POST', url: `/v1/domains/${id}/webhook/test` });
  assert.deepEqual(
    [blocked.status, blocked.body],
    [200, { success: false, status: 0, statusText: 'blocked', error: 'target address is not public' }],
  );
});

test('409 for a test of a domain without an address', async () => {
  const id = await added('none.acme.example');
  assert.equal((await call({ method: 'POST', url: `/v1/domains/${id}/webhook/test` })).status, 409);
  assert.deepEqual(receiver.received, []);
});

test('the endpoint goes with its domain', async () => {
  const id = await added('gone.acme.example');
  await setUrl(id, receiver.url);
  assert.equal((await call({ method: 'DELETE', url: `/v1/domains/${id}` })).status, 200);
  const { rows } = await sql`select id from webhooks where workspace_id = ${app.workspaceId} and id = ${id}`.execute(
    app.db,
  );
  assert.deepEqual(rows, []);
});
