import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_ORIGIN } from '#mail/email-origin.ts';
import { newId } from '#platform/ids.ts';
import { type EmailEventRow, envelopeOf } from './envelope.ts';

const row = (given: Partial<EmailEventRow> = {}): EmailEventRow => ({
  workspaceId: newId(),
  eventId: newId(),
  type: 'bounce',
  recipient: 'ada@example.com',
  sequence: 2,
  data: { bounce: { bounceType: 'Permanent' } },
  emailId: newId(),
  sendId: newId(),
  source: 'api',
  ...NO_ORIGIN,
  fromAddress: 'hello@posthorn.test',
  fromName: 'Acme',
  fromDomain: 'posthorn.test',
  givenMessageId: null,
  emailRecipient: 'ada@example.com',
  recipientTyped: null,
  grouped: null,
  subject: 'Hello',
  tags: [],
  metadata: {},
  domainId: null,
  ...given,
});

const sizeOf = (given: Partial<EmailEventRow>): number => Buffer.byteLength(JSON.stringify(envelopeOf(row(given))));
/** As much of each as a send may have. */
const most = {
  givenMessageId: `<${'m'.repeat(996)}>`,
  subject: '🎉'.repeat(499),
  fromName: '🎉'.repeat(100),
  metadata: { order: 'x'.repeat(16_000) },
  tags: Array.from({ length: 20 }, (_, n) => ({ name: `n${n}`.padEnd(256, 'n'), value: 'v'.repeat(256) })),
  grouped: {
    to: Array.from({ length: 50 }, (_, n) => ({
      address: `${`a${n}`.padEnd(64, 'a')}@${'b'.repeat(180)}.com`,
      name: null,
    })),
  },
};
const endless = {
  bounce: {
    bouncedRecipients: [
      { emailAddress: 'ada@example.com', diagnosticCode: `smtp; 550 ${'\u{1F389}'.repeat(500_000)}` },
    ],
    timestamp: '2026-11-20T10:00:05.123Z',
  },
};

test('a reject has its message, null where nobody gave words', () => {
  const told = (type: string, data: Record<string, unknown>): unknown => envelopeOf(row({ type, data })).event_data;
  assert.deepEqual(told('reject', { reject: { reason: 'suppressed' } }), {
    reject: { reason: 'suppressed', message: null },
  });
  const refused = { reject: { reason: 'provider', message: '554 Refused' } };
  assert.deepEqual(told('reject', refused), refused);
  assert.deepEqual(told('send', { send: {} }), { send: {} });
});

test('an event names the Message-ID that its email left with, made by us or given with a raw message', () => {
  const idOf = (given: Partial<EmailEventRow>): unknown => {
    const envelope = envelopeOf(row({ emailId: 'e', ...given }));
    return 'email' in envelope ? envelope.email.message_id : undefined;
  };
  assert.deepEqual(
    [idOf({}), idOf({ givenMessageId: '<4711@client.acme.test>' })],
    ['<e@posthorn.test>', '<4711@client.acme.test>'],
  );
});

test('an event stays under 20 KB, whatever a sender, a provider and a browser put into it', () => {
  assert.ok(sizeOf({ ...most, data: endless }) < 20_000);
  assert.ok(sizeOf({ ...most, metadata: { order: '🎉'.repeat(4_000) } }) < 20_000);
  const many = { bounce: { bouncedRecipients: Array.from({ length: 100_000 }, () => ({ emailAddress: 'a@b.test' })) } };
  assert.ok(sizeOf({ data: many }) < 20_000);
  const keys = Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`key ${n}`, n]));
  assert.ok(sizeOf({ data: { click: { linkTags: keys } } }) < 20_000);
  const alone = {
    workspaceId: newId(),
    eventId: newId(),
    type: 'newsletter.subscriber.created',
    data: { subscriber: keys },
  };
  assert.ok(Buffer.byteLength(JSON.stringify(envelopeOf(alone))) < 20_000);
});

test('cut values are marked: a text by its end, a field of the email by its name', () => {
  const cut = envelopeOf(row({ ...most, data: endless }));
  assert.ok('email' in cut);
  assert.deepEqual(cut.email.truncated, ['to', 'tags', 'metadata']);
  assert.deepEqual([cut.email.to, cut.email.tags, cut.email.metadata], [['ada@example.com'], [], {}]);
  assert.equal(cut.email.subject, most.subject);
  const text = JSON.stringify(cut.event_data);
  assert.match(text, /…"/);
  assert.ok(text.isWellFormed() && !text.includes('\\ud83c"'), 'no half of a pair');
  assert.match(text, /2026-11-20T10:00:05\.123Z/);
});

test('16 KB of metadata arrive whole beside ordinary fields', () => {
  const metadata = { order: 'x'.repeat(16_300) };
  const whole = envelopeOf(row({ metadata, tags: [{ name: 'kind', value: 'receipt' }] }));
  assert.ok('email' in whole);
  assert.equal(whole.email.truncated, undefined);
  assert.deepEqual(whole.email.metadata, metadata);
});

test('events sort by id as they sort by created_at', () => {
  const events = Array.from({ length: 5_000 }, () => envelopeOf(row()));
  for (const [index, event] of events.entries()) {
    const before = events[index - 1];
    if (before !== undefined) assert.ok(before.id < event.id && before.created_at <= event.created_at);
  }
});
