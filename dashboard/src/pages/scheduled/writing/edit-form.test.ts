import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ScheduledEmail } from '../../../api/generated/types.gen.ts';
import { changeOf, differencesOf, readAddresses, readVariables, valuesOf } from './edit-form.ts';

const EMAIL = {
  from: 'Acme <hello@acme.com>',
  to: ['ada@example.com'],
  cc: [],
  bcc: [],
  reply_to: ['"Doe, Jane" <jane@acme.com>'],
  subject: 'Reminder',
  preheader: null,
  html: '<p>1</p>',
  text: null,
  variables: { plan: 'free' },
} as unknown as ScheduledEmail; // the fields of the content

test('a comma in a quoted name does not end an address', () => {
  assert.deepEqual(readAddresses('"Doe, Jane" <jane@acme.com>, bob@acme.com,, '), [
    '"Doe, Jane" <jane@acme.com>',
    'bob@acme.com',
  ]);
});

test('only objects are variables, and no text means none', () => {
  assert.deepEqual(readVariables(''), {});
  assert.deepEqual(readVariables('{"a":1}'), { a: 1 });
  for (const text of ['[1]', 'null', '"a"', '{']) assert.equal(readVariables(text), undefined, text);
});

test('a change has only the fields that differ, and null where a field was emptied', () => {
  const values = valuesOf(EMAIL);
  assert.deepEqual(changeOf(values, EMAIL), {});
  assert.deepEqual(changeOf({ ...values, to: 'ada@example.com , bob@example.com', subject: '' }, EMAIL), {
    to: ['ada@example.com', 'bob@example.com'],
    subject: null,
  });
  assert.deepEqual(changeOf({ ...values, variables: '{ "plan" : "free" }', replyTo: '' }, EMAIL), { replyTo: [] });
});

test('differences name the fields with their version and mine', () => {
  const mine = { ...valuesOf(EMAIL), subject: 'Mine' };
  assert.deepEqual(differencesOf(mine, { ...EMAIL, subject: 'Theirs' }), {
    Subject: { before: 'Theirs', after: 'Mine' },
  });
});
