import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { until } from '../../../../test/harness/until.ts';
import { EVENT_TYPES } from '../catalogue.ts';
import { type Receiver, startReceiver } from '../../../../test/harness/webhook-receiver.ts';
import { isSignedWith } from '../test-kit.ts';

let app: TestApp;
let receiver: Receiver;
before(async () => {
  app = await createTestApp({ env: { POSTHORN_EGRESS_ALLOW: '127.0.0.1/32', POSTHORN_SIGNUP: 'open' } });
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.received.length = 0;
  receiver.answerWith((_request, response) => response.end('ok'));
});
after(async () => {
  await receiver.close();
  await app.close();
});

/** A test reads fields of many shapes, and the response check has held each body against its schema. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

async function aWebhook(body: object = {}): Promise<Body> {
  const given = { url: receiver.url, events: ['bounce', 'send'], ...body };
  return (await app.request({ url: '/v1/webhooks', body: given })).body;
}

const runTest = (id: string, body?: unknown): Promise<{ status: number; body: Body }> =>
  app.request({ method: 'POST', url: `/v1/webhooks/${id}/test`, ...(body === undefined ? {} : { body }) });

const deliveriesOf = async (id: string): Promise<Body[]> => {
  const { rows } = await sql<Body>`
    select d.*, b.body from webhook_deliveries d
      left join webhook_bodies b on b.workspace_id = d.workspace_id and b.event_id = d.event_id
     where d.workspace_id = ${app.workspaceId} and d.webhook_id = ${id} order by d.id`.execute(app.db);
  return rows;
};

const health = async (id: string): Promise<unknown> => {
  const { rows } = await sql`
    select enabled, last_success_at, last_failure_at, failing_since, failed_attempts from webhooks
     where workspace_id = ${app.workspaceId} and id = ${id}`.execute(app.db);
  return rows[0];
};

test('200 with what the receiver answered; it was sent the first type, signed, and marked as a test', async () => {
  const { id, secret } = await aWebhook();
  const reply = await runTest(id);
  assert.deepEqual([reply.status, reply.body], [200, { success: true, status: 200, body: 'ok' }]);
  const [delivery] = receiver.received;
  assert.ok(delivery !== undefined && isSignedWith(secret, delivery));
  assert.equal(delivery.headers['x-service-event'], 'bounce');
  assert.equal(delivery.headers['x-service-attempt'], '1');
  const event = JSON.parse(delivery.raw);
  assert.deepEqual([event.type, event.test, event.workspace_id], ['bounce', true, app.workspaceId]);
  assert.equal(event.event_data.bounce.bounceType, 'Permanent');
});

test('a sample of every type can be asked for; newsletter events have no email', async () => {
  const { id, secret } = await aWebhook({ events: ['*'] });
  for (const type of EVENT_TYPES) {
    assert.equal((await runTest(id, { type })).body.success, true);
    const delivery = receiver.received.at(-1);
    assert.ok(delivery !== undefined && isSignedWith(secret, delivery), type);
    const event = JSON.parse(delivery.raw);
    assert.deepEqual([event.type, event.test, delivery.headers['x-service-event']], [type, true, type]);
    assert.equal('email' in event, !type.includes('.'), type);
    assert.ok(Object.keys(event.event_data).length > 0);
  }
  await runTest(id, {});
  assert.equal(receiver.received.at(-1)?.headers['x-service-event'], 'send');
});

test('a test is kept as a delivery that is over, with the bytes that were sent, and changes nothing else', async () => {
  const { id } = await aWebhook();
  const before = await health(id);
  await runTest(id);
  receiver.answerWith((_request, response) => response.writeHead(500).end('no'));
  await runTest(id, { type: 'open' });
  const [good, bad] = await deliveriesOf(id);
  assert.equal(good.body, receiver.received[0]?.raw);
  assert.equal(receiver.received[0]?.headers['x-service-delivery'], good.id);
  assert.deepEqual(
    [good.is_test, good.status, good.attempt, good.next_attempt_at, good.url, good.response_status, good.response_body],
    [true, 'succeeded', 1, null, receiver.url, 200, 'ok'],
  );
  assert.ok(good.delivered_at !== null && good.response_time_ms >= 0);
  assert.deepEqual(
    [bad.event_type, bad.status, bad.response_status, bad.next_attempt_at, bad.delivered_at],
    ['open', 'failed', 500, null, null],
  );
  assert.deepEqual(
    bad.attempts.map((one: Body) => [one.status, one.error]),
    [[500, bad.error]],
  );
  assert.deepEqual(await health(id), before);
});

test('200 also when the receiver fails: its status and its answer, cut and with control characters escaped', async () => {
  const { id } = await aWebhook();
  receiver.answerWith((_request, response) => response.writeHead(418).end('\u001b[31mno\u0000'));
  assert.deepEqual((await runTest(id)).body, { success: false, status: 418, body: '\\u001b[31mno\\u0000' });
  receiver.answerWith((_request, response) => response.end('x'.repeat(200_000)));
  const long = (await runTest(id)).body;
  assert.deepEqual([long.success, long.body.length], [true, 4_096]);
  receiver.answerWith((_request, response) => response.writeHead(302, { location: receiver.url }).end());
  const count = receiver.received.length;
  assert.deepEqual((await runTest(id)).body, { success: false, status: 302, body: '' });
  assert.equal(receiver.received.length, count + 1, 'the redirect was not followed');
});

test('200 with status 0 and the reason when no answer came, or the address may not be reached', async () => {
  const { id } = await aWebhook();
  receiver.answerWith((request) => request.socket.destroy());
  const cut = (await runTest(id)).body;
  assert.deepEqual([cut.success, cut.status], [false, 0]);
  assert.ok(cut.body.length > 0);
  await sql`update webhooks set url = 'https://10.0.0.1/hooks' where workspace_id = ${app.workspaceId} and id = ${id}`.execute(
    app.db,
  );
  const blocked = (await runTest(id)).body;
  assert.deepEqual([blocked.success, blocked.status], [false, 0]);
  assert.match(blocked.body, /public/);
  const [, kept] = await deliveriesOf(id);
  assert.deepEqual([kept.status, kept.response_status, kept.error], ['failed', null, blocked.body]);
});

test('400 for a type that is none; nothing is sent', async () => {
  const { id } = await aWebhook();
  for (const type of ['sned', '*', 'Send', '', 7, null, ['send'], 'toString']) {
    const reply = await runTest(id, { type });
    assert.deepEqual([reply.status, reply.body.param], [400, 'type'], JSON.stringify(type));
  }
  assert.deepEqual([receiver.received, await deliveriesOf(id)], [[], []]);
});

test('a disabled endpoint can be tested', async () => {
  const { id } = await aWebhook();
  await app.request({ method: 'PATCH', url: `/v1/webhooks/${id}`, body: { enabled: false } });
  assert.equal((await runTest(id)).body.success, true);
});

test('20 keyed tests of a receiver that hangs hold no connection: another workspace sends meanwhile', async () => {
  const { id } = await aWebhook();
  const waiting: (() => void)[] = [];
  receiver.answerWith((_request, response) => void waiting.push(() => response.end('at last')));
  const ask = (n: number) =>
    app.request({ method: 'POST', url: `/v1/webhooks/${id}/test`, headers: { 'idempotency-key': `test-${n}` } });
  const tests = Array.from({ length: 20 }, (_, n) => ask(n));
  await until('the receiver holds them all', async () => (waiting.length === 20 ? true : undefined));

  const person = { email: 'owner@other.example', password: 'a password of another owner' };
  await app.request({ url: '/auth/register', key: null, body: { ...person, workspace_name: 'Other' } });
  const { token, workspaces }: Body = (await app.request({ url: '/auth/login', key: null, body: person })).body;
  await aDomain(app.db, workspaces[0].id, 'other.example');
  const body = { from: 'a@other.example', to: 'ada@example.com', subject: 'Hello', text: 'Hello' };
  const sent = await app.request({ url: '/v1/send', key: token, headers: { 'idempotency-key': 'meanwhile' }, body });
  assert.equal(sent.status, 202);
  const { rows } = await sql`select 1 from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`.execute(app.db);
  assert.deepEqual(rows, []);

  for (const answer of waiting) answer();
  for (const reply of await Promise.all(tests)) assert.equal(reply.status, 200);
  const again = await ask(7);
  assert.deepEqual([again.status, again.headers['idempotent-replayed'], receiver.received.length], [200, 'true', 20]);
});
