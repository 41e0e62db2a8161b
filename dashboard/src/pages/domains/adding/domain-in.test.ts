import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainIn } from './domain-in.ts';

test('a domain is read from an address of the web or of mail, and every other text stays for the server to judge', () => {
  for (const text of ['shop.test', ' shop.test\n', 'https://shop.test/a?b#c', 'HTTP://shop.test:8080', 'ada@shop.test'])
    assert.equal(domainIn(text), 'shop.test', text);
  for (const text of ['Küche.test', 'www.shop.test', '*.shop.test', 'shop', 'a b.test', '']) {
    assert.equal(domainIn(text), text);
  }
});
