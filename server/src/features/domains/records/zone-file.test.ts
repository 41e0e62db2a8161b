import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DnsRecordView } from './domain-view.ts';
import { zoneFile } from './zone-file.ts';

const record = (given: Partial<DnsRecordView>): DnsRecordView => ({
  type: 'TXT',
  name: 'acme.example',
  value: 'v=spf1 ~all',
  purpose: 'spf',
  status: 'pending',
  found_value: null,
  hint: null,
  required: true,
  dkim_key: null,
  needed_until: null,
  priority: null,
  ttl: 3_600,
  host: '@',
  strings: [],
  ...given,
});

test('a long text is several strings of at most 255 bytes, whose order is the value', () => {
  const file = zoneFile('acme.example', [record({ purpose: 'dkim', value: `v=DKIM1; p=${'A'.repeat(500)}` })]);
  const strings = [...file.matchAll(/"([^"]*)"/g)].map(([, text = '']) => text);
  assert.deepEqual(
    strings.map(({ length }) => length),
    [255, 255, 1],
  );
  assert.equal(strings.join(''), `v=DKIM1; p=${'A'.repeat(500)}`);
});

test('quotation marks and backslashes of a value that somebody else published are escaped', () => {
  const file = zoneFile('acme.example', [
    record({ value: 'v=spf1 exists:"a\\b" ~all', status: 'duplicate', found_value: 'v=spf1' }),
  ]);
  assert.match(file, /TXT "v=spf1 exists:\\"a\\\\b\\" ~all"/);
  assert.match(file, /^; In place of the SPF record at acme\.example:$/m);
});

test('a record that could do harm is a comment: an MX, and a DMARC record where there is one', () => {
  const file = zoneFile('acme.example', [
    record({ type: 'MX', purpose: 'mx', value: '10 feedback.example' }),
    record({ purpose: 'dmarc', name: '_dmarc.acme.example', status: 'found' }),
    record({ purpose: 'dmarc', name: '_dmarc.other.example', status: 'missing' }),
  ]);
  const active = file.split('\n').filter((line) => line !== '' && !line.startsWith(';'));
  assert.deepEqual(active, ['_dmarc.other.example. 3600 IN TXT "v=spf1 ~all"']);
  assert.match(file, /^; acme\.example\. 3600 IN MX 10 feedback\.example\.$/m);
});
