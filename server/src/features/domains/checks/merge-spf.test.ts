import assert from 'node:assert/strict';
import { test } from 'node:test';
import { includesHost, isSpf, lookupsOf, mergeSpf } from './merge-spf.ts';

const HOST = 'amazonses.com';

const merges: [what: string, records: string[], merged: string][] = [
  ['no record', [], 'v=spf1 include:amazonses.com ~all'],
  [
    'one of another sender',
    ['v=spf1 include:_spf.google.com ~all'],
    'v=spf1 include:_spf.google.com include:amazonses.com ~all',
  ],
  ['a strict one, which stays strict', ['v=spf1 a mx -all'], 'v=spf1 a mx include:amazonses.com -all'],
  ['one without all', ['v=spf1 ip4:192.0.2.1'], 'v=spf1 ip4:192.0.2.1 include:amazonses.com ~all'],
  [
    'one that redirects',
    ['v=spf1 redirect=_spf.example.com'],
    'v=spf1 include:amazonses.com redirect=_spf.example.com',
  ],
  ['one with ours already', ['v=spf1 include:amazonses.com -all'], 'v=spf1 include:amazonses.com -all'],
  ['one with spaces', ['v=spf1   a    -all  '], 'v=spf1 a include:amazonses.com -all'],
  [
    'two, of which the strictest end counts',
    ['v=spf1 include:a.example ~all', 'v=spf1 include:b.example INCLUDE:a.example -all'],
    'v=spf1 INCLUDE:a.example include:b.example include:amazonses.com -all',
  ],
  [
    'one that explains',
    ['v=spf1 a exp=why.example.com ~all'],
    'v=spf1 a include:amazonses.com ~all exp=why.example.com',
  ],
];
for (const [what, records, merged] of merges) {
  test(`ours is merged into ${what}`, () => {
    assert.equal(mergeSpf(records, HOST), merged);
    assert.ok(includesHost(mergeSpf(records, HOST), HOST));
  });
}

test('a record is SPF by its version alone, in any case', () => {
  assert.deepEqual(['v=spf1', 'V=SPF1 -all', 'v=spf1 -all', 'v=spf10 -all', 'v=spf2.0/pra', 'spf1', ''].map(isSpf), [
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
});

test('a host is included among several, with a plus, and not with another sign or as a part of a name', () => {
  const found = (record: string) => includesHost(record, HOST);
  assert.ok(found('v=spf1 include:_spf.google.com include:amazonses.com ~all'));
  assert.ok(found('v=spf1 +include:AmazonSES.com. ~all'));
  for (const other of [
    'include:us.amazonses.com',
    '-include:amazonses.com',
    '?include:amazonses.com',
    'a:amazonses.com',
  ]) {
    assert.ok(!found(`v=spf1 ${other} ~all`), other);
  }
});

test('the terms that cost a look-up are counted', () => {
  assert.equal(lookupsOf('v=spf1 a mx a:x.example mx/24 ptr exists:%{i}.x include:y redirect=z ip4:192.0.2.1 -all'), 8);
});
