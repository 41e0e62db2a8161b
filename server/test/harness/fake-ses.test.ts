import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';
import { GetEmailIdentityCommand, SendEmailCommand, SESv2Client } from '@aws-sdk/client-sesv2';
import { createSesInspector, type SesInspector } from '#providers/ses/ses-inspector.ts';
import { type FakeSes, startFakeSes } from './fake-ses.ts';
import { type SnsMessage, startFakeSns } from './fake-sns.ts';
import { undoAfter } from './undo.ts';

const credentials = { accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'wJalr' };
const TOPIC = 'arn:aws:sns:us-east-1:123456789012:posthorn';
let ses: FakeSes;
let inspector: SesInspector;

before(async () => {
  ses = await startFakeSes({
    account: {
      productionAccess: false,
      maxSendRate: 1,
      max24HourSend: 200,
      identities: { 'example.com': { verified: true, configurationSet: 'posthorn' }, 'a@b.test': { verified: false } },
      configurationSets: { posthorn: [{ name: 'all', enabled: true, events: ['BOUNCE'], topicArn: TOPIC }] },
    },
  });
  const settings = { region: 'us-east-1', configurationSet: null, connections: 2, endpoint: ses.endpoint };
  inspector = createSesInspector(settings, { credentials });
});
after(async () => {
  inspector.close();
  await ses.stop();
});

test('the real client reads account, identities and configuration sets from it', async () => {
  assert.partialDeepStrictEqual(await inspector.account(), {
    ProductionAccessEnabled: false,
    SendQuota: { MaxSendRate: 1, Max24HourSend: 200, SentLast24Hours: 0 },
  });
  assert.partialDeepStrictEqual(await inspector.identity('example.com'), {
    IdentityType: 'DOMAIN',
    VerifiedForSendingStatus: true,
    ConfigurationSetName: 'posthorn',
  });
  assert.partialDeepStrictEqual(await inspector.identity('a@b.test'), { VerifiedForSendingStatus: false });
  assert.deepEqual(await inspector.configurationSet('posthorn'), { sendingEnabled: true });
  assert.partialDeepStrictEqual(await inspector.eventDestinations('posthorn'), [
    { Enabled: true, MatchingEventTypes: ['BOUNCE'], SnsDestination: { TopicArn: TOPIC } },
  ]);
});

test('a missing resource is a NotFoundException with its words', async () => {
  await assert.rejects(inspector.identity('nobody.test'), { name: 'NotFoundException', message: /nobody\.test/ });
  await assert.rejects(inspector.configurationSet('x'), { name: 'NotFoundException', message: /<x> does not exist/ });
  await assert.rejects(inspector.eventDestinations('x'), { name: 'NotFoundException' });
});

test('a request without a signature is refused', async () => {
  const answer = await fetch(`${ses.endpoint}/v2/email/account`);
  assert.equal(answer.status, 403);
  assert.equal(answer.headers.get('x-amzn-errortype'), 'MissingAuthenticationTokenException');
});

test('the plain client of the SDK, with nothing of ours between, understands its errors', async () => {
  const client = new SESv2Client({ region: 'us-east-1', endpoint: ses.endpoint, credentials, maxAttempts: 1 });
  await assert.rejects(client.send(new GetEmailIdentityCommand({ EmailIdentity: 'nobody.test' })), {
    name: 'NotFoundException',
    $fault: 'client',
  });
  client.destroy();
});

test('it tells what became of a message as SNS does, signed, by the addresses of the simulator', async (t) => {
  const told: SnsMessage[] = [];
  const receiver = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer); // a request gives buffers
    told.push(JSON.parse(Buffer.concat(parts).toString()) as SnsMessage); // what our own fake posts
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
  undoAfter(t, () => receiver.close());
  undoAfter(t, () => receiver.closeAllConnections());
  const address = receiver.address();
  assert.ok(typeof address === 'object' && address !== null);
  const sns = await startFakeSns();
  undoAfter(t, () => sns.stop());
  const telling = await startFakeSes({ events: { sns, url: `http://127.0.0.1:${address.port}/events/ses` } });
  undoAfter(t, () => telling.stop());
  const client = new SESv2Client({ region: 'us-east-1', endpoint: telling.endpoint, credentials, maxAttempts: 1 });
  undoAfter(t, () => client.destroy());
  await client.send(
    new SendEmailCommand({
      Destination: { ToAddresses: ['bounce+x@simulator.amazonses.com', 'ada@example.net'] },
      Content: { Raw: { Data: Buffer.from('From: shop@example.com\r\n\r\nHello\r\n') } },
      EmailTags: [{ Name: 'posthorn_email', Value: 'e-1' }],
      ConfigurationSetName: 'posthorn',
    }),
  );
  await telling.eventsTold();
  const events = told.map((message) => JSON.parse(message.Message) as { eventType: string; mail: object });
  assert.deepEqual(events.map((event) => event.eventType).sort(), ['Bounce', 'Delivery', 'Send', 'Send']);
  for (const { mail } of events)
    assert.partialDeepStrictEqual(mail, {
      messageId: telling.messages[0]?.messageId,
      tags: { posthorn_email: ['e-1'], 'ses:configuration-set': ['posthorn'] },
    });
  assert.deepEqual(
    told.map((message) => sns.signed(message).Signature),
    told.map((message) => message.Signature),
  );
});
