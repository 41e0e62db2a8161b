import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ApiKey } from '../../api/generated/types.gen.ts';
import { bodyOfKey, EMPTY_KEY, presetKey, valuesOfKey } from './key-form.ts';

test('an empty field is left to the server', () => {
  assert.deepEqual(bodyOfKey({ ...EMPTY_KEY, name: ' CI ', scopes: ['emails:send'] }), {
    name: 'CI',
    scopes: ['emails:send'],
    allowed_ips: [],
    expires_at: null,
  });
});

test('a key that is opened and saved stays as it was', () => {
  const key = {
    name: 'CI',
    scopes: ['*'],
    allowed_ips: ['203.0.113.0/24', '2001:db8::/32'],
    expires_at: '2027-03-28T02:30:00.000Z',
    limits: { hourly: 0, daily: 1000, monthly: 10_000 },
  } as ApiKey; // the form reads no other fields
  assert.deepEqual(bodyOfKey(valuesOfKey(key)), {
    name: 'CI',
    scopes: ['*'],
    allowed_ips: ['203.0.113.0/24', '2001:db8::/32'],
    expires_at: '2027-03-28T02:30:00.000Z',
    limits: { hourly: 0, daily: 1000, monthly: 10_000 },
  });
});

test('a link may name a new key and its scopes; what is no scope is passed over', () => {
  const { name, scopes } = presetKey({ name: 'SMTP relay', scopes: 'emails:send,everything' });
  assert.deepEqual([name, scopes], ['SMTP relay', ['emails:send']]);
  assert.deepEqual(presetKey({ scopes: '*' }).scopes, EMPTY_KEY.scopes);
  assert.deepEqual(presetKey({}), EMPTY_KEY);
});
