/**
 * A developer with nothing configured: `npm start`, an endpoint on the same machine, a few sends to the simulator
 * addresses, a look at one captured message. The receiver gets to see every type of event, each signed. The types of
 * newsletters come by the test of the endpoint: nothing else in the product tells of them yet.
 */
import assert from 'node:assert/strict';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import type { PosthornProcess } from '../harness/posthorn-process.ts';

const EMAIL_EVENTS = ['send', 'delivery', 'bounce', 'complaint', 'reject', 'delivery_delay', 'open', 'click'];
const NEWSLETTER_EVENTS = [
  'newsletter.subscriber.created',
  'newsletter.subscriber.confirmed',
  'newsletter.subscriber.unsubscribed',
  'newsletter.issue.sent',
  'newsletter.issue.failed',
];
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0';

interface Received {
  type: string;
  body: any; // a receiver reads bodies of many shapes
  signed: boolean;
}

let posthorn: PosthornProcess;
let receiver: Server;
let url: string;
let secret = '';
const received: Received[] = [];
const arrivals = new EventTarget();

before(async () => {
  posthorn = await startOnTestDatabase({
    env: { POSTHORN_LOG_LEVEL: undefined },
    startTimeoutMs: 60_000,
  });
  receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const raw = Buffer.concat(chunks);
      received.push({
        type: String(request.headers['x-service-event']),
        body: JSON.parse(raw.toString('utf8')),
        signed: verifies(raw, String(request.headers['x-service-signature'])),
      });
      response.end('ok');
      arrivals.dispatchEvent(new Event('arrival'));
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks`; // a TCP listener has one
});
after(async () => {
  await posthorn?.stop();
  receiver.closeAllConnections();
  receiver.close();
});

/** As a receiver does it: HMAC-SHA-256 of `<t>.<raw body>` with the whole secret, not older than five minutes. */
function verifies(raw: Buffer, header: string): boolean {
  const t = /(?:^|,)t=(\d+)/.exec(header)?.[1] ?? '';
  if (Math.abs(Date.now() / 1_000 - Number(t)) > 300) return false;
  const mine = createHmac('sha256', secret).update(`${t}.`).update(raw).digest();
  return [...header.matchAll(/v1=([0-9a-f]{64})/g)].some((given) =>
    timingSafeEqual(mine, Buffer.from(given[1] ?? '', 'hex')),
  );
}

async function call(pathname: string, body?: unknown): Promise<any> {
  const answer = await posthorn.fetch(pathname, body === undefined ? {} : { body });
  assert.ok(answer.status < 300, `${pathname}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

async function arrived(type: string, recipient?: string): Promise<Received> {
  const deadline = performance.now() + 30_000;
  for (;;) {
    const found = received.find(
      (one) => one.type === type && (recipient === undefined || one.body.email?.recipient === recipient),
    );
    if (found !== undefined) return found;
    const left = deadline - performance.now();
    assert.ok(left > 0, `no ${type}; there were ${received.map((one) => one.type).join(', ')}`);
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      arrivals.addEventListener('arrival', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

async function capturedHtml(emailId: string): Promise<string> {
  const page = await call('/v1/captured-emails');
  const one = page.data.find((item: { email_id: string }) => item.email_id === emailId);
  return (await call(`/v1/captured-emails/${one.id}`)).html;
}

test('with nothing configured a receiver on this machine sees every event of emails, and a sample of each of newsletters, signed', async () => {
  const webhook = await call('/v1/webhooks', { url, events: [...EMAIL_EVENTS, ...NEWSLETTER_EVENTS] });
  secret = webhook.secret;

  const sent = await call('/v1/send', {
    from: 'Posthorn <hello@posthorn.test>',
    to: ['success', 'bounce', 'complaint', 'reject', 'delay'].map((name) => `${name}@simulator.amazonses.com`),
    subject: 'Every event',
    html: '<p><a href="https://example.com/a?b=1&amp;c=2">Look</a></p>',
    trackOpens: true,
    trackClicks: true,
    metadata: { order: '42' },
  });
  const fates: [string, string][] = [
    ['success', 'delivery'],
    ['bounce', 'bounce'],
    ['complaint', 'complaint'],
    ['reject', 'reject'],
    ['delay', 'delivery_delay'],
  ];
  for (const [name, type] of fates) {
    await arrived('send', `${name}@simulator.amazonses.com`);
    await arrived(type, `${name}@simulator.amazonses.com`);
  }

  const [success] = sent.emails;
  const html = await capturedHtml(success.id);
  const pixel = /<img[^>]+src="([^"]+)"/.exec(html)?.[1] ?? '';
  const link = /<a href="([^"]+)"/.exec(html)?.[1] ?? '';
  const local = (address: string): string => posthorn.url + new URL(address).pathname;
  await fetch(local(pixel), { headers: { 'user-agent': BROWSER } });
  const clicked = await fetch(local(link), { headers: { 'user-agent': BROWSER }, redirect: 'manual' });
  assert.equal(clicked.headers.get('location'), 'https://example.com/a?b=1&c=2');
  assert.equal((await arrived('open')).body.event_data.open.is_bot, false);
  assert.equal((await arrived('click')).body.event_data.click.link, 'https://example.com/a?b=1&c=2');

  for (const type of NEWSLETTER_EVENTS) {
    assert.deepEqual((await call(`/v1/webhooks/${webhook.id}/test`, { type })).success, true);
    assert.equal((await arrived(type)).body.test, true);
  }
  for (const one of received) assert.ok(one.signed, `${one.type} is not signed`);
  assert.equal((await arrived('bounce')).body.event_data.bounce.bounceType, 'Permanent');
  assert.deepEqual((await arrived('delivery')).body.email.metadata, { order: '42' });
});
