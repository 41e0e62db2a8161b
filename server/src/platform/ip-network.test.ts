import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkOf } from './ip-network.ts';

const of = (address: string): string => networkOf(address, { ofIpv4: 3, ofIpv6: 8 });

test('addresses of one network have one key, however they are spelled', () => {
  assert.equal(of('192.0.2.1'), of('192.0.2.255'));
  assert.equal(of('::ffff:192.0.2.1'), of('192.0.2.9'));
  assert.equal(of('2001:db8::1'), of('2001:db8::2'));
  assert.equal(of('2001:db8::1'), of('2001:0db8:0000:0000:ffff::1'));
  assert.equal(of('fe80::1%eth0'), of('fe80::2%eth0'));
});

test('addresses of two networks have two', () => {
  assert.notEqual(of('192.0.2.1'), of('192.0.3.1'));
  assert.notEqual(of('2001:db8:0:1::1'), of('2001:db8:0:2::1'));
  assert.notEqual(networkOf('192.0.2.1', { ofIpv4: 4, ofIpv6: 8 }), networkOf('192.0.2.2', { ofIpv4: 4, ofIpv6: 8 }));
});

test('a text that is no address stands for itself', () => {
  assert.equal(of(''), '');
  assert.equal(of('unknown'), 'unknown');
});
