import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mtaStsDomainOf, mtaStsPolicy, mtaStsRecord } from './mta-sts.ts';

test('a policy is the file of RFC 8461, and its record has an id that changes with it', () => {
  const policy = mtaStsPolicy('enforce', 'mx.example.com');
  assert.equal(policy, 'version: STSv1\r\nmode: enforce\r\nmx: mx.example.com\r\nmax_age: 604800\r\n');
  assert.equal(mtaStsPolicy('none', 'mx.example.com'), 'version: STSv1\r\nmode: none\r\nmax_age: 604800\r\n');
  const others = [mtaStsPolicy('testing', 'mx.example.com'), mtaStsPolicy('enforce', 'mx2.example.com')];
  const records = [policy, ...others].map(mtaStsRecord);
  for (const record of records) assert.match(record, /^v=STSv1; id=[a-z0-9]{1,32};$/);
  assert.equal(new Set(records).size, 3);
  assert.equal(mtaStsRecord(policy), mtaStsRecord(mtaStsPolicy('enforce', 'mx.example.com')));
});

test('the host of a policy names its domain, however it is written; every other host names none', () => {
  for (const host of ['mta-sts.reply.acme.example', 'MTA-STS.Reply.Acme.Example', 'mta-sts.reply.acme.example.:443'])
    assert.equal(mtaStsDomainOf(host), 'reply.acme.example', host);
  for (const host of [
    '',
    'mta-sts',
    'mta-sts.',
    'reply.acme.example',
    'x.mta-sts.acme.example',
    'mta-sts.a b',
    '[::1]:80',
  ])
    assert.equal(mtaStsDomainOf(host), undefined, host);
});
