import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeOfNewsletter, type NewsletterValues } from './newsletter-form.ts';

const before = {
  name: 'Acme Weekly',
  description: 'Every Friday',
  track_opens: true,
  redirect_origins: '',
  pending_purge_days: '30',
} as NewsletterValues; // the other fields do not matter here

test('only fields that are different are sent', () => {
  assert.deepEqual(changeOfNewsletter({ ...before, track_opens: false }, before), { track_opens: false });
  assert.deepEqual(changeOfNewsletter(before, before), {});
});

test('an emptied field is cleared, but a name is refused by the server', () => {
  assert.deepEqual(changeOfNewsletter({ ...before, description: ' ', name: ' ', pending_purge_days: '' }, before), {
    description: null,
    name: '',
    pending_purge_days: null,
  });
});

test('origins are read line by line', () => {
  const values = { ...before, redirect_origins: 'https://a.example\n\n https://b.example ' };
  assert.deepEqual(changeOfNewsletter(values, before), {
    redirect_origins: ['https://a.example', 'https://b.example'],
  });
});
