import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changedFields } from './changed-fields.ts';

test('a value whose fields come in another order is the same', () => {
  assert.equal(changedFields({ audience: { a: 1, b: [1] } }, { audience: { b: [1], a: 1 } }, ['audience']), null);
});

test('the fields that differ are told with both values, in their wire spelling', () => {
  const before = { replyTo: 'b@acme.test', tags: ['a', 'b'], name: 'One' };
  const after = { replyTo: 'a@acme.test', tags: ['b', 'a'], name: 'One' };
  assert.deepEqual(changedFields(before, after, ['replyTo', 'tags', 'name']), {
    reply_to: { before: 'b@acme.test', after: 'a@acme.test' },
    tags: { before: ['a', 'b'], after: ['b', 'a'] },
  });
});
