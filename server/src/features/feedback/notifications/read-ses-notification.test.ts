import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#platform/ids.ts';
import {
  asIdentityNotification,
  bounceEvent,
  clickEvent,
  complaintEvent,
  deliveryDelayEvent,
  deliveryEvent,
  openEvent,
  rejectEvent,
  renderingFailureEvent,
  type SesEvent,
  sendEvent,
  subscriptionEvent,
} from '../../../../test/harness/ses-payloads.ts';
import type { ReadNotification, ToldEvent } from './notification.ts';
import { readSesNotification } from './read-ses-notification.ts';

const [workspaceId, emailId] = [newId(), newId()];
const messageId = '0100017c44f053b0-61b59c11-9236-11e6-8f96-7be8aexample-000000';
const receivedAt = new Date('2026-11-20T12:00:00.000Z');
const sentAt = new Date('2026-11-20T11:00:00.000Z');
const mail = { messageId, workspaceId, emailId, destination: ['ada@example.com'], sentAt };
const both = { ...mail, destination: ['ada@example.com', 'bob@example.com'] };

const read = (message: unknown): Promise<ReadNotification> =>
  readSesNotification({
    source: 'ses',
    id: 'm-1',
    topic: 'arn:aws:sns:us-east-1:123456789012:posthorn',
    body: Buffer.from(
      JSON.stringify({
        Type: 'Notification',
        Message: typeof message === 'string' ? message : JSON.stringify(message),
      }),
    ),
    envelopeTo: null,
    receivedAt,
  });

async function eventsOf(message: unknown): Promise<readonly ToldEvent[]> {
  const told = await read(message);
  assert.equal(told.kind, 'events', JSON.stringify(told));
  return told.kind === 'events' ? told.events : [];
}

const at = (afterMs: number) => new Date(sentAt.getTime() + afterMs);
const written = (afterMs: number) => at(afterMs).toISOString();

const table: {
  name: string;
  message: SesEvent;
  events: { type: string; recipient: string; at: Date; payload: unknown }[];
}[] = [
  {
    name: 'Send',
    message: sendEvent(both),
    events: [{ type: 'send', recipient: 'ada@example.com', at: sentAt, payload: { send: {} } }],
  },
  {
    name: 'Delivery',
    message: deliveryEvent(both),
    events: both.destination.map((recipient) => ({
      type: 'delivery',
      recipient,
      at: at(3_000),
      payload: {
        delivery: {
          timestamp: written(3_000),
          processingTimeMillis: 3_000,
          recipients: [recipient],
          smtpResponse: '250 2.6.0 Message received',
          remoteMtaIp: '198.51.100.7',
          reportingMTA: 'mta.example.com',
        },
      },
    })),
  },
  {
    name: 'Complaint',
    message: complaintEvent(mail),
    events: [
      {
        type: 'complaint',
        recipient: 'ada@example.com',
        at: at(120_000),
        payload: {
          complaint: {
            feedbackId: `01000157c4cfd7ec-${messageId.slice(0, 36)}-000000`,
            complaintSubType: null,
            complainedRecipients: [{ emailAddress: 'ada@example.com' }],
            timestamp: written(120_000),
            userAgent: 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36',
            complaintFeedbackType: 'abuse',
            arrivalDate: written(120_000),
          },
        },
      },
    ],
  },
  {
    name: 'Reject',
    message: rejectEvent(mail),
    events: [
      { type: 'reject', recipient: 'ada@example.com', at: sentAt, payload: { reject: { reason: 'Bad content' } } },
    ],
  },
  {
    name: 'Rendering Failure',
    message: renderingFailureEvent(mail),
    events: [
      {
        type: 'reject',
        recipient: 'ada@example.com',
        at: sentAt,
        payload: {
          reject: {
            reason: 'Bad content',
            message: "Rendering failure: Attribute 'attributeName' is not present in the rendering data.",
          },
        },
      },
    ],
  },
  {
    name: 'DeliveryDelay',
    message: deliveryDelayEvent(mail),
    events: [
      {
        type: 'delivery_delay',
        recipient: 'ada@example.com',
        at: at(600_000),
        payload: {
          deliveryDelay: {
            timestamp: written(600_000),
            delayType: 'TransientCommunicationFailure',
            expirationTime: written(43_200_000),
            delayedRecipients: [
              {
                emailAddress: 'ada@example.com',
                status: '4.4.1',
                diagnosticCode: 'smtp; 421 4.4.1 Unable to connect to remote host',
              },
            ],
          },
        },
      },
    ],
  },
  {
    name: 'Open',
    message: openEvent(mail, { userAgent: 'A browser' }),
    events: [
      {
        type: 'open',
        recipient: 'ada@example.com',
        at: at(90_000),
        payload: { open: { ipAddress: '192.0.2.1', timestamp: written(90_000), userAgent: 'A browser' } },
      },
    ],
  },
  {
    name: 'Click',
    message: clickEvent(mail, { userAgent: 'A browser', link: 'https://example.com/a', linkTags: null }),
    events: [
      {
        type: 'click',
        recipient: 'ada@example.com',
        at: at(95_000),
        payload: {
          click: {
            ipAddress: '192.0.2.1',
            link: 'https://example.com/a',
            linkTags: null,
            timestamp: written(95_000),
            userAgent: 'A browser',
          },
        },
      },
    ],
  },
];
for (const { name, message, events } of table) {
  test(`${name}: an event for each recipient it is about, with the object of SES as its data`, async () => {
    const told = await eventsOf(message);
    assert.deepEqual(
      told.map(({ type, recipient, at: when, payload }) => ({ type, recipient, at: when, payload })),
      events,
    );
    for (const event of told) {
      assert.partialDeepStrictEqual(event, { workspaceId, emailId, providerMessageId: messageId });
    }
  });
}

const bounces = [
  ['Permanent', ['General', 'NoEmail', 'Suppressed', 'OnAccountSuppressionList', 'UnsubscribedRecipient']],
  [
    'Transient',
    ['General', 'MailboxFull', 'MessageTooLarge', 'CustomTimeoutExceeded', 'ContentRejected', 'AttachmentRejected'],
  ],
  ['Undetermined', ['Undetermined']],
] as const;
for (const [bounceType, subTypes] of bounces) {
  for (const bounceSubType of subTypes) {
    test(`Bounce ${bounceType}/${bounceSubType}: kept as it is, for each recipient alone`, async () => {
      const told = await eventsOf(bounceEvent(both, { bounceType, bounceSubType }));
      assert.deepEqual(
        told.map((event) => [event.type, event.recipient]),
        [
          ['bounce', 'ada@example.com'],
          ['bounce', 'bob@example.com'],
        ],
      );
      assert.partialDeepStrictEqual(told[1]?.payload, {
        bounce: {
          bounceType,
          bounceSubType,
          bouncedRecipients: [{ emailAddress: 'bob@example.com', action: 'failed' }],
        },
      });
    });
  }
}

test('a notification of an identity, which has no tags, names the email by the message id', async () => {
  for (const event of [bounceEvent(mail), complaintEvent(mail), deliveryEvent(mail)]) {
    const [told] = await eventsOf(asIdentityNotification(event));
    assert.partialDeepStrictEqual(told, { workspaceId: null, emailId: null, providerMessageId: messageId });
  }
});

test('a message that is encoded twice is read', async () => {
  assert.equal((await eventsOf(JSON.stringify(JSON.stringify(deliveryEvent(mail)))))[0]?.type, 'delivery');
});

const ignored: [string, unknown][] = [
  ['Subscription', subscriptionEvent(mail)],
  ['an event type of the future', { ...sendEvent(mail), eventType: 'Teleported' }],
  ['a complaint that says it is no spam', complaintEvent(mail, { complaintFeedbackType: 'not-spam' })],
  ['the test of a new event destination', 'Successfully validated SNS topic for Amazon SES event publishing.'],
  [
    'the test of an identity',
    { notificationType: 'AmazonSnsSubscriptionSucceeded', message: 'You have successfully subscribed' },
  ],
];
for (const [what, message] of ignored) {
  test(`${what} is ignored`, async () => assert.equal((await read(message)).kind, 'ignored'));
}

const malformed: [string, unknown][] = [
  ['text', 'hello'],
  ['empty', ''],
  ['a number', 42],
  ['a list', []],
  ['null', null],
  ['an object of something else', { Records: [] }],
  ['a bounce without its object', { ...bounceEvent(mail), bounce: undefined }],
  ['a bounce whose object is a list', { ...bounceEvent(mail), bounce: [] }],
  ['a bounce without mail', { ...bounceEvent(mail), mail: 'none' }],
  [
    'neither tags nor message id',
    { ...asIdentityNotification(bounceEvent(mail)), mail: { destination: ['ada@example.com'] } },
  ],
  ['a type that is no text', { ...bounceEvent(mail), eventType: { a: 1 } }],
];
for (const [what, message] of malformed) {
  test(`${what} is malformed, and the note says nothing personal`, async () => {
    const told = await read(message);
    assert.equal(told.kind, 'malformed');
    assert.ok(told.kind === 'malformed' && told.note.length > 5 && !told.note.includes('@'));
  });
}

test('tags that are no ids of ours count as none', async () => {
  for (const value of ['', 'x', `${emailId}x`, "'; drop table emails; --", 42, null, [emailId]]) {
    const message = deliveryEvent(mail);
    message.mail['tags'] = { posthorn_workspace: [workspaceId], posthorn_email: [value] };
    assert.deepEqual((await eventsOf(message))[0]?.emailId, null, String(value));
  }
});

test('a time that cannot be true becomes that of the arrival; what the provider wrote stays in the data', async () => {
  const times: [unknown, Date][] = [
    ['1970-01-01T00:00:00.000Z', receivedAt],
    ['2100-01-01T00:00:00.000Z', receivedAt],
    ['2026-11-20T12:00:00.001Z', receivedAt],
    [undefined, sentAt], // the mail's own time
    [42, sentAt],
    ['yesterday', receivedAt],
    ['2026-11-19T12:00:00.000Z', new Date('2026-11-19T12:00:00.000Z')],
    ['2016-10-19T23:20:52.240Z', receivedAt],
    ['2026-11-20T13:00:00.000+02:00', new Date('2026-11-20T11:00:00.000Z')],
  ];
  for (const [timestamp, expected] of times) {
    const [told] = await eventsOf(deliveryEvent(mail, { timestamp }));
    assert.deepEqual(told?.at, expected, String(timestamp));
    assert.deepEqual({ ...(told?.payload['delivery'] as object) }['timestamp' as never], timestamp); // an object of ours
  }
});

test('a repeated event has the same key whatever carries it, and another one has another', async () => {
  const keyOf = async (message: unknown, place = 0) => (await eventsOf(message))[place]?.semanticKey;
  const same = [
    bounceEvent(mail),
    bounceEvent(mail, { timestamp: written(61_000) }),
    bounceEvent({ ...mail, destination: ['ADA@Example.com'] }),
  ];
  assert.equal(new Set(await Promise.all(same.map((message) => keyOf(message)))).size, 1);
  const different = [
    keyOf(bounceEvent(both), 0),
    keyOf(bounceEvent(both), 1),
    keyOf(bounceEvent(mail, { feedbackId: 'another' })),
    keyOf(bounceEvent({ ...mail, messageId: 'another' })),
    keyOf(deliveryEvent(mail)),
    keyOf(openEvent(mail)),
    keyOf(openEvent(mail, { timestamp: written(90_001) })),
    keyOf(openEvent(mail, { ipAddress: '192.0.2.2' })),
    keyOf(clickEvent(mail)),
    keyOf(clickEvent(mail, { link: 'https://example.com/another' })),
  ];
  assert.equal(new Set(await Promise.all(different)).size, different.length);
  const long = await keyOf(clickEvent(mail, { link: `https://example.com/${'x'.repeat(3_000)}` }));
  assert.ok((long ?? '').length <= 200);
});

test('characters that PostgreSQL cannot store are removed, and a deep or long value is cut', async () => {
  let deep: unknown = 'end';
  for (let level = 0; level < 40; level += 1) deep = [deep];
  const [told] = await eventsOf(
    bounceEvent(mail, {
      reportingMTA: 'a\u0000b\ud800c',
      deep,
      diagnosticCode: 'x'.repeat(10_000),
      ['k\u0000ey']: 1,
    } as never), // fields that SES has not
  );
  const text = JSON.stringify(told?.payload);
  assert.ok(!text.includes('\\u0000') && !text.includes('\\ud800'));
  assert.ok(text.length < 6_000);
});
