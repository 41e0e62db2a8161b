import assert from 'node:assert/strict';
import { test } from 'node:test';
import { storedHeaders } from './stored-headers.ts';

const EMAIL = {
  from: 'Ada <ada@example.com>',
  to: ['bob@example.com', 'carl@example.com'],
  cc: [],
  reply_to: ['help@example.com'],
  message_id: '<1@example.com>',
};

test('the stored headers are those of every message, with a value, and those that the sender gave', () => {
  assert.deepEqual(storedHeaders(EMAIL, { subject: 'Hello', headers: { 'X-Order': '7' } }), [
    { name: 'From', value: 'Ada <ada@example.com>' },
    { name: 'To', value: 'bob@example.com, carl@example.com' },
    { name: 'Reply-To', value: 'help@example.com' },
    { name: 'Subject', value: 'Hello' },
    { name: 'Message-ID', value: '<1@example.com>' },
    { name: 'X-Order', value: '7' },
  ]);
});

test('the headers of a message that was given whole count, and none is there twice', () => {
  const headers = { FROM: 'Zoe <zoe@example.com>', to: 'x', subject: 'Own', 'message-id': '<2@example.com>' };
  const names = storedHeaders(EMAIL, { subject: 'Hello', headers }).map(({ name, value }) => `${name}: ${value}`);
  assert.deepEqual(names, [
    'Reply-To: help@example.com',
    'FROM: Zoe <zoe@example.com>',
    'to: x',
    'subject: Own',
    'message-id: <2@example.com>',
  ]);
});
