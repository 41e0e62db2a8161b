import assert from 'node:assert/strict';
import { test } from 'node:test';
import { domainOf } from './mail-destination.ts';

test('a domain is compared in its ASCII form, however it was written', () => {
  for (const address of ['a@xn--kche-0ra.test', 'a@XN--KCHE-0RA.test', 'a@küche.test', 'a@Küche.TEST'])
    assert.equal(domainOf(address), 'xn--kche-0ra.test');
  assert.equal(domainOf('"a@b"@acme.example'), 'acme.example');
  assert.equal(domainOf('a@_spf.acme.example'), '_spf.acme.example');
  assert.equal(domainOf('a@[127.0.0.1]'), '[127.0.0.1]');
});
