/**
 * A domain from its first record to an answered reply, with the settings as they are: a DNS server (Knot) and mail
 * servers that speak SMTP on this machine. Receivers check with mailauth, over DNS.
 */
import assert from 'node:assert/strict';
import { Resolver } from 'node:dns/promises';
import { after, before, test } from 'node:test';
import { dkimVerify } from 'mailauth/lib/dkim/verify.js';
import { Webhook } from 'standardwebhooks';
import { deliverMail, wire } from '../harness/deliver-mail.ts';
import { isKnotThere, type Knot, needsKnot, startKnot } from '../harness/knot.ts';
import { startOnTestDatabase } from '../harness/posthorn-on-test-database.ts';
import { freePort, type PosthornProcess } from '../harness/posthorn-process.ts';
import { type SmtpSink, startSmtpSink } from '../harness/smtp-sink.ts';
import type { SinkMessage } from '../harness/smtp-sink-connection.ts';
import { until } from '../harness/until.ts';
import { type Receiver, startReceiver } from '../harness/webhook-receiver.ts';

let knot: Knot;
let sink: SmtpSink;
let receiver: Receiver;
let posthorn: PosthornProcess;
let mailPort: number;
before(async () => {
  if (!isKnotThere()) return;
  [knot, sink, receiver, mailPort] = await Promise.all([startKnot(), startSmtpSink(), startReceiver(), freePort()]);
  posthorn = await startOnTestDatabase({
    env: {
      POSTHORN_PROVIDER_URL: sink.url,
      POSTHORN_DNS_SERVERS: knot.server,
      POSTHORN_INBOUND_SMTP_PORT: String(mailPort),
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
    },
  });
});
after(async () => {
  await posthorn?.stop();
  await receiver?.close();
  await sink?.stop();
  await knot?.stop();
});

interface DnsRecord {
  type: string;
  name: string;
  value: string;
  purpose: string;
  status: string;
  priority: number | null;
}

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

async function call(path: string, init: { method?: string; body?: unknown } = {}): Promise<Body> {
  const { status, body } = await posthorn.fetch(path, init);
  assert.ok(status < 300, `${path}: ${status} ${JSON.stringify(body)}`);
  return body;
}

/** Whether the receiver of a message finds its signature right, with the key that stands in the DNS. */
async function signatureOf(mime: Buffer): Promise<{ domain: string; result: string } | undefined> {
  const dns = new Resolver();
  dns.setServers([knot.server]);
  const { results } = await dkimVerify(mime, {
    resolver: async (name: string) => dns.resolveTxt(name), // every look-up of a signature is for TXT
  });
  const [found] = results;
  return found === undefined ? undefined : { domain: found.signingDomain ?? '', result: found.status.result };
}

/** The message number `n` to this address, from 0. */
const messageTo = (address: string, n: number): Promise<SinkMessage> =>
  until(`message ${n} to ${address}`, async () => sink.messages.filter(({ to }) => to.includes(address))[n]);

test('a domain is created, verified, sends signed mail, receives the reply, forwards and answers it', async (t) => {
  if (!needsKnot(t)) return;
  const { data: created } = await call('/v1/domains', { body: { domain: 'shop.test' } });
  for (const { type, name, value, purpose } of created.dns_records as DnsRecord[]) {
    if (type === 'TXT' && purpose !== 'dmarc') await knot.setText(name, [value]);
  }
  const { data: verified } = await call(`/v1/domains/${created.id}/verify`, { method: 'POST' });
  assert.deepEqual([verified.dkim_status, verified.sending_enabled], ['verified', true]);

  const mail = { from: 'Shop <help@shop.test>', to: 'ada@example.com', subject: 'Your receipt', text: 'Thank you.' };
  const sent = await call('/v1/send', { body: mail });
  const first = await messageTo('ada@example.com', 0);
  assert.deepEqual(await signatureOf(first.mime), { domain: 'shop.test', result: 'pass' });
  const messageId = first.header('message-id') ?? '';

  const { mx_record: mx } = await call(`/v1/domains/${created.id}/receiving/enable`, { method: 'POST' }).then(
    ({ data }) => data,
  );
  assert.equal(mx.type, 'MX');
  const { data: hook } = await call(`/v1/domains/${created.id}/webhook`, {
    method: 'PATCH',
    body: { webhookUrl: receiver.url },
  });
  const raw = wire(
    `From: Ada <ada@example.com>\nTo: help@shop.test\nSubject: Re: Your receipt\nMessage-ID: <r1@example.com>\n` +
      `In-Reply-To: ${messageId}\nReferences: ${messageId}\n\nThe amount is wrong.\n\n> Thank you.\n`,
  );
  assert.match(await deliverMail(mailPort, { from: 'ada@example.com', to: 'help@shop.test' }, raw), /^250 /);

  const event = await until('the forwarded mail', async () => receiver.received[0]);
  const { inbound } = new Webhook(hook.webhook_secret).verify(event.raw, {
    'webhook-id': String(event.headers['webhook-id']),
    'webhook-timestamp': String(event.headers['webhook-timestamp']),
    'webhook-signature': String(event.headers['webhook-signature']),
  }) as Body;
  assert.partialDeepStrictEqual(inbound, {
    from: { email: 'ada@example.com', name: 'Ada' },
    subject: 'Re: Your receipt',
    stripped_text: 'The amount is wrong.',
    matched_by: 'in_reply_to',
  });
  const { data: emails } = await call(`/v1/emails?job_id=${sent.jobId}`);
  assert.equal(inbound.in_reply_to_email_id, emails[0].id);

  await call(`/v1/inbound/${inbound.id}/reply`, { body: { text: 'We are sorry. It is mended.' } });
  const answer = await messageTo('ada@example.com', 1);
  assert.deepEqual(await signatureOf(answer.mime), { domain: 'shop.test', result: 'pass' });
  assert.deepEqual(
    ['from', 'subject', 'in-reply-to', 'references'].map((name) => answer.header(name)),
    ['help@shop.test', 'Re: Your receipt', '<r1@example.com>', `${messageId} <r1@example.com>`],
  );
});
