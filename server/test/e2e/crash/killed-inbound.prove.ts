/**
 * A process is killed around the commits of received mail: while it stores a message, while it reads one, and while it
 * takes one that Amazon SES received. 250, and 200 to SNS, are a promise: every message is there once, was read, and
 * was forwarded.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from 'kysely';
import { aDomain } from '../../harness/builders.ts';
import { createTestDatabase } from '../../harness/database.ts';
import { deliverMail, wire } from '../../harness/deliver-mail.ts';
import { startFakeS3 } from '../../harness/fake-s3.ts';
import { startFakeSns } from '../../harness/fake-sns.ts';
import { freePort } from '../../harness/posthorn-process.ts';
import { receivedNotification } from '../../harness/ses-payloads.ts';
import { undoAfter } from '../../harness/undo.ts';
import { until } from '../../harness/until.ts';
import { startReceiver } from '../../harness/webhook-receiver.ts';
import { arm, createRig } from './rig.ts';

const BOUNDARIES = [
  // The server that hands the mail over has no answer, and delivers once more.
  { at: 'inbound.store.before-commit', isAnswered: false },
  { at: 'inbound.store.after-commit', isAnswered: false },
  { at: 'inbound.read.before-commit', isAnswered: true },
  { at: 'inbound.read.after-commit', isAnswered: true },
];

/** SNS announces each of these messages, which lies in a bucket. */
const SES_BOUNDARIES = [
  // SNS has no answer, and announces once more.
  { at: 'feedback.notification.stored', isAnswered: false },
  { at: 'feedback.notification.processed', isAnswered: true },
  { at: 'inbound.arrival.given', isAnswered: true },
];

const messageOf = (subject: string): Buffer =>
  wire(`From: ada@example.net\nTo: help@reply.acme.example\nSubject: ${subject}\n\nHello\n`);

test('killed at any boundary, received mail is stored once, read, and forwarded', { timeout: 300_000 }, async (t) => {
  const database = await createTestDatabase({ poolMax: 2 });
  undoAfter(t, database.close);
  const receiver = await startReceiver();
  undoAfter(t, receiver.close);
  const [sns, s3] = [await startFakeSns(), await startFakeS3()];
  undoAfter(t, () => sns.stop());
  undoAfter(t, () => s3.stop());
  const mailPort = await freePort();
  const rig = await createRig({
    databaseUrl: database.url,
    env: {
      POSTHORN_BOUNCE_DOMAIN: 'bounces.acme.example',
      POSTHORN_INBOUND_SMTP_PORT: String(mailPort),
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      POSTHORN_WEBHOOK_RETRY_SECONDS: '1,1,1',
      POSTHORN_SES_RECEIVING: 'on',
      POSTHORN_SES_BUCKETS: 'mail',
      POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
      POSTHORN_SNS_CERT_HOST: sns.origin,
      POSTHORN_SES_ENDPOINT: s3.endpoint,
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'wJalrXUtnFEMI',
      // A server that gives no answer: the sender of a message cannot be checked, and that stops nothing.
      POSTHORN_DNS_SERVERS: '127.0.0.1:9',
    },
  });
  undoAfter(t, rig.close);
  const supervised = rig.supervise(
    'all',
    [...BOUNDARIES, ...SES_BOUNDARIES].map(({ at }) => [{ at, pass: 1, act: 'kill' as const }]),
  );
  const first = await supervised.life(0);
  const home = await sql<{ id: string }>`select id from workspaces where is_home`.execute(database.db);
  const workspaceId = home.rows[0]?.id ?? '';
  const domainId = await aDomain(database.db, workspaceId, 'reply.acme.example');
  await sql`update domains set receiving_enabled = true where workspace_id = ${workspaceId}`.execute(database.db);
  const set = await first.fetch(`/v1/domains/${domainId}/webhook`, {
    method: 'PATCH',
    body: { webhookUrl: receiver.url },
  });
  assert.equal(set.status, 200, JSON.stringify(set.body));

  const forwarded = (round: number) =>
    receiver.received.filter(({ raw }) => raw.includes(`"subject":"killed ${round}"`));

  for (const [round, { at, isAnswered }] of BOUNDARIES.entries()) {
    await arm(await supervised.life(round));
    const raw = messageOf(`killed ${round}`);
    const deliver = (): Promise<string> => deliverMail(mailPort, { to: 'help@reply.acme.example' }, raw);
    const answer = await deliver();
    if (isAnswered) assert.match(answer, /^250 /, at);
    else assert.equal(answer, '', at);
    await supervised.life(round + 1);
    assert.match(supervised.deaths[round] ?? '', new RegExp(`^fault: kill at ${at},`));
    if (!isAnswered) assert.match(await deliver(), /^250 /);
    // The process that was killed had taken the message for two minutes.
    await sql`update inbound_emails set next_try_at = now()
               where workspace_id = ${workspaceId} and read_at is null`.execute(database.db);
    await until(`the event of ${at}`, async () => forwarded(round)[0]);
  }

  const announce = async (message: string): Promise<boolean> => {
    const life = await supervised.life(0);
    const answer = await fetch(`${life.url}/events/ses`, { method: 'POST', body: message }).catch(() => undefined);
    return answer?.status === 200;
  };
  for (const [index, { at, isAnswered }] of SES_BOUNDARIES.entries()) {
    const round = BOUNDARIES.length + index;
    await arm(await supervised.life(round));
    const object = { bucketName: 'mail', objectKey: `in/${round}` };
    s3.objects.set(`mail/in/${round}`, { bytes: messageOf(`killed ${round}`) });
    const recipients = ['help@reply.acme.example'];
    const received = receivedNotification({ messageId: `of-${round}`, source: 'ada@example.net', recipients, object });
    const message = JSON.stringify(sns.notification(received));
    assert.equal(await announce(message), isAnswered, at);
    await supervised.life(round + 1);
    assert.match(supervised.deaths[round] ?? '', new RegExp(`^fault: kill at ${at},`));
    // SNS repeats what was not answered, and now and then what was.
    assert.equal(await announce(message), true, at);
    // The process that was killed had taken the arrival for five minutes, and may have taken the message for two.
    await sql`update inbound_arrivals set next_try_at = now() where outcome is null`.execute(database.db);
    await sql`update inbound_emails set next_try_at = now()
               where workspace_id = ${workspaceId} and read_at is null`.execute(database.db);
    await until(`the event of ${at}`, async () => forwarded(round)[0]);
  }

  const { rows } = await sql<{ subject: string; messages: number; isRead: boolean; events: number }>`
    select e.subject, count(*)::integer as messages, bool_and(e.read_at is not null) as "isRead",
           count(distinct e.event_id)::integer as events
      from inbound_emails e where e.workspace_id = ${workspaceId} group by e.subject order by e.subject`.execute(
    database.db,
  );
  assert.deepEqual(
    rows,
    [...BOUNDARIES, ...SES_BOUNDARIES].map((_, round) => ({
      subject: `killed ${round}`,
      messages: 1,
      isRead: true,
      events: 1,
    })),
  );
  for (const [index, { at }] of SES_BOUNDARIES.entries()) {
    const { length } = forwarded(BOUNDARIES.length + index);
    assert.equal(length, 1, `forwarded once: ${at}`);
  }
});
