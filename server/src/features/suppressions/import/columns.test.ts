import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readTime } from '#platform/csv/read-time.ts';
import { guessColumns, readHeader, readReason, readStanding } from './columns.ts';

const none = {
  email: 0,
  reason: null,
  note: null,
  createdAt: null,
  expiresAt: null,
  standing: null,
  listOf: null,
};

const HEADERS: readonly [string, string, object][] = [
  [
    'ours',
    'email,reason,note,created_at,expires_at,source_email_id',
    { ...none, reason: 1, note: 2, createdAt: 3, expiresAt: 4 },
  ],
  ['Resend', 'id,email,reason,created_at', { ...none, email: 1, reason: 2, createdAt: 3 }],
  ['Postmark', 'EmailAddress,SuppressionReason,Origin,CreatedAt', { ...none, reason: 1, createdAt: 3 }],
  ['Amazon SES', 'EmailAddress,Reason,LastUpdateTime', { ...none, reason: 1, createdAt: 2 }],
  ['Mailgun bounces', 'address,code,error,created_at', { ...none, note: 2, createdAt: 3 }],
  [
    'SendGrid',
    'status,reason,email,created',
    { ...none, email: 2, reason: 1, createdAt: 3, standing: { at: 0, name: 'status' } },
  ],
  [
    'contacts of Resend',
    'id,email,unsubscribed,created_at',
    { ...none, email: 1, createdAt: 3, standing: { at: 2, name: 'unsubscribed' } },
  ],
  [
    'emails of Resend',
    'id,created_at,to,last_event',
    { ...none, email: 2, createdAt: 1, standing: { at: 3, name: 'lastevent' } },
  ],
  ['Mailchimp, unsubscribed', 'Email Address,OPTIN_TIME,UNSUB_TIME', { ...none, createdAt: 2, listOf: 'unsubscribe' }],
  ['Mailchimp, cleaned', 'Email Address,CLEAN_TIME', { ...none, createdAt: 1, listOf: 'hard_bounce' }],
  ['Mailchimp', 'Email Address,First Name', none],
  ['a spreadsheet', 'Recipient;Type', { ...none, reason: 1 }],
];

for (const [name, header, columns] of HEADERS) {
  test(`the columns of an export are found: ${name}`, () => {
    assert.deepEqual(readHeader(header.split(/[,;]/)), columns);
  });
}

test('a first line with an address is no header, and shows where addresses stand', () => {
  assert.equal(readHeader(['email@example.com', 'reason']), undefined);
  assert.deepEqual(guessColumns(['Ada', 'ada@example.com', 'b@example.com']), { ...none, email: 1 });
  assert.deepEqual(guessColumns(['ada@example.com', 'BOUNCE']), { ...none, reason: 1 });
  assert.equal(readHeader(['name', 'city']), undefined);
  assert.equal(guessColumns(['name', 'city']), undefined);
});

test('reasons in the words of others', () => {
  const pairs = {
    HardBounce: 'hard_bounce',
    BOUNCE: 'hard_bounce',
    SpamComplaint: 'complaint',
    COMPLAINT: 'complaint',
    soft_bounce: 'soft_bounce',
    ManualSuppression: 'manual',
    Unsubscribed: 'unsubscribe',
    'hard bounce': 'hard_bounce',
    constructor: undefined,
    '550 5.1.1 no': undefined,
  };
  for (const [text, reason] of Object.entries(pairs)) assert.equal(readReason(text), reason, text);
});

test('a status of SendGrid (5.1.1) says nothing about who may be mailed, nor do words that nobody knows', () => {
  assert.equal(readStanding('status', '5.1.1'), undefined);
  assert.equal(readStanding('unsubscribed', 'constructor'), undefined);
  assert.equal(readStanding('unsubscribed', 'FALSE'), 'mailable');
  assert.equal(readStanding('subscribed', 'yes'), 'mailable');
  assert.equal(readStanding('lastevent', 'complained'), 'complaint');
});

test('times as services write them', () => {
  const at = '2026-11-20T10:00:00.000Z';
  for (const text of [
    at,
    '2026-11-20T10:00:00Z',
    '2026-11-20 10:00:00',
    '2026-11-20 10:00:00 UTC',
    '2026-11-20T11:00:00+01:00',
    '1795168800',
    'Fri, 20 Nov 2026 10:00:00 UTC',
  ]) {
    assert.equal(readTime(text)?.toISOString(), at, text);
  }
  for (const text of ['', 'yesterday', '20.11.2026', '2026-13-40', '7']) assert.equal(readTime(text), undefined, text);
});
