import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAddresses } from './read-addresses.ts';

test('pasted addresses are read whatever separates them, each once', () => {
  const text =
    ' ada@example.com, bob@example.com;\n"Eve" <eve@example.com>\tada@example.com\n\ncarl@example.com dan@example.com ';
  assert.deepEqual(readAddresses(text), [
    'ada@example.com',
    'bob@example.com',
    'eve@example.com',
    'carl@example.com',
    'dan@example.com',
  ]);
});

test('a text that is no address is kept, so that the server names it', () => {
  assert.deepEqual(readAddresses('not-an-address'), ['not-an-address']);
});
