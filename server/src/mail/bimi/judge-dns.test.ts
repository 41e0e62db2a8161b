import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeDmarc } from './judge-dmarc.ts';
import { bimiRecord, judgeRecord } from './judge-record.ts';

const MARK = { svgUrl: 'https://acme.example/logo.svg', certificateUrl: 'https://acme.example/mark.pem' };
const RECORD = bimiRecord(MARK);
const codesOf = (...texts: string[]): string[] => judgeRecord('acme.example', texts, MARK).map(({ code }) => code);

test('the record as it should be has no fault, also beside other records and with other white space', () => {
  assert.equal(RECORD, 'v=BIMI1; l=https://acme.example/logo.svg; a=https://acme.example/mark.pem');
  assert.deepEqual(codesOf(RECORD), []);
  assert.deepEqual(codesOf('some-token=1', RECORD), []);
  assert.deepEqual(codesOf(' v = bimi1;l= https://acme.example/logo.svg ;a=https://acme.example/mark.pem; '), []);
});

test('each fault of the record is named', () => {
  assert.deepEqual(codesOf(), ['record_missing']);
  assert.deepEqual(codesOf('v=spf1 -all'), ['record_missing']);
  assert.deepEqual(codesOf(RECORD, RECORD), ['record_duplicate']);
  assert.deepEqual(codesOf('v=BIMI1; l=;'), ['record_declines']);
  assert.deepEqual(codesOf(RECORD.replace('logo.svg', 'other.svg')), ['record_logo']);
  assert.deepEqual(codesOf('v=BIMI1; l=https://acme.example/logo.svg'), ['record_certificate']);
  assert.deepEqual(codesOf('v=BIMI1; l=https://x.example/a; a=https://x.example/b'), [
    'record_logo',
    'record_certificate',
  ]);
});

test('the remedy of the record is the record to publish', () => {
  for (const { remedy } of judgeRecord('acme.example', [], MARK)) {
    assert.equal(remedy, `Publish one TXT record at default._bimi.acme.example: ${RECORD}`);
  }
});

const policyCodes = (...records: string[]): string[] =>
  judgeDmarc(
    'mail.acme.example',
    records.map((record) => ({ name: '_dmarc.acme.example', record })),
  ).map(({ code }) => code);

test('a policy that enforces has no fault', () => {
  for (const record of [
    'v=DMARC1; p=reject',
    'v=DMARC1;p=quarantine;pct=100',
    'v=DMARC1; p=reject; sp=quarantine; pct=5',
  ]) {
    assert.deepEqual(policyCodes(record), [], record);
  }
});

test('each reason for which a policy does not enforce is named', () => {
  assert.deepEqual(policyCodes(), ['dmarc_missing']);
  assert.deepEqual(policyCodes('v=DMARC1; p=none'), ['dmarc_not_enforced']);
  assert.deepEqual(policyCodes('v=DMARC1; rua=mailto:a@acme.example'), ['dmarc_not_enforced']);
  assert.deepEqual(policyCodes('v=DMARC1; p=reject; sp=none'), ['dmarc_subdomains']);
  assert.deepEqual(policyCodes('v=DMARC1; p=quarantine; pct=50'), ['dmarc_percent']);
  assert.deepEqual(policyCodes('v=DMARC1; p=reject; t=y'), ['dmarc_testing']);
  assert.deepEqual(policyCodes('v=DMARC1; p=reject', 'v=DMARC1; p=none; sp=none'), [
    'dmarc_not_enforced',
    'dmarc_subdomains',
  ]);
});
