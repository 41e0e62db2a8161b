import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { type AutomationsApp, createAutomationsApp } from '../test-kit.ts';

let t: AutomationsApp;
const got: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer((request, response) => {
  let body = '';
  request.on('data', (part: Buffer) => {
    body += part.toString();
  });
  request.on('end', () => {
    got.push({ headers: request.headers, body });
    response.end();
  });
});
before(async () => {
  t = await createAutomationsApp();
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
});
after(async () => {
  await t.close();
  receiver.close();
});

test('A webhook step is signed as Standard Webhooks says, with the secret of its automation', async () => {
  const { port } = receiver.address() as AddressInfo; // it listens on TCP
  const step = { key: 'tell', type: 'webhook', config: { url: `http://127.0.0.1:${port}/hook` } };
  const { id, webhook_secret: secret } = await t.enabled({ trigger: { type: 'event:signed' }, steps: [step] });
  const other = await t.automation({ steps: [step] });
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.notEqual(other.webhook_secret, secret);
  assert.equal((await t.call('GET', `/${id}`)).body.webhook_secret, secret);
  assert.equal((await t.automation({})).webhook_secret, null);
  await t.event('signed', 'ada@signed.test', { order_id: '42' });
  await t.service.runOnce();
  const [call] = got;
  assert.ok(call !== undefined && got.length === 1);
  const { 'webhook-id': called, 'webhook-timestamp': at, 'webhook-signature': signature } = call.headers;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const expected = createHmac('sha256', key)
    .update(`${String(called)}.${String(at)}.${call.body}`)
    .digest('base64');
  assert.equal(signature, `v1,${expected}`);
  assert.equal(called, JSON.parse(call.body).id);
  assert.ok(Math.abs(Number(at) * 1_000 - Date.now()) < 60_000);
});
