import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp } from '../../../test/harness/app.ts';
import { type FakeSns, type SnsMessage, startFakeSns } from '../../../test/harness/fake-sns.ts';

let sns: FakeSns;
let t: TestApp;
before(async () => {
  sns = await startFakeSns();
  t = await createTestApp({
    env: {
      POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
      POSTHORN_SNS_CERT_HOST: sns.origin,
      // Not this machine: the emulator is reached because its host is named, and only for that.
      POSTHORN_EGRESS_ALLOW: '10.9.8.7/32',
    },
  });
});
after(async () => {
  await t?.close();
  await sns?.stop();
});
beforeEach(async () => {
  await sql`delete from provider_notifications`.execute(t.db);
  await sql`delete from sns_topics`.execute(t.db);
  t.logged.length = 0;
});

const PLAIN = { 'content-type': 'text/plain; charset=UTF-8' };

async function post(message: SnsMessage | string, headers: Record<string, string> = PLAIN) {
  const payload = typeof message === 'string' ? message : JSON.stringify(message);
  const answer = await t.app.inject({ method: 'POST', url: '/events/ses', headers, payload });
  return { status: answer.statusCode, body: answer.json() as Record<string, unknown> }; // every answer here is an object
}

const stored = async (): Promise<{ id: string; body: string; topic: string }[]> => {
  const { rows } = await sql<{ id: string; body: string; topic: string }>`
    select id, convert_from(body, 'UTF8') as body, topic from provider_notifications order by received_at`.execute(
    t.db,
  );
  return rows;
};
const topics = async () => {
  const { rows } = await sql<{ arn: string; state: string; note: string | null; heard: boolean }>`
    select arn, state, note, last_message_at is not null as heard from sns_topics`.execute(t.db);
  return rows;
};

test('200 for a signed notification, as SNS sends it: text/plain; it is stored as it came, before the answer', async () => {
  const message = sns.notification('{"eventType":"Send"}', { subject: 'Amazon SES Email Event Notification' });
  assert.deepEqual(await post(message), { status: 200, body: { success: true } });
  assert.deepEqual(await stored(), [{ id: message.MessageId, body: JSON.stringify(message), topic: sns.topicArn }]);
  assert.deepEqual(await topics(), [{ arn: sns.topicArn, state: 'confirmed', note: null, heard: true }]);
});

test('200 for both versions of the signature, and with any or no content type that may carry it', async () => {
  assert.equal((await post(sns.notification('a', { version: '1' }))).status, 200);
  assert.equal(
    (await post(sns.notification('b', { version: '2' }), { 'content-type': 'application/json' })).status,
    200,
  );
  assert.equal((await post(sns.notification('c'), { 'content-type': 'text/plain' })).status, 200);
  assert.equal((await post(sns.notification('d'), {})).status, 200);
  assert.equal((await stored()).length, 4);
});

test('200 for the same message as often as it comes; it is stored once', async () => {
  const message = sns.notification('{}');
  const answers = await Promise.all(Array.from({ length: 46 }, () => post(message)));
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200]));
  assert.equal((await stored()).length, 1);
});

test('200 for a notification of 256 KiB whose every character is escaped; 413 beyond what SNS can send', async () => {
  assert.equal((await post(sns.notification('"'.repeat(262_144)))).status, 200);
  const { status, body } = await post(sns.notification('"'.repeat(400_000)));
  assert.deepEqual([status, body['name']], [413, 'request_error']);
});

test('415 for a form', async () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  assert.equal((await post(sns.notification('{}'), form)).status, 415);
  assert.deepEqual(await stored(), []);
});

test('400 for what is no message of SNS; nothing is stored', async () => {
  for (const body of ['', 'hello', '[]', '{}', '{"Type":"Notification"}', '\ufeff{}']) {
    const answer = await post(body);
    assert.deepEqual([answer.status, answer.body['name']], [400, 'validation_error'], body);
  }
  assert.equal((await post({ ...sns.notification('{}'), SignatureVersion: '3' })).status, 400);
  assert.deepEqual(await stored(), []);
});

test('400 for raw delivery, with what to switch off', async () => {
  const event = JSON.stringify({ eventType: 'Bounce', bounce: {}, mail: {} });
  assert.match(String((await post(event)).body['message']), /RawMessageDelivery=false/);
  const said = await post('anything', { ...PLAIN, 'x-amz-sns-rawdelivery': 'true' });
  assert.equal(said.status, 400);
  assert.match(String(said.body['message']), /RawMessageDelivery=false/);
});

test('403 for a message that was edited, or has no good signature; nothing is stored', async () => {
  const message = sns.notification('{"eventType":"Bounce"}');
  for (const forged of [
    { ...message, Message: '{"eventType":"Complaint"}' },
    { ...message, Subject: 'added' },
    { ...message, Signature: sns.notification('other').Signature },
  ]) {
    const { status, body } = await post(forged);
    assert.deepEqual([status, body['name']], [403, 'permission_error']);
  }
  assert.deepEqual(await stored(), []);
  assert.deepEqual(await topics(), []);
});

test('403 for a well-signed message of a foreign topic or account; nothing is stored, nothing is fetched', async () => {
  const before = sns.requests.length;
  for (const topicArn of [`${sns.topicArn}-two`, sns.topicArn.replace('123456789012', '210987654321')]) {
    const { status, body } = await post(sns.notification('{}', { topicArn }));
    assert.deepEqual([status, body['param']], [403, 'TopicArn']);
    assert.equal((await post(sns.subscriptionConfirmation({ topicArn }))).status, 403);
  }
  assert.equal(sns.requests.length, before);
  assert.deepEqual(await stored(), []);
  assert.deepEqual(await topics(), []);
});

test('403 for a message that is played again after a month, when its number is forgotten', async () => {
  const days = (n: number) => new Date(t.clock.now().getTime() - n * 86_400_000);
  assert.equal((await post(sns.notification('{}', { timestamp: days(29) }))).status, 200);
  assert.equal((await post(sns.notification('{}', { timestamp: days(31) }))).status, 403);
  assert.equal((await stored()).length, 1);
});

test('200 for a subscription, confirmed by a request of our own making; its URL is never followed', async () => {
  const message = sns.subscriptionConfirmation();
  const lured = sns.signed({ ...message, SubscribeURL: `${sns.origin}/somewhere-else` });
  assert.deepEqual(await post(lured), { status: 200, body: { success: true } });
  assert.deepEqual(sns.confirmed.at(-1), { topicArn: sns.topicArn, token: message.Token });
  assert.ok(!sns.requests.some((request) => request.startsWith('/somewhere-else')));
  assert.deepEqual(await topics(), [{ arn: sns.topicArn, state: 'confirmed', note: null, heard: false }]);
});

test('503 when a subscription cannot be confirmed, so that SNS comes again; it is on record', async () => {
  const message = sns.subscriptionConfirmation();
  await post(sns.notification('{}')); // the certificate is known from here on
  await sql`delete from sns_topics`.execute(t.db);
  sns.answerWith(500);
  const { status, body } = await post(message);
  sns.answerWith(undefined);
  assert.deepEqual([status, body['name']], [503, 'service_unavailable_error']);
  assert.deepEqual(await topics(), [{ arn: sns.topicArn, state: 'failed', note: 'SNS answered 500', heard: false }]);
  assert.equal((await post(message)).status, 200);
  assert.equal((await topics())[0]?.state, 'confirmed');
});

test('200 and an alarm when the subscription was cancelled', async () => {
  await post(sns.subscriptionConfirmation());
  assert.equal((await post(sns.unsubscribeConfirmation())).status, 200);
  assert.equal((await topics())[0]?.state, 'unsubscribed');
  assert.equal(t.logged.filter((line) => line.includes('cancelled') && line.includes('"level":"error"')).length, 1);
  assert.equal(sns.requests.filter((request) => request.includes('Unsubscribe')).length, 0);
});

test('5xx when nothing can be stored, and nothing is lost by it: the same message is taken later', async () => {
  const message = sns.notification('{}');
  await sql`alter table provider_notifications rename to gone`.execute(t.db);
  const { status } = await post(message);
  await sql`alter table gone rename to provider_notifications`.execute(t.db);
  assert.ok(status >= 500, `${status}`);
  assert.equal((await post(message)).status, 200);
  assert.equal((await stored()).length, 1);
});

test('405 for anything but POST', async () => {
  assert.equal((await t.app.inject({ method: 'GET', url: '/events/ses' })).statusCode, 405);
});
