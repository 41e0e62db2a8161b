import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pathOf } from './path-of.ts';

test('the path of a logo is the path of its address, without the first slash and the query', () => {
  assert.equal(pathOf(' https://example.com/logos/acme.svg?v=2 '), 'logos/acme.svg');
});

test('an address that cannot be read has no path: the server says what is wrong with it', () => {
  assert.equal(pathOf('example'), '');
});
