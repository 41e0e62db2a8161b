import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonicalAddress, createAddressRules } from './address-rules.ts';

/** By what they are for; the first and the last address of each range. */
const NOT_PUBLIC: Record<string, string[]> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  loopback: ['127.0.0.1', '127.255.255.254', '::1'],
  'private networks': ['10.0.0.1', '10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '192.168.255.255'],
  'carrier-grade NAT': ['100.64.0.1', '100.127.255.255'],
  'metadata of clouds': ['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16'],
  'metadata of clouds, IPv6': ['fd00:ec2::254', 'fd20:ce::254'],
  'link-local': ['169.254.0.1', '169.254.255.255', 'fe80::1', 'febf::1', 'fe80::1%eth0'],
  'protocol assignments': ['192.0.0.1', '192.0.0.255', '192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  documentation: ['192.0.2.1', '198.51.100.1', '203.0.113.1', '2001:db8::1', '3fff::1', '3fff:fff:ffff::1'],
  benchmarking: ['198.18.0.1', '198.19.255.255', '2001:2::1'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  'reserved and broadcast': ['240.0.0.1', '255.255.255.254', '255.255.255.255'],
  'unique local': ['fc00::1', 'fd12:3456::1', 'fdff::1'],
  'site-local': ['fec0::1'],
  unspecified: ['::'],
  'IPv4 mapped into IPv6': ['::ffff:127.0.0.1', '::ffff:7f00:1', '0:0:0:0:0:ffff:169.254.169.254', '::FFFF:10.0.0.1'],
  'IPv4 in other clothes': ['::127.0.0.1', '::7f00:1', '::8.8.8.8', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
  '6to4 and Teredo': ['2002:7f00:1::', '2002:808:808::1', '2001:0:53aa:64c::1', '2001::1'],
  'special IPv6': ['100::1', '2001:3::1', '2001:4:112::1', '2001:10::1', '2001:20::1', '2001:30::1', '2620:4f:8000::1'],
  'IPv6 that nobody was given': ['::2', '1::1', '200::1', '4000::1', '5f00::1', '8000::1', 'e000::1', 'fe00::1'],
  'not an address': [
    '',
    'localhost',
    '127.1',
    '0x7f.0.0.1',
    '1.2.3',
    '1.2.3.4.5',
    '[::1]',
    ':::',
    '8.8.8.8 ',
    '08.8.8.8',
  ],
};

describe('an address is not public', () => {
  const rules = createAddressRules([]);
  for (const [what, addresses] of Object.entries(NOT_PUBLIC)) {
    test(what, () => {
      for (const address of addresses) assert.equal(rules.judge(address), 'refused', address);
    });
  }
});

test('other addresses are public, in whatever spelling', () => {
  const rules = createAddressRules([]);
  const publicOnes = [
    '1.1.1.1',
    '8.8.8.8',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '100.128.0.1',
    '192.0.1.1',
  ];
  publicOnes.push('223.255.255.255', '2606:4700::1111', '2A00:1450:4001:81b::200e', '::ffff:8.8.8.8', '::ffff:808:808');
  for (const address of publicOnes) assert.equal(rules.judge(address), 'public', address);
});

test('inside the operator’s CIDRs everything is allowed, and nothing beside them', () => {
  const rules = createAddressRules(['10.1.0.0/16', 'fd00::/8', '127.0.0.1/32', '8.8.8.0/24']);
  for (const address of ['10.1.2.3', 'fd12::1', '127.0.0.1', '::ffff:10.1.0.1', '8.8.8.8']) {
    assert.equal(rules.judge(address), 'allowed', address);
  }
  for (const address of ['10.2.0.1', 'fc00::1', '127.0.0.2', '::1', '::127.0.0.1', '64:ff9b::a01:203']) {
    assert.equal(rules.judge(address), 'refused', address);
  }
  assert.equal(rules.judge('8.8.4.4'), 'public');
});

test('an address has one spelling', () => {
  assert.equal(canonicalAddress('::FFFF:1.2.3.4'), '1.2.3.4');
  assert.equal(canonicalAddress('2001:0DB8:0:0:0:0:0:1'), '2001:db8::1');
  assert.equal(canonicalAddress('localhost'), '');
});
