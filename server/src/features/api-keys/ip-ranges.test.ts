import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatIpRange, isIpInRanges, isRangeWithin, parseIpRange } from './ip-ranges.ts';

test('addresses and ranges of both families are read, and host bits are cleared', () => {
  const read = (text: string) => {
    const range = parseIpRange(text);
    return range === undefined ? undefined : formatIpRange(range);
  };
  assert.equal(read('203.0.113.7'), '203.0.113.7/32');
  assert.equal(read('203.0.113.7/24'), '203.0.113.0/24');
  assert.equal(read('0.0.0.0/0'), '0.0.0.0/0');
  assert.equal(read('2001:DB8::1'), '2001:db8::1/128');
  assert.equal(read('2001:db8:ffff::/32'), '2001:db8::/32');
});

test('spellings that people do not mean are refused', () => {
  for (const text of [
    '',
    'localhost',
    '1',
    '127.1',
    '0x7f000001',
    '010.0.0.1',
    '10.08.0.1',
    '1.2.3.4/33',
    '1.2.3.4/',
    '::1/129',
    '1.2.3.256',
    '::ffff:1.2.3.4/24x',
    '1.2.3.4 ',
    '*',
    'fe80::1%eth0',
  ]) {
    assert.equal(parseIpRange(text), undefined, text);
  }
});

test('an IPv4 caller on a dual-stack socket is an IPv4 caller', () => {
  assert.ok(isIpInRanges('::ffff:203.0.113.7', ['203.0.113.0/24']));
  assert.ok(!isIpInRanges('::ffff:203.0.114.7', ['203.0.113.0/24']));
  assert.ok(!isIpInRanges('2001:db8::1', ['203.0.113.0/24']));
  assert.ok(isIpInRanges('2001:db8::1', ['203.0.113.0/24', '2001:db8::/32']));
  assert.ok(!isIpInRanges('nonsense', ['0.0.0.0/0']));
});

test('a range lies within another when all of it does', () => {
  assert.ok(isRangeWithin('203.0.113.128/25', ['203.0.113.0/24']));
  assert.ok(isRangeWithin('203.0.113.0/24', ['203.0.113.0/24']));
  assert.ok(!isRangeWithin('203.0.112.0/23', ['203.0.113.0/24']));
  assert.ok(!isRangeWithin('::/0', ['0.0.0.0/0']));
});
