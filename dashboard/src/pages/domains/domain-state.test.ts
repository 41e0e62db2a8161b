import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { DnsRecord } from '../../api/generated/types.gen.ts';
import { pollMsOf, whatNext } from './domain-state.ts';

const record = (purpose: DnsRecord['purpose'], status: DnsRecord['status']): DnsRecord => ({
  type: purpose === 'mx' ? 'MX' : 'TXT',
  name: 'acme.example',
  value: 'v',
  purpose,
  status,
  found_value: null,
  hint: null,
  required: purpose === 'dkim' || purpose === 'spf',
  priority: null,
  ttl: 3600,
  host: '@',
  strings: [],
  dkim_key: purpose === 'dkim' ? 'current' : null,
  needed_until: null,
});
const records = (dkim: DnsRecord['status'], spf: DnsRecord['status']) => [
  record('dkim', dkim),
  record('spf', spf),
  record('mx', 'mismatch'),
  record('dmarc', 'missing'),
];
const domain = {
  domain: 'acme.example',
  dkim_status: 'pending' as const,
  failure_reason: null,
  last_checked_at: null,
  next_check_at: '2026-11-20T10:15:00.000Z',
  verified_at: null,
  dns_records: records('pending', 'pending'),
};
const AT = '2026-11-20T10:00:00.000Z';

test('before the first check it says which records are needed, and that somebody looks for them', () => {
  const { tone, text } = whatNext(domain);
  assert.equal(tone, 'info');
  assert.match(text, /DKIM and SPF records must be there.*every 15 minutes for 72 hours.*writes to the owners/);
});

test('once the 72 hours are over it says so, and not that somebody looks', () => {
  const over = { ...domain, dkim_status: 'failed' as const, last_checked_at: AT, next_check_at: null };
  const { text } = whatNext({ ...over, dns_records: records('missing', 'found') });
  assert.match(text, /72 hours in which Posthorn looked .* are over\. A check of yours begins them again/);
  assert.doesNotMatch(text, /every 15 minutes/);
});

test('missing records are no fault, and wrong ones are; optional ones do not count', () => {
  const checked = { ...domain, dkim_status: 'failed' as const, last_checked_at: AT };
  const missing = whatNext({ ...checked, dns_records: records('missing', 'missing') });
  assert.deepEqual([missing.tone, missing.title], ['info', '2 records are not as they should be yet.']);
  assert.equal(whatNext({ ...checked, dns_records: records('missing', 'mismatch') }).tone, 'bad');
  const wrong = whatNext({ ...checked, dns_records: records('found', 'duplicate') });
  assert.deepEqual([wrong.tone, wrong.title], ['bad', 'One record is not as it should be yet.']);
});

test('a domain with the right records that another workspace has says so', () => {
  const reason = 'The domain is verified in another workspace of this installation.';
  const next = whatNext({
    ...domain,
    dkim_status: 'failed',
    last_checked_at: AT,
    failure_reason: reason,
    dns_records: records('found', 'found'),
  });
  assert.deepEqual([next.tone, next.text], ['bad', reason]);
});

test('an answer that is not certain is a doubt and no failure', () => {
  const next = whatNext({
    ...domain,
    dkim_status: 'temporary_failure',
    last_checked_at: AT,
    failure_reason: '192.0.2.53 answers SERVFAIL.',
    dns_records: records('temporary_failure', 'found'),
  });
  assert.equal(next.tone, 'warn');
  assert.match(next.text, /SERVFAIL\. This is no failure.*If it stays so, ask the host of your DNS/);
});

test('a verified domain whose check failed still sends, and one that was verified before says that it stopped', () => {
  const verified = { ...domain, dkim_status: 'verified' as const, verified_at: AT, last_checked_at: AT };
  assert.equal(whatNext(verified).tone, 'ok');
  const doubtful = whatNext({ ...verified, failure_reason: 'There is no TXT record.' });
  assert.equal(doubtful.tone, 'warn');
  assert.match(doubtful.text, /^There is no TXT record\. After three failed checks/);
  const lost = whatNext({ ...verified, dkim_status: 'failed', failure_reason: 'There is no TXT record.' });
  assert.deepEqual([lost.tone, lost.title], ['bad', 'This domain can no longer send.']);
});

test('a page asks often while a domain waits, and seldom when it is verified', () => {
  assert.ok(pollMsOf({ dkim_status: 'pending' }) <= 5_000);
  assert.ok(pollMsOf({ dkim_status: 'verified' }) >= 30_000);
});
