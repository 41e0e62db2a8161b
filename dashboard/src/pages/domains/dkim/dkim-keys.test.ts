import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DnsRecord, Domain } from '../../../api/generated/types.gen.ts';
import { dkimKeysOf, whyNoRotation } from './dkim-keys.ts';

const record = (host: string, dkim_key: DnsRecord['dkim_key']): DnsRecord => ({
  type: 'TXT',
  name: `${host}.example.com`,
  value: 'v=DKIM1',
  purpose: 'dkim',
  status: 'found',
  found_value: null,
  hint: null,
  required: true,
  dkim_key,
  needed_until: null,
  priority: null,
  ttl: 300,
  host,
  strings: [],
});
const domain = (
  ...dns_records: DnsRecord[]
): Pick<Domain, 'dkim_selector' | 'dkim_status' | 'sending_enabled' | 'dns_records'> => ({
  dkim_selector: 'posthorn1',
  dkim_status: 'verified',
  sending_enabled: true,
  dns_records,
});

const current = record('posthorn1._domainkey', 'current');

test('the key that signs comes first, with its selector', () => {
  const keys = dkimKeysOf(domain(record('posthorn2._domainkey', 'next'), record('@', null), current));
  assert.deepEqual(
    keys.map(({ selector, role }) => [selector, role]),
    [
      ['posthorn1', 'current'],
      ['posthorn2', 'next'],
    ],
  );
});

test('a rotation begins when the domain is verified and has one key', () => {
  assert.equal(whyNoRotation(domain(current)), undefined);
  assert.match(whyNoRotation({ ...domain(current), sending_enabled: false }) ?? '', /verified/);
  assert.match(whyNoRotation(domain(current, record('posthorn2._domainkey', 'next'))) ?? '', /next key/);
  assert.match(whyNoRotation(domain(current, record('posthorn0._domainkey', 'former'))) ?? '', /former key/);
});
