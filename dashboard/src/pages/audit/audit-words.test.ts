import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entryWords, recordWords } from './audit-words.ts';

const ID = '0197f3d2-6c1e-7a50-9b1f-3f2f6f0c9a11';

test('an entry names its record by its new name, else by what its details tell', () => {
  const target = { type: 'api_key', id: ID };
  const changes = { name: { before: 'Shop', after: 'Web shop' } };
  assert.equal(recordWords({ target, details: { name: 'Shop', changes } }), 'API key Web shop');
  assert.equal(
    recordWords({ target: { type: 'domain', id: ID }, details: { domain: 'a.example' } }),
    'Domain a.example',
  );
  const broadcast = { type: 'broadcast', id: ID };
  assert.equal(recordWords({ target: broadcast, details: { total: 3, record_name: 'Launch' } }), 'Broadcast Launch');
  const address = { type: 'suppression', id: 'ada@example.com' };
  assert.equal(recordWords({ target: address, details: {} }), 'Suppression ada@example.com');
});

test('an action that is a verb alone is told with its record', () => {
  assert.equal(entryWords({ action: 'created', target: { type: 'issue', id: ID } }), 'Issue created');
  assert.equal(entryWords({ action: 'api_key.rotated', target: { type: 'api_key', id: ID } }), 'API key rotated');
});

test('an entry shows the kind of a record without a name, and no part of its id', () => {
  assert.equal(recordWords({ target: { type: 'webhook', id: ID }, details: {} }), 'Webhook');
  assert.equal(recordWords({ target: { type: null, id: null }, details: {} }), '');
});
