import assert from 'node:assert/strict';
import { test } from 'node:test';
import { identityTold } from './identity-told.ts';

test('one recipient is one identity, however a provider or a server writes it', () => {
  for (const told of [
    'ada@example.com',
    'ADA@Example.COM',
    ' ada@example.com ',
    'ada@example.com.',
    'Ada <ADA@example.com>',
    '<ada@example.com>',
  ]) {
    assert.equal(identityTold(told), 'ada@example.com', told);
  }
});

test('an invalid address identifies nobody', () => {
  for (const told of ['', 'nobody', '<>', 'ada@', 'a@b@c', 'Ada <', '\u0000'])
    assert.equal(identityTold(told), null, told);
});
