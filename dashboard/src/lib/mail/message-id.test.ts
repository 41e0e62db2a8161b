import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mayBeProviderId, readMessageId } from './message-id.ts';

const ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';
const OF_SES = '010001933f2f6f0c-9b1f6c1e-3f2f-4a50-9b1f-3f2f6f0c9a11-000000';

test('an id, and a Message-ID of ours, name one email', () => {
  for (const text of [ID, ID.toUpperCase(), `<${ID}@posthorn.test>`, `${ID}@posthorn.test`])
    assert.deepEqual(readMessageId(text), { id: ID }, text);
});

test('an id of Amazon SES, and every other Message-ID, name an email by its provider', () => {
  for (const text of [
    OF_SES,
    `${OF_SES}@email.amazonses.com`,
    `<${OF_SES}@eu-west-1.amazonses.com>`,
    '<a.b@mx.example>',
  ])
    assert.deepEqual(readMessageId(text), { providerId: text }, text);
  for (const text of ['ada@example.com', 'Your receipt', 'receipt']) assert.equal(readMessageId(text), undefined, text);
});

test('a queue id of a mail server may be an id, and a sentence or an address may not', () => {
  for (const text of ['4XyZ1abcd', '1tGkQe-0004Xz-2B']) assert.equal(mayBeProviderId(text), true, text);
  for (const text of ['Your receipt', 'ada@example.com', 'abc']) assert.equal(mayBeProviderId(text), false, text);
});
