import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { needsTool } from '../system-tools.ts';
import { type FakeSns, type SnsMessage, startFakeSns } from './fake-sns.ts';
import { bounceEvent, everySesEvent } from './ses-payloads.ts';

let sns: FakeSns;
let folder: string;
before(async () => {
  sns = await startFakeSns();
  folder = mkdtempSync(path.join(tmpdir(), 'sns-'));
});
after(async () => {
  await sns.stop();
  rmSync(folder, { recursive: true });
});

const fetched = async (url: string): Promise<string> => (await fetch(url)).text();

/** As the Developer Guide does it by hand: key from the certificate, `openssl dgst -verify`. */
async function opensslVerifies(message: SnsMessage, keys: (keyof SnsMessage)[]): Promise<boolean> {
  const file = (name: string, content: string | Buffer): string => {
    writeFileSync(path.join(folder, name), content);
    return path.join(folder, name);
  };
  const certificate = file('cert.pem', await fetched(message.SigningCertURL));
  const publicKey = spawnSync('openssl', ['x509', '-pubkey', '-noout', '-in', certificate], { encoding: 'utf8' });
  assert.equal(publicKey.status, 0, publicKey.stderr);
  const text = keys.map((key) => `${key}\n${message[key]}\n`).join('');
  const { status } = spawnSync('openssl', [
    'dgst',
    message.SignatureVersion === '1' ? '-sha1' : '-sha256',
    '-verify',
    file('key.pem', publicKey.stdout),
    '-signature',
    file('signature', Buffer.from(message.Signature, 'base64')),
    file('text', text),
  ]);
  return status === 0;
}

const NOTIFICATION: (keyof SnsMessage)[] = ['Message', 'MessageId', 'Timestamp', 'TopicArn', 'Type'];
const WITH_SUBJECT: (keyof SnsMessage)[] = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'];
const CONFIRMATION: (keyof SnsMessage)[] = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
];

test('messages of both signature versions verify as the Developer Guide verifies them', async (t) => {
  if (!needsTool(t, 'openssl')) return;
  for (const version of ['1', '2'] as const) {
    const plain = sns.notification({ hello: 'Grüße' }, { version });
    assert.ok(await opensslVerifies(plain, NOTIFICATION));
    assert.ok(await opensslVerifies(sns.notification('x', { version, subject: 'Subject' }), WITH_SUBJECT));
    assert.ok(await opensslVerifies(sns.subscriptionConfirmation({ version }), CONFIRMATION));
    assert.ok(await opensslVerifies(sns.unsubscribeConfirmation({ version }), CONFIRMATION));
    assert.equal(await opensslVerifies({ ...plain, Message: `${plain.Message} ` }, NOTIFICATION), false);
  }
});

test('a token is confirmed for its topic only', async () => {
  const message = sns.subscriptionConfirmation();
  const wrong = message.SubscribeURL?.replace('posthorn', 'other') ?? '';
  assert.equal((await fetch(wrong)).status, 400);
  assert.deepEqual(sns.confirmed, []);
  assert.match(
    await fetched(message.SubscribeURL ?? ''),
    /<SubscriptionArn>arn:aws:sns:us-east-1:123456789012:posthorn:/,
  );
  assert.deepEqual(sns.confirmed, [{ topicArn: sns.topicArn, token: message.Token }]);
});

test('a notification is posted as SNS posts it', async () => {
  const seen: { headers: Record<string, unknown>; body: string }[] = [];
  const receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request gives buffers
    seen.push({ headers: request.headers, body: Buffer.concat(parts).toString() });
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  assert.ok(typeof address === 'object' && address !== null);
  const message = sns.notification(bounceEvent({ messageId: '0100-example', emailId: 'e', workspaceId: 'w' }));
  assert.equal((await sns.post(`http://127.0.0.1:${address.port}/events/ses`, message)).status, 204);
  receiver.closeAllConnections();
  receiver.close();
  assert.deepEqual(JSON.parse(seen[0]?.body ?? ''), message);
  assert.equal(seen[0]?.headers['content-type'], 'text/plain; charset=UTF-8');
  assert.equal(seen[0]?.headers['x-amz-sns-message-type'], 'Notification');
});

test('payloads have the names of the documentation', () => {
  const types = everySesEvent({ messageId: 'm' }).map(({ eventType, mail: _mail, ...part }) => [
    eventType,
    ...Object.keys(part),
  ]);
  assert.deepEqual(types, [
    ['Send', 'send'],
    ['DeliveryDelay', 'deliveryDelay'],
    ['Delivery', 'delivery'],
    ['Open', 'open'],
    ['Click', 'click'],
    ['Bounce', 'bounce'],
    ['Complaint', 'complaint'],
    ['Reject', 'reject'],
    ['Rendering Failure', 'failure'],
    ['Subscription', 'subscription'],
  ]);
});
