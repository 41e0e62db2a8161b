import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOf } from './general-form.ts';

const saved = { name: 'Acme', timezone: 'UTC', track_opens: false, track_clicks: true, postal_address: '' };

test('only fields that are another than before are sent', () => {
  assert.deepEqual(changeOf(saved, saved), {});
  assert.deepEqual(changeOf({ ...saved, name: ' Acme ' }, saved), {});
  assert.deepEqual(changeOf({ ...saved, name: 'Acme Inc.', track_clicks: false }, saved), {
    name: 'Acme Inc.',
    track_clicks: false,
  });
  assert.deepEqual(changeOf({ ...saved, postal_address: ' 1 Main Street ' }, saved), {
    postal_address: '1 Main Street',
  });
  assert.deepEqual(changeOf(saved, { ...saved, postal_address: 'Old' }), { postal_address: null });
  assert.deepEqual(changeOf({ ...saved, timezone: 'Europe/Berlin', track_opens: true }, saved), {
    timezone: 'Europe/Berlin',
    track_opens: true,
  });
});
