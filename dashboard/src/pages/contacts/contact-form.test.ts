import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Contact } from '../../api/generated/types.gen.ts';
import { bodyOfChange, bodyOfNew, EMPTY_CONTACT, faultOfProperties, valuesOf } from './contact-form.ts';

const ADA: Contact = {
  id: '0197f3d4-0000-7a50-9b1f-3f2f6f0c9a12',
  email: 'ada@example.com',
  first_name: 'Ada',
  last_name: 'Lovelace',
  name: 'Ada Lovelace',
  properties: { plan: 'pro', seats: 3, since: '2026-11-23' },
  unsubscribed: false,
  unsubscribed_at: null,
  suppressed: false,
  timezone: null,
  language: null,
  list_ids: [],
  created_at: '2026-11-23T10:00:00.000Z',
  updated_at: '2026-11-23T10:00:00.000Z',
};

test('a change names only what is different, and a removed property is null', () => {
  const values = valuesOf(ADA, [{ key: 'since', type: 'date' }]);
  assert.deepEqual(bodyOfChange(values, ADA), {});
  assert.equal(values.name, '');
  const [plan, , since] = values.properties;
  assert.ok(plan !== undefined && since !== undefined);
  assert.equal(since.type, 'date');
  const properties = [{ ...plan, text: 'free' }, since, { key: 'vip', type: 'boolean' as const, text: 'true' }];
  assert.deepEqual(bodyOfChange({ ...values, last_name: '', language: 'en', properties }, ADA), {
    last_name: null,
    language: 'en',
    properties: { plan: 'free', seats: null, vip: true },
  });
});

test('a new contact has only the fields that are filled in', () => {
  const properties = [{ key: ' seats ', type: 'number' as const, text: '4' }];
  assert.deepEqual(bodyOfNew({ ...EMPTY_CONTACT, email: ' ada@example.com ', properties }), {
    email: 'ada@example.com',
    properties: { seats: 4 },
  });
});

test('a property says what is wrong with it', () => {
  const seats = { key: 'seats', type: 'number' as const, text: 'many' };
  assert.equal(faultOfProperties([seats]), 'seats needs a number.');
  assert.equal(faultOfProperties([{ ...seats, text: '4', key: ' ' }]), 'Every property needs a key.');
  assert.equal(
    faultOfProperties([
      { ...seats, text: '4' },
      { ...seats, text: '5' },
    ]),
    'seats is here twice.',
  );
  assert.equal(faultOfProperties([{ ...seats, text: '4' }]), null);
});
