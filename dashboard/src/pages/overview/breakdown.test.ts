import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AnalyticsRow } from '../../api/generated/types.gen.ts';
import { medianOf, nameOf, readBreakdown, rowsOf } from './breakdown.ts';

const row = (more: Partial<AnalyticsRow>): AnalyticsRow => ({ sent: 0, delivered: 0, ...more }) as AnalyticsRow; // the fields that are read

test('an address without a breakdown, or with one that is none, shows the providers', () => {
  assert.equal(readBreakdown(undefined).value, 'mailbox_provider');
  assert.equal(readBreakdown('colour').value, 'mailbox_provider');
  assert.equal(readBreakdown('tag').filter, 'tag');
});

test('a row has the name of its record, its id while the name is not known, and words where it has none', () => {
  const names = new Map([['t1', 'Welcome']]);
  const template = readBreakdown('template');
  assert.equal(nameOf(template, row({ template_id: 't1' }), names), 'Welcome');
  assert.equal(nameOf(template, row({ template_id: 't2' }), names), 't2');
  assert.equal(nameOf(template, row({ template_id: null }), names), 'Without a template');
  assert.equal(nameOf(readBreakdown(undefined), row({ mailbox_provider: 'google' }), names), 'Google');
  assert.equal(nameOf(readBreakdown('source'), row({ source: 'issue' }), names), 'Issue');
  assert.equal(nameOf(readBreakdown('tag'), row({ tag: 'apple' }), names), 'apple');
});

test('rows without mail are left out, and the most sent comes first', () => {
  const sent = rowsOf([row({ sent: 1 }), row({}), row({ sent: 5 }), row({ delivered: 2 })]).map((one) => one.sent);
  assert.deepEqual(sent, [5, 1, 0]);
});

test('a median is shown in words, and a dash stands where nothing was delivered', () => {
  assert.equal(medianOf(row({ median_seconds_to_delivery: 2.5 })), '2.5 s');
  assert.equal(medianOf(row({ median_seconds_to_delivery: 0 })), '0 ms');
  assert.equal(medianOf(row({ median_seconds_to_delivery: null })), '—');
});
