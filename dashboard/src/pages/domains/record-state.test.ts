import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asZoneStrings,
  labelOfKey,
  mailServerOf,
  mustNotReplace,
  needOf,
  otherThanWanted,
  recordState,
  ttlWords,
} from './record-state.ts';

test('a record that is needed fails, and an optional one is only not published', () => {
  assert.equal(recordState({ purpose: 'dkim', status: 'missing', required: true }).tone, 'bad');
  assert.equal(recordState({ purpose: 'dmarc', status: 'missing', required: false }).tone, 'quiet');
  assert.equal(recordState({ purpose: 'spf', status: 'duplicate', required: true }).tone, 'bad');
  assert.equal(recordState({ purpose: 'dmarc', status: 'duplicate', required: false }).tone, 'warn');
});

test('an answer that is not certain is a warning, also of a record that is needed', () => {
  assert.deepEqual(recordState({ purpose: 'dkim', status: 'temporary_failure', required: true }), {
    label: 'No certain answer',
    tone: 'warn',
  });
});

test('the MX of a domain that receives mail elsewhere is left alone', () => {
  const mx = { purpose: 'mx', status: 'mismatch', required: false } as const;
  assert.equal(mustNotReplace(mx), true);
  assert.equal(recordState(mx).label, 'Leave it out');
  assert.equal(mustNotReplace({ ...mx, status: 'missing' }), false);
  assert.equal(mustNotReplace({ ...mx, purpose: 'spf' }), false);
});

test('an MX is shown in the two fields of a form, and a long text as a zone file has it', () => {
  assert.equal(
    mailServerOf({ value: '10 feedback-smtp.eu-north-1.amazonses.com' }),
    'feedback-smtp.eu-north-1.amazonses.com',
  );
  assert.equal(asZoneStrings({ strings: ['v=DKIM1; p="a', 'b\\c'] }), '"v=DKIM1; p=\\"a" "b\\\\c"');
});

test('the key of a checked record is shown in words', () => {
  assert.equal(labelOfKey('dkim posthorn1'), 'DKIM (posthorn1)');
  assert.equal(labelOfKey('spf'), 'SPF');
  assert.equal(labelOfKey('bimi v=BIMI1; l=https://acme.example/logo.svg'), 'BIMI');
  assert.equal(labelOfKey('caa'), 'caa');
});

test('a TTL is as short as it can be said', () => {
  assert.deepEqual([30, 300, 3_600, 5_400].map(ttlWords), ['30 s', '5 min', '1 h', '1 h 30 min']);
});

test('the MX record of a domain is in use when mail has come, though it was not looked for yet', () => {
  const unchecked = { status: 'pending', required: false } as const;
  assert.equal(recordState({ ...unchecked, purpose: 'inbound' }, true).label, 'In use');
  assert.equal(recordState({ ...unchecked, purpose: 'inbound' }).label, 'Not checked yet');
  assert.equal(recordState({ ...unchecked, purpose: 'dkim' }, true).label, 'Not checked yet');
});

test('a policy or a list of senders that is right and says more than the wanted record is shown, and nothing else is', () => {
  const dmarc = { purpose: 'dmarc', status: 'found', value: 'v=DMARC1; p=none;' } as const;
  assert.equal(otherThanWanted({ ...dmarc, found_value: 'v=DMARC1; p=reject' }), 'v=DMARC1; p=reject');
  assert.equal(otherThanWanted({ ...dmarc, found_value: dmarc.value }), null);
  assert.equal(otherThanWanted({ ...dmarc, found_value: 'v=DMARC1; p=nothing', status: 'mismatch' }), null);
  assert.equal(otherThanWanted({ ...dmarc, found_value: 'v=DKIM1;p=A', purpose: 'dkim' }), null);
});

test('the record of a former key is required until its day, and that of a next key for the change', () => {
  const dkim = { purpose: 'dkim', required: false } as const;
  const former = { ...dkim, dkim_key: 'former', needed_until: '2026-12-01T12:00:00.000Z' } as const;
  assert.equal(needOf(former), 'Required until Dec 1, 2026');
  assert.equal(needOf({ ...dkim, dkim_key: 'next', needed_until: null }), 'Required for the next key');
  assert.equal(needOf({ purpose: 'dmarc', required: false, dkim_key: null, needed_until: null }), 'Optional');
});
