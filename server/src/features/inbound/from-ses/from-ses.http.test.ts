import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { sql } from 'kysely';
import { createTestApp, type TestApp, type TestRequest } from '../../../../test/harness/app.ts';
import { aDomain } from '../../../../test/harness/builders.ts';
import { wire } from '../../../../test/harness/deliver-mail.ts';
import { type FakeS3, startFakeS3 } from '../../../../test/harness/fake-s3.ts';
import { type FakeSns, type SnsMessage, startFakeSns } from '../../../../test/harness/fake-sns.ts';
import { receivedNotification, type SesReceived } from '../../../../test/harness/ses-payloads.ts';
import { until } from '../../../../test/harness/until.ts';
import { purgeInbound } from '../retention.ts';
import { arrivalNoted } from './note-arrivals.ts';

let app: TestApp;
let sns: FakeSns;
let s3: FakeS3;
let domainId: string;
before(async () => {
  process.env['AWS_ACCESS_KEY_ID'] = 'AKIAEXAMPLE';
  process.env['AWS_SECRET_ACCESS_KEY'] = 'wJalrXUtnFEMI';
  sns = await startFakeSns();
  s3 = await startFakeS3();
  app = await createTestApp({
    worker: true,
    env: {
      POSTHORN_SES_RECEIVING: 'on',
      POSTHORN_SES_BUCKETS: 'mail',
      POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
      POSTHORN_SNS_CERT_HOST: sns.origin,
      POSTHORN_SES_ENDPOINT: s3.endpoint,
      POSTHORN_BOUNCE_DOMAIN: 'bounces.example',
      POSTHORN_INBOUND_MESSAGE_MB: '1',
      POSTHORN_INBOUND_MB: '2',
    },
  });
  domainId = await aDomain(app.db, app.workspaceId, 'reply.acme.example');
  await call({ method: 'POST', url: `/v1/domains/${domainId}/receiving/enable` });
});
afterEach(async () => {
  s3.objects.clear();
  app.logged.length = 0;
  for (const table of ['inbound_arrivals', 'inbound_emails', 'inbound_usage', 'provider_notifications']) {
    await sql`delete from ${sql.table(table)}`.execute(app.db);
  }
});
after(async () => {
  await app.close();
  await s3.stop();
  await sns.stop();
});

// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

const call = async (request: TestRequest): Promise<{ status: number; body: Body }> => app.request(request);
const to = 'support+42@reply.acme.example';
const message = (subject: string): Buffer =>
  wire(`From: Ada <ada@example.net>\nTo: ${to}\nSubject: ${subject}\nMessage-ID: <a@example.net>\n\nGrüße\n`);
let number = 0;
const received = (more: Partial<SesReceived> = {}): Record<string, unknown> => {
  number += 1;
  const messageId = `d6iitobk75ur44p8kdnnp7g2n${number}`;
  return receivedNotification({ messageId, source: 'ada@example.net', recipients: [to], ...more });
};
async function post(signed: SnsMessage): Promise<number> {
  const { statusCode } = await app.app.inject({
    method: 'POST',
    url: '/events/ses',
    headers: { 'content-type': 'text/plain; charset=UTF-8' },
    payload: JSON.stringify(signed),
  });
  return statusCode;
}
const tell = async (notification: Record<string, unknown>): Promise<void> =>
  assert.equal(await post(sns.notification(notification)), 200);
const stored = async (): Promise<Body[]> =>
  (await call({ url: '/v1/inbound' })).body.data.filter(({ status }: Body) => status === 'read');
const arrived = (subject: string): Promise<Body> =>
  until(`the message ${subject}`, async () => {
    const found = (await stored()).find((one) => one.subject === subject);
    return found && (await call({ url: `/v1/inbound/${found.id}` })).body;
  });
const arrivals = async (): Promise<Body[]> =>
  (await sql`select * from inbound_arrivals order by id`.execute(app.db)).rows;
const waiting = (note: RegExp): Promise<Body> =>
  until(`an arrival that waits: ${note.source}`, async () => {
    const found = (await arrivals()).find((one) => one.outcome === null && note.test(one.note ?? ''));
    return found;
  });
/** As if the time of the next attempt had come. */
const hasten = async (): Promise<void> => {
  await sql`update inbound_arrivals set next_try_at = now() where outcome is null`.execute(app.db);
  arrivalNoted.tell();
};
const settled = (outcome: string): Promise<Body> =>
  until(`an arrival that is ${outcome}`, async () => (await arrivals()).find((one) => one.outcome === outcome));
const rawOf = async (id: string): Promise<Buffer> =>
  (await app.app.inject({ url: `/v1/inbound/${id}/raw`, headers: { authorization: `Bearer ${app.key}` } })).rawPayload;

test('a message in a notification is stored byte for byte, with the verdicts of SES, once however often it is told', async () => {
  const content = Buffer.concat([message('Inline'), Buffer.from('\xff\xfe\r\n', 'latin1')]);
  const verdicts = { spam: 'FAIL', virus: 'PASS', spf: 'GRAY', dkim: 'PASS', dmarc: 'PROCESSING_FAILED' };
  const notification = received({ content, verdicts });
  const signed = sns.notification(notification);
  assert.deepEqual([await post(signed), await post(signed)], [200, 200]);
  await tell(notification);
  const shown = await arrived('Inline');
  assert.partialDeepStrictEqual(shown, {
    envelope: { from: 'ada@example.net', to: [to] },
    mailbox_hash: '42',
    spam: { verdict: 'fail', score: null },
    virus: { verdict: 'pass' },
    auth: { spf: 'none', dkim: 'pass', dmarc: 'temperror', arc: 'unknown' },
    parse_error: null,
  });
  assert.deepEqual(await rawOf(shown.id), content);
  await until('both notifications', async () => {
    const { rows } = await sql<Body>`select outcome, body from provider_notifications`.execute(app.db);
    const isOver = rows.every((row: Body) => row.outcome === 'applied' && row.body.length === 0);
    return (rows.length === 2 && isOver) || undefined;
  });
  assert.deepEqual([(await stored()).length, (await arrivals()).length], [1, 1]);
  assert.partialDeepStrictEqual(await arrivals(), [
    { outcome: 'taken', bytes: null, envelope_from: '', recipients: [] },
  ]);
});

test('a message in UTF-8 and one in base64 that nothing announces are read as what they are', async () => {
  await tell(received({ content: message('Plain'), encoding: 'UTF-8' }));
  assert.deepEqual(await rawOf((await arrived('Plain')).id), message('Plain'));
  const notification = received({ content: message('Guessed') });
  const { receipt } = notification as Body;
  delete receipt.action.encoding;
  await tell(notification);
  assert.deepEqual(await rawOf((await arrived('Guessed')).id), message('Guessed'));
});

test('a message in a bucket is fetched; what cannot be read is tried again and kept by S3', async () => {
  const object = { bucketName: 'mail', objectKey: 'in/abc' };
  await tell(received({ object }));
  await waiting(/s3:\/\/mail\/in\/abc could not be read: NoSuchKey/);
  s3.objects.set('mail/in/abc', { status: 403, code: 'AccessDenied' });
  await hasten();
  await waiting(/AccessDenied/);
  assert.deepEqual(await stored(), []);
  s3.objects.set('mail/in/abc', { bytes: message('Object') });
  await hasten();
  assert.deepEqual(await rawOf((await arrived('Object')).id), message('Object'));
  assert.match(app.logged.join(), /waits; it is tried again/);
});

test('a bucket that is not named is never asked', async () => {
  s3.objects.set('secrets/in/abc', { bytes: message('Secret') });
  const before = s3.requests.length;
  await tell(received({ object: { bucketName: 'secrets', objectKey: 'in/abc' } }));
  await waiting(/the bucket secrets is not in POSTHORN_SES_BUCKETS/);
  assert.deepEqual([s3.requests.length, await stored()], [before, []]);
});

test('recipients of two domains: those that are known get the message at once, the others when they are', async () => {
  await tell(received({ content: message('Both'), recipients: [to, 'x@later.example'] }));
  assert.deepEqual((await arrived('Both')).envelope.to, [to]);
  const { recipients } = await waiting(/We do not relay/);
  assert.deepEqual(recipients, ['x@later.example']);
  const later = await aDomain(app.db, app.workspaceId, 'later.example');
  await call({ method: 'POST', url: `/v1/domains/${later}/receiving/enable` });
  await hasten();
  await settled('taken');
  await until('both', async () => (await stored()).length === 2 || undefined);
  const all = (await stored()).map(({ envelope }) => envelope.to).toSorted();
  assert.deepEqual(all, [[to], ['x@later.example']]);
});

test('a message that is too large, or has no room, waits and is not lost', async () => {
  s3.objects.set('mail/large', { bytes: Buffer.concat([message('Large'), Buffer.alloc(1_100_000, 'x')]) });
  await tell(received({ object: { bucketName: 'mail', objectKey: 'large' } }));
  await waiting(/more than is taken/);
  await sql`insert into inbound_usage (workspace_id, domain_id, emails, bytes)
            values (${app.workspaceId}, ${domainId}, 1, 2097152)`.execute(app.db);
  await tell(received({ content: message('No room') }));
  await waiting(/The mailbox is full/);
  assert.deepEqual(await stored(), []);
  await sql`update inbound_usage set bytes = 0`.execute(app.db);
  await hasten();
  await arrived('No room');
});

test('mail that goes round is refused at once; mail that nobody takes for four days is given up, and its bytes after seven', async () => {
  const hops = 'Received: from a by b\n'.repeat(51);
  await tell(received({ content: wire(`${hops}Subject: Round\n\nx\n`) }));
  const round = await settled('refused');
  assert.match(round.note, /goes round in a loop/);
  await sql`delete from inbound_arrivals`.execute(app.db);

  await tell(received({ content: message('Nobody'), recipients: ['x@nobody.example'] }));
  await waiting(/We do not relay/);
  await sql`update inbound_arrivals set received_at = now() - interval '5 days', next_try_at = now()`.execute(app.db);
  arrivalNoted.tell();
  const { note, bytes } = await settled('refused');
  assert.match(note, /We do not relay/);
  assert.ok(bytes.length > 0);
  assert.match(app.logged.join(), /was given up/);
  const purge = async (): Promise<void> => {
    while (await purgeInbound(app.db, 90));
  };
  await purge();
  assert.ok((await arrivals())[0].bytes.length > 0);
  await sql`update inbound_arrivals set received_at = now() - interval '8 days'`.execute(app.db);
  await purge();
  assert.partialDeepStrictEqual(await arrivals(), [{ bytes: null, envelope_from: '', recipients: [] }]);
  await sql`update inbound_arrivals set received_at = now() - interval '32 days'`.execute(app.db);
  await purge();
  assert.deepEqual(await arrivals(), []);
  assert.deepEqual(await stored(), []);
});

test('a message that was given on before the process died is there once', async () => {
  await tell(received({ content: message('Once') }));
  const { id } = await arrived('Once');
  await settled('taken');
  await sql`update inbound_arrivals set outcome = null, next_try_at = now(), envelope_from = 'ada@example.net',
              recipients = ${[to]}, bytes = ${message('Once')}`.execute(app.db);
  arrivalNoted.tell();
  await settled('taken');
  assert.deepEqual(
    (await stored()).map((one) => one.id),
    [id],
  );
});

test('mail for the return paths of ours goes to where the same goes over SMTP', async () => {
  await tell(received({ content: message('Bounce'), source: '<>', recipients: ['nobody@bounces.example'] }));
  const { envelope_from: from } = await waiting(/./);
  assert.equal(from, '');
  assert.deepEqual(await stored(), []);
});

test('nothing is believed without the signature of SNS and a topic of ours, and nothing malformed is stored as mail', async () => {
  const signed = sns.notification(received({ content: message('Forged') }));
  assert.equal(await post({ ...signed, Message: signed.Message.replace('ada@', 'eve@') }), 403);
  const stranger = sns.notification(received({ content: message('Other') }), {
    topicArn: 'arn:aws:sns:us-east-1:123456789012:other',
  });
  assert.equal(await post(stranger), 403);
  const bad: Body[] = [
    { ...received(), receipt: null },
    { ...received(), content: 7 },
    received({ content: Buffer.from('x'), recipients: [] }),
    received({ content: Buffer.from('x'), recipients: ['no address', 'a\0@b.example'] }),
    received({ object: { bucketName: '../etc', objectKey: 'x' } }),
    received({ object: { bucketName: 'mail', objectKey: 'a\0b' } }),
    received({ object: { bucketName: 'mail', objectKey: 'x'.repeat(1_025) } }),
    { ...received({ content: Buffer.from('x') }), mail: { source: 'a@b.example' } },
  ];
  for (const one of bad) await tell(one);
  const outcomes = (): Promise<Body[]> =>
    sql<Body>`select outcome from provider_notifications`.execute(app.db).then(({ rows }) => rows);
  await until('all of them', async () => (await outcomes()).every(({ outcome }) => outcome !== null) || undefined);
  assert.deepEqual(
    (await outcomes()).map(({ outcome }) => outcome),
    bad.map(() => 'malformed'),
  );
  assert.deepEqual([await arrivals(), await stored()], [[], []]);
});

test('the MX record of a domain names the host of SES in its region', async () => {
  const { body } = await call({ url: `/v1/domains/${domainId}` });
  const record = body.data.dns_records.find(({ purpose }: Body) => purpose === 'inbound');
  assert.equal(record.value, '10 inbound-smtp.us-east-1.amazonaws.com');
});
