/**
 * The whole way out and back: a send leaves through Amazon SES, what SES publishes comes in through SNS, signed, and
 * the email says what became of it. As the set-up guide has it, subscription included.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createTestDatabase, type TestDatabase } from '../harness/database.ts';
import { type FakeSes, startFakeSes } from '../harness/fake-ses.ts';
import { type FakeSns, startFakeSns } from '../harness/fake-sns.ts';
import { freePort, type PosthornProcess, startProcess } from '../harness/posthorn-process.ts';

let database: TestDatabase;
let sns: FakeSns;
let ses: FakeSes;
let posthorn: PosthornProcess;
let callback: string;

before(async () => {
  database = await createTestDatabase();
  const port = await freePort();
  callback = `http://127.0.0.1:${port}/events/ses`;
  sns = await startFakeSns();
  ses = await startFakeSes({ account: { maxSendRate: 200 }, events: { sns, url: callback } });
  posthorn = await startProcess({
    port,
    databaseUrl: database.url,
    env: {
      POSTHORN_PROVIDER_URL: 'ses://us-east-1?configurationSet=posthorn',
      POSTHORN_SES_ENDPOINT: ses.endpoint,
      POSTHORN_SES_TOPIC_ARNS: sns.topicArn,
      POSTHORN_SNS_CERT_HOST: sns.origin,
      POSTHORN_EGRESS_ALLOW: '127.0.0.1/32',
      POSTHORN_SEND_RATE: '200',
      POSTHORN_PROVIDER_CEILING: '1000',
      AWS_ACCESS_KEY_ID: 'AKIAEXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'wJalr',
    },
  });
});
after(async () => {
  await posthorn?.stop();
  await ses?.stop();
  await sns?.stop();
  await database?.close();
});

/** A test reads fields of many shapes. */
async function send(to: string): Promise<any> {
  const body = { from: 'Acme <hello@posthorn.test>', to, subject: 'Hello', text: 'Hello' };
  const answer = await posthorn.fetch('/v1/send', { body });
  assert.equal(answer.status, 202, JSON.stringify(answer.body));
  const sent = answer.body as any; // as above
  return sent.emails?.[0]?.id ?? sent.id;
}

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const startedMs = performance.now();
  while (!(await look())) {
    assert.ok(performance.now() - startedMs < 30_000, `${what} did not come; ${posthorn.output()}`);
    await new Promise(setImmediate);
  }
}

const becomes = (id: string, status: string): Promise<void> =>
  until(`email ${id} as ${status}`, async () => {
    const { body } = (await posthorn.fetch(`/v1/emails/${id}`)) as { body: any };
    return body.status === status;
  });

test('the subscription is confirmed with the token of its own topic', async () => {
  const asked = sns.subscriptionConfirmation();
  assert.ok((await sns.post(callback, asked)).status < 300);
  await until('the confirmation', async () => sns.confirmed.some(({ token }) => token === asked.Token));
});

test('each address of the mailbox simulator ends as its name says', async () => {
  const ends = [
    ['success@simulator.amazonses.com', 'delivered'],
    ['bounce+x@simulator.amazonses.com', 'bounced'],
    ['complaint@simulator.amazonses.com', 'complained'],
    ['ada@example.net', 'delivered'],
  ] as const;
  for (const [to, status] of ends) await becomes(await send(to), status);
});

test('an email whose answer was lost is settled by its own event, without a second copy', async () => {
  ses.setFaults({ rules: [{ act: 'take-and-drop', times: 1 }] });
  const id = await send('lost@example.net');
  await becomes(id, 'delivered');
  assert.equal(ses.messages.filter((message) => message.tags['posthorn_email'] === id).length, 1);
});
