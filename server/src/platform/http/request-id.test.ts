import assert from 'node:assert/strict';
import { test } from 'node:test';
import { requestIdFor } from './request-id.ts';

const FORM = /^req_[A-Za-z0-9_-]{8,64}$/;

test('an id of the caller that has our form is kept', () => {
  for (const id of ['req_12345678', `req_${'a'.repeat(64)}`, 'req_A-z_0-9-_']) assert.equal(requestIdFor(id), id);
});

test('any other is replaced by a fresh one', () => {
  for (const id of [
    undefined,
    '',
    'req_',
    'req_1234567',
    `req_${'a'.repeat(65)}`,
    'REQ_12345678',
    'req_1234 5678',
    'req_12345678\n',
    ' req_12345678',
    'req_1234567é',
    'req_12345678, req_12345678',
    ['req_12345678'],
  ]) {
    const fresh = requestIdFor(id);
    assert.match(fresh, FORM);
    assert.notEqual(fresh, id);
  }
});

test('fresh ids differ', () => {
  assert.equal(new Set(Array.from({ length: 10_000 }, () => requestIdFor(undefined))).size, 10_000);
});
